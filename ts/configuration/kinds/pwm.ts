/** The kind `pwm`: a channel of a PWM chip, in ns or in percent of a fixed period. */
import { openFolder } from "../../hardware/led-and-pwm.ts";
import { checkPwmChannel } from "../../hardware/pwm-channel.ts";
import { checkState } from "../../noun/shape.ts";
import { checkDuty, longestPeriod, pwmShape } from "../../nouns/pwm-noun.ts";
import { pwmNoun } from "../../nouns/ready-made.ts";
import { deviceName } from "../device-name.ts";
import { nounKind, verifyDefault } from "../noun-kind.ts";
import { optional } from "../record.ts";
import { choice, integer, pollTime, state } from "../setting.ts";

export const pwmKind = () =>
  nounKind({
    options: {
      chip: deviceName("pwmchip0"),
      channel: integer({ minimum: 0, maximum: 255 }),
      period: optional(() => integer({ minimum: 1_000, maximum: longestPeriod })),
      default: optional(state),
      exit: optional(() => choice("default", "as-is")),
      poll: optional(pollTime),
    },
    verify({ period, default: initial }, refuse) {
      if (initial === undefined) return;
      const check = () => {
        checkState(pwmShape(period), initial);
        checkDuty(initial);
      };
      verifyDefault(check, "the noun", refuse);
    },
    claim: ({ chip, channel }) => `the channel ${channel} of ${chip}`,
    folders: () => ["/sys/class/pwm"],
    attempt: ({ chip, channel }) => checkPwmChannel(openFolder("pwm", chip), channel),
    build: (options) => pwmNoun(options),
  });
