/** The kind `gpio-input`: a GPIO line that is read. */
import { checkInput } from "../../hardware/lines.ts";
import { edgeKeys } from "../../nouns/gpio-input-noun.ts";
import { pressKeys } from "../../nouns/presses.ts";
import { gpioInputNoun } from "../../nouns/ready-made.ts";
import { heldLine, lineClaim, lineFolders, lineOptions, verifyLine } from "../line-setting.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { boolean, choice, integer, nonEmptyText, pollTime } from "../setting.ts";

export const gpioInputKind = () =>
  nounKind({
    options: {
      ...lineOptions(),
      key: nonEmptyText(),
      edges: withDefault(() => choice("none", "rising", "falling", "both"), "none"),
      debounce: withDefault(() => integer({ minimum: 0, maximum: 10_000_000 }), 0),
      presses: withDefault(boolean, false),
      longPress: optional(() => integer({ minimum: 1, maximum: 60_000 })),
      doublePress: optional(() => integer({ minimum: 0, maximum: 60_000 })),
      poll: optional(pollTime),
    },
    verify(options, refuse) {
      verifyLine(options, refuse);
      const { key, edges, presses } = options;
      if (edges !== "none" && edgeKeys.includes(key)) {
        refuse(["key"], `expected another key, because the counter of edges uses "${key}"`);
      }
      if (!presses) {
        const time = (["longPress", "doublePress"] as const).find((name) => options[name] !== undefined);
        if (time !== undefined) refuse([time], 'expected nothing without "presses": true, which counts presses');
      } else if (edges === "rising" || edges === "falling") {
        refuse(["edges"], `expected "both" or "none" together with "presses", found "${edges}"`);
      } else if (pressKeys.includes(key)) {
        refuse(["key"], `expected another key, because the counter of presses uses "${key}"`);
      }
    },
    claim: lineClaim,
    folders: () => lineFolders,
    attempt: (options, context) => checkInput(heldLine(options, context)),
    build: (options, context) => gpioInputNoun({ ...heldLine(options, context), simulatedAs: context.name }),
  });
