/** LEDs, PWM channels, converters and stores, as an application opens them. */
import type { Store } from "../native/storage.ts";
import { AdcChannel } from "../nouns/adc-channel.ts";
import { Led } from "../nouns/led.ts";
import { openPwmChannel, PwmChannel } from "../nouns/pwm-channel.ts";
import { hardware, simulated } from "./platform.ts";
import { addNumberSource } from "./simulated-sources.ts";

/**
 * Opens a LED of the kernel's LED class.
 * @param device its folder's name in `/sys/class/leds`.
 * @throws Error with a sentence for people, naming the LEDs there are.
 *
 * @example
 * const led = openLed("green:status");
 * led.write({ brightness: led.maximum, trigger: "heartbeat" });
 */
export function openLed(device: string): Led {
  return new Led(hardware.sysfs.openDevice("leds", device));
}

/**
 * Opens a channel of a PWM chip; it is exported if nobody has.
 * @param chip its folder's name in `/sys/class/pwm`.
 * @param channel its number on the chip, from 0.
 * @throws Error with a sentence for people, naming the chips there are.
 *
 * @example
 * const servo = openPwm("pwmchip0", 0);
 * servo.write({ period: 20_000_000, duty: 1_500_000, enabled: true }); // ns
 */
export function openPwm(chip: string, channel: number): PwmChannel {
  return new PwmChannel(openPwmChannel(hardware.sysfs.openDevice("pwm", chip), channel));
}

/**
 * Opens a channel of an analog-to-digital converter. Where hardware is simulated, the noun `simulated.` and the names of device
 * and channel moves it: `simulated.iio-device0.voltage0`.
 * @param device its folder's name in `/sys/bus/iio/devices`.
 * @param channel as the attributes name it: `voltage0` of `in_voltage0_raw`.
 * @param simulatedAs what follows `simulated.` in the name of that noun instead.
 * @throws Error with a sentence for people, naming the devices there are.
 *
 * @example
 * const battery = openAdc("iio:device0", "voltage0");
 * const millivolts = battery.read().value;
 */
export function openAdc(device: string, channel: string, simulatedAs = `${device}.${channel}`): AdcChannel {
  const opened = new AdcChannel(hardware.sysfs.openDevice("iio", device), channel);
  if (simulated !== undefined) {
    const folder = simulated.sysfs.openDevice("iio", device);
    const raw = `in_${channel}_raw`;
    const write = (value: number) => void folder.attributes.set(raw, String(value));
    const read = () => folder.number(raw);
    addNumberSource(simulatedAs, { key: "raw", maximum: 4_095, read, write });
  }
  return opened;
}

/**
 * Opens a folder of small texts that survive the program, a crash and the loss of power. It is made when its parent exists.
 * @throws Error with a sentence for people.
 *
 * @example
 * const store = openStore("/var/lib/my-device");
 * store.write("count", "42");
 * const count = Number(store.read("count") ?? 0);
 */
export function openStore(path: string): Store {
  return hardware.storage.openStore(path);
}
