/** The kinds of nouns for LEDs and for the channels of PWM chips. */

import { checkState, type Shape } from "../../core/noun/shape.ts";
import { nounKind, verifyDefault } from "../../settings/noun-kind.ts";
import { optional } from "../../settings/record.ts";
import { boolean, choice, deviceName, deviceOrPath, integer, number, pollTime, state } from "../../settings/setting.ts";
import { ledNounKeptAs, pwmNounKeptAs } from "../nouns/inherited-hardware.ts";
import { checkedDefault, type LedOptions } from "../nouns/led-noun.ts";
import { frequencyRange, pwmShape } from "../nouns/pwm-noun.ts";
import type { LedState } from "../open/led.ts";
import { openFolder, openLed, pwmChipName } from "../open/led-and-pwm.ts";
import { checkPwmChannel } from "../open/pwm-channel.ts";
import { bootOption, keeps } from "./boot-option.ts";

/** What the default of any LED is like; the device knows the rest. */
const anyLed: Shape = { brightness: { type: "integer", minimum: 0 }, trigger: { type: "string", optional: true } };

/** A LED of the kernel's LED class. */
export const ledKind = () =>
  nounKind({
    options: {
      device: deviceName("green:status"),
      default: optional(state),
      boot: bootOption(),
      exit: optional(() => choice("default", "as-is")),
      poll: optional(pollTime),
    },
    claim: ({ device }) => `the LED ${device}`,
    folders: () => ["/sys/class/leds"],
    verify({ default: initial }, refuse) {
      if (initial !== undefined) verifyDefault(() => checkState(anyLed, initial), "the noun", refuse);
    },
    attempt({ device, default: initial }) {
      const led = openLed(device);
      if (initial !== undefined) checkedDefault(led, initial as unknown as LedState);
    },
    hasShapeOfDevice: () => true,
    keeps,
    build: (options, keeping, { store }) => ledNounKeptAs({ keeping, store }, options as unknown as LedOptions),
  });

/** A channel of a PWM chip, in percent or in µs of each pulse. */
export const pwmKind = () =>
  nounKind({
    options: {
      chip: deviceOrPath("a chip such as pwmchip0, or the path of its device such as /sys/bus/i2c/devices/1-0040"),
      channel: integer({ minimum: 0, maximum: 255 }),
      frequency: optional(() => number(frequencyRange)),
      pulse: optional(boolean),
      inverted: optional(boolean),
      default: optional(state),
      boot: bootOption(),
      exit: optional(() => choice("default", "as-is")),
      poll: optional(pollTime),
    },
    verify({ default: initial, ...options }, refuse) {
      if (initial !== undefined) verifyDefault(() => checkState(pwmShape(options), initial), "the noun", refuse);
    },
    claim: ({ chip, channel }) => `the channel ${channel} of ${chip}`,
    folders: () => ["/sys/class/pwm"],
    attempt: ({ chip, channel }) => checkPwmChannel(openFolder("pwm", pwmChipName(chip)), channel),
    keeps,
    build: (options, keeping, { store }) => pwmNounKeptAs({ keeping, store }, options),
  });
