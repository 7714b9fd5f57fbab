/** The kind `led`: a LED of the kernel's LED class. */
import { openLed } from "../../hardware/led-and-pwm.ts";
import { checkedDefault } from "../../nouns/led-noun.ts";
import { ledNoun } from "../../nouns/ready-made.ts";
import { deviceName } from "../device-name.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, record } from "../record.ts";
import { choice, integer, nonEmptyText, pollTime } from "../setting.ts";

export const ledKind = () =>
  nounKind({
    options: {
      device: deviceName("green:status"),
      default: optional(() => record({ brightness: integer({ minimum: 0 }), trigger: optional(nonEmptyText) })),
      exit: optional(() => choice("default", "as-is")),
      poll: optional(pollTime),
    },
    claim: ({ device }) => `the LED ${device}`,
    folders: () => ["/sys/class/leds"],
    attempt({ device, default: initial }) {
      const led = openLed(device);
      if (initial !== undefined) checkedDefault(led, { ...initial });
    },
    hasShapeOfDevice: true,
    build: (options) => ledNoun(options),
  });
