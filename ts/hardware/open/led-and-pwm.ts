/** Opens LEDs and PWM channels for applications. */

import type { AttributeFolder } from "../../native/sysfs.ts";
import { hardware, isSimulated, system } from "../../platform/platform.ts";
import { opening } from "../../platform/reach.ts";
import { Led } from "./led.ts";
import { openPwmChannel, PwmChannel } from "./pwm-channel.ts";

/** Opens the folder of a LED or of a PWM chip. Its class has a link to it, from elsewhere in /sys. */
export function openFolder(kind: "leds" | "pwm", device: string): AttributeFolder {
  return opening("/sys", () => hardware().sysfs.openDevice(kind, device));
}

/**
 * Opens a LED of the kernel's LED class.
 * @param device its folder's name in `/sys/class/leds`.
 * @throws Error with a message that lists the LEDs of the device.
 *
 * @example
 * const led = openLed("green:status");
 * led.write({ brightness: led.maximum, trigger: "heartbeat" });
 */
export function openLed(device: string): Led {
  return new Led(openFolder("leds", device));
}

/**
 * @param chip its folder's name in `/sys/class/pwm`, which may be another chip's after the next start, or the path of
 *   its device on a bus.
 * @returns the folder's name; on simulated hardware, which has any chip, what is given.
 * @throws Error with a sentence when the device has none.
 */
export function pwmChipName(chip: string): string {
  if (isSimulated || !chip.startsWith("/")) return chip;
  const [name] = system.names(`${chip}/pwm`, "pwmchip");
  if (name === undefined) throw new Error(`${chip} has no PWM chip: its driver is missing`);
  return name;
}

/**
 * Opens a channel of a PWM chip. Exports the channel if that has not been done.
 * @param chip its folder's name in `/sys/class/pwm`, or the path of its device on a bus.
 * @param channel its number on the chip, from 0.
 * @throws Error with a message that lists the chips of the device.
 *
 * @example
 * const servo = openPwm("pwmchip0", 0);
 * servo.write({ period: 20_000_000, duty: 1_500_000, enabled: true }); // ns
 */
export function openPwm(chip: string, channel: number): PwmChannel {
  if (typeof chip !== "string" || !Number.isSafeInteger(channel)) {
    throw new TypeError('A PWM channel is opened by its chip and its number there: openPwm("pwmchip0", 0).');
  }
  return new PwmChannel(openPwmChannel(openFolder("pwm", pwmChipName(chip)), channel));
}
