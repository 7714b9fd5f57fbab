/** The kind `gpio-input`: a GPIO line that is read. */
import { gpioInputNoun } from "../../devices/nouns.ts";
import { edgeKeys } from "../../nouns/gpio-input-noun.ts";
import { heldLine, lineClaim, lineOptions, verifyLine } from "../line-options.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { choice, integer, nonEmptyText, pollTime } from "../setting.ts";

export const gpioInputKind = () =>
  nounKind({
    options: {
      ...lineOptions(),
      key: nonEmptyText(),
      edges: withDefault(() => choice("none", "rising", "falling", "both"), "none"),
      debounce: withDefault(() => integer({ minimum: 0, maximum: 10_000_000 }), 0),
      poll: optional(pollTime),
    },
    verify(options, refuse) {
      verifyLine(options, refuse);
      const { key, edges } = options;
      if (edges !== "none" && edgeKeys.includes(key)) {
        refuse(["key"], `expected another key, because the counter of edges uses "${key}"`);
      }
    },
    claim: lineClaim,
    build: (options, context) => gpioInputNoun({ ...heldLine(options, context), simulatedAs: context.name }),
  });
