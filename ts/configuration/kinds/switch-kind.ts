/** The kind `switch`: two states in memory under one key. */
import { SwitchNoun } from "../../nouns/switch-noun.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { choice, nonEmptyText, scalar } from "../setting.ts";

export const switchKind = () =>
  nounKind({
    options: {
      key: nonEmptyText(),
      off: withDefault(scalar, 0),
      on: withDefault(scalar, 1),
      default: optional(scalar),
    },
    verify({ off, on, default: initial }, refuse) {
      if (off === on) {
        refuse(["on"], `expected a value other than that of "off", found ${JSON.stringify(on)}`);
      }
      if (initial !== undefined && initial !== off && initial !== on) {
        refuse(["default"], `expected ${choice(off, on).expected}, found ${JSON.stringify(initial)}`);
      }
    },
    build: (options) => new SwitchNoun(options),
  });
