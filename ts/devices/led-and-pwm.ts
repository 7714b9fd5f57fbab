/** Opens LEDs and PWM channels for applications. */

import { hardware } from "../application/platform.ts";
import { Led } from "../hardware/led.ts";
import { openPwmChannel, PwmChannel } from "../hardware/pwm-channel.ts";

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
  return new Led(hardware.sysfs.openDevice("leds", device));
}

/**
 * Opens a channel of a PWM chip. Exports the channel if that has not been done.
 * @param chip its folder's name in `/sys/class/pwm`.
 * @param channel its number on the chip, from 0.
 * @throws Error with a message that lists the chips of the device.
 *
 * @example
 * const servo = openPwm("pwmchip0", 0);
 * servo.write({ period: 20_000_000, duty: 1_500_000, enabled: true }); // ns
 */
export function openPwm(chip: string, channel: number): PwmChannel {
  return new PwmChannel(openPwmChannel(hardware.sysfs.openDevice("pwm", chip), channel));
}
