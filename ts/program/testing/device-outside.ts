/**
 * The simulated device from outside: a test drives and reads pins, reads LEDs, sets converters, and is the other end of
 * serial lines and buses.
 */

import { channelFiles } from "../../hardware/nouns/adc-sensor.ts";
import type { LedState } from "../../hardware/open/led.ts";
import { Led } from "../../hardware/open/led.ts";
import { PwmChannel, type PwmSignal } from "../../hardware/open/pwm-channel.ts";
import type { Level, LineAddress } from "../../native/gpio.ts";
import type { SimulatedI2cDevice, SimulatedSpiDevice } from "../../native/simulated/bus.ts";
import type { SimulatedSerialLine } from "../../native/simulated/serial.ts";
import { world } from "../../native/simulated/world.ts";

/**
 * A pin as seen from outside the device.
 *
 * @example
 * const button: TestPin = pin("GPIO27");
 * button.press();
 * button.release();
 */
export class TestPin {
  private readonly address: LineAddress;

  /** @internal */
  constructor(address: LineAddress) {
    this.address = address;
  }

  /** The logical level, as the program has it: 1 is active. */
  get level(): Level {
    return this.pin.getLevel();
  }

  /** 1 is the high voltage, whatever the program calls active. */
  get voltage(): Level {
    return this.pin.voltage;
  }

  /** Puts a logical level on the pin. */
  drive(level: Level): void {
    this.pin.setLevel(level);
  }

  /** Presses a button: makes the line active. */
  press(): void {
    this.drive(1);
  }

  /** Lets the button go. */
  release(): void {
    this.drive(0);
  }

  /** Makes reading and setting the line fail; with undefined, no longer. */
  fail(error: Error | undefined): void {
    this.pin.failure = error;
  }

  private get pin() {
    return world().gpio.pin(this.address);
  }
}

/**
 * A GPIO line's pin.
 * @param line the line's name, or its chip and its offset there.
 *
 * @example
 * pin("GPIO27").press();
 * expect(pin({ chip: "gpiochip0", offset: 17 }).level).toBe(1);
 */
export function pin(line: string | { readonly chip: string; readonly offset: number }): TestPin {
  return new TestPin(typeof line === "string" ? { name: line } : line);
}

/**
 * What a LED does.
 *
 * @example
 * expect(ledState("green:status")).toEqual({ brightness: 255, trigger: "none" });
 */
export function ledState(device: string): LedState {
  return new Led(world().sysfs.openDevice("leds", device)).read();
}

/**
 * The signal that a PWM channel outputs, in ns.
 *
 * @example
 * expect(pwmSignal("pwmchip0", 0)).toEqual({ period: 40_000, duty: 20_000, enabled: true });
 */
export function pwmSignal(chip: string, channel: number): PwmSignal {
  return new PwmChannel(world().sysfs.openDevice("pwm", chip).open(`pwm${channel}`)).read();
}

/**
 * Puts a reading on a channel of an analog-to-digital converter, of twelve bits and a reference of 3.3 V.
 * @param raw 0 to 4095: what the converter gives.
 *
 * @example
 * setAdc("iio:device0", "voltage0", 4_095); // 3.3 V
 */
export function setAdc(device: string, channel: string, raw: number): void {
  const { files } = world();
  for (const [path, text] of Object.entries(channelFiles(device, channel, raw))) {
    if (text === undefined) files.delete(path);
    else files.set(path, text);
  }
}

/**
 * The other end of a serial line.
 *
 * @example
 * const sensor = serialLine("/dev/ttyS1");
 * sensor.onBytes = (bytes) => bytes === "T?\n" && sensor.send("21.5\n");
 */
export function serialLine(path: string): SimulatedSerialLine {
  return world().serial.line(path);
}

/**
 * The texts that a store keeps, by name.
 *
 * @example
 * expect(storedTexts("/var/lib/my-device").get("count")).toBe("42");
 */
export function storedTexts(path: string): Map<string, string> {
  return world().storage.openStore(path).texts;
}

/**
 * A device on an I2C bus, seen from the other side. It exists as soon as it is used.
 * @param bus the number N of `/dev/i2c-N`.
 *
 * @example
 * i2cDevice(1, 0x48).registers.set(0, Uint8Array.of(0x19, 0x00));
 */
export function i2cDevice(bus: number, address: number): SimulatedI2cDevice {
  return world().bus.i2cDevice(bus, address);
}

/**
 * A device on a SPI bus, seen from the other side.
 *
 * @example
 * expect(spiDevice("/dev/spidev0.0").sent).toEqual(Uint8Array.of(0b0000_0101));
 */
export function spiDevice(path: string): SimulatedSpiDevice {
  return world().bus.spiDevice(path);
}
