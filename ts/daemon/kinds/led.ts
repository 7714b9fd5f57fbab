/** The kind `led`: a LED of the kernel's LED class. */
import { LedNoun } from "../../nouns/led-noun.ts";
import { deviceName } from "../device-name.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, record } from "../record.ts";
import { choice, integer, nonEmptyText } from "../setting.ts";

export const ledKind = () =>
  nounKind({
    options: {
      device: deviceName("green:status"),
      default: optional(record({ brightness: integer({ minimum: 0 }), trigger: optional(nonEmptyText()) })),
      exit: optional(choice("default", "as-is")),
    },
    claim: ({ device }) => `the LED ${device}`,
    build: (options, { hardware }) => new LedNoun(hardware.sysfs.openDevice("leds", options.device), options),
  });
