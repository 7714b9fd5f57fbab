/** The kinds of nouns for LEDs and for the channels of PWM chips. */

import { checkState } from "../../core/noun/shape.ts";
import { nounKind, verifyDefault } from "../../settings/noun-kind.ts";
import { optional, record } from "../../settings/record.ts";
import {
  boolean,
  choice,
  deviceName,
  deviceOrPath,
  integer,
  nonEmptyText,
  number,
  pollTime,
  state,
} from "../../settings/setting.ts";
import { ledNounKeptAs, pwmNounKeptAs } from "../nouns/inherited-hardware.ts";
import { checkedDefault } from "../nouns/led-noun.ts";
import { frequencyRange, pwmShape } from "../nouns/pwm-noun.ts";
import { openFolder, openLed, pwmChipName } from "../open/led-and-pwm.ts";
import { checkPwmChannel } from "../open/pwm-channel.ts";
import { bootOption, keeps } from "./boot-option.ts";

/** A LED of the kernel's LED class. */
export const ledKind = () =>
  nounKind({
    options: {
      device: deviceName("green:status"),
      default: optional(() => record({ brightness: integer({ minimum: 0 }), trigger: optional(nonEmptyText) })),
      boot: bootOption(),
      exit: optional(() => choice("default", "as-is")),
      poll: optional(pollTime),
    },
    claim: ({ device }) => `the LED ${device}`,
    folders: () => ["/sys/class/leds"],
    attempt({ device, default: initial }) {
      const led = openLed(device);
      if (initial !== undefined) checkedDefault(led, { ...initial });
    },
    hasShapeOfDevice: () => true,
    keeps,
    build: (options, keeping, { store }) => ledNounKeptAs({ keeping, store }, options),
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
