/** The kind of nouns for GPIO lines that are read. */

import { nounKind } from "../../settings/noun-kind.ts";
import { optional, withDefault } from "../../settings/record.ts";
import { choice, nonEmptyText, number, pollTime } from "../../settings/setting.ts";
import { edgeKeys, gpioInputNounKeptAs } from "../nouns/gpio-input-noun.ts";
import { checkInput } from "../open/lines.ts";
import { heldLine, lineClaim, lineFolders, lineOptions, verifyLine } from "./line-setting.ts";
import { keepsTotal, meterOptions, verifyMeter } from "./meter-options.ts";
import { pressesOf, pressKeysOf, pressOptions, verifyPresses } from "./press-options.ts";

/** A GPIO line that is read. */
export const gpioInputKind = () =>
  nounKind({
    options: {
      ...lineOptions(),
      key: nonEmptyText(),
      edges: withDefault(() => choice("none", "rising", "falling", "both"), "none"),
      debounce: withDefault(() => number({ minimum: 0, maximum: 999 }), 0),
      ...pressOptions(),
      ...meterOptions(),
      poll: optional(pollTime),
    },
    verify(options, refuse) {
      verifyLine(options, refuse);
      const { key, edges, presses } = options;
      if (edges !== "none" && edgeKeys.includes(key)) {
        refuse(["key"], `expected another key, because the counter of edges uses "${key}"`);
      }
      if (presses !== false && (edges === "rising" || edges === "falling")) {
        refuse(["edges"], `expected "both" or "none" together with "presses", found "${edges}"`);
      }
      verifyPresses(options, refuse);
      const taken = [key, ...(edges === "none" ? [] : edgeKeys), ...pressKeysOf(options)];
      const isCounted = edges !== "none" || presses !== false;
      const missing = 'expected nothing without "edges" or "presses": true, because nothing is counted';
      verifyMeter(options, taken, isCounted ? undefined : missing, refuse);
    },
    claim: lineClaim,
    folders: () => lineFolders,
    attempt: (options, context) => checkInput(heldLine(options, context)),
    keeps: keepsTotal,
    build: (options, context, kept) =>
      gpioInputNounKeptAs(context, {
        ...heldLine(options, context),
        ...pressesOf(options),
        simulatedAs: context.name,
        ...kept,
      }),
  });
