/** The kind of nouns for GPIO lines that are set. */

import { nounKind } from "../../settings/noun-kind.ts";
import { optional, withDefault } from "../../settings/record.ts";
import { choice, either, integer, nonEmptyText } from "../../settings/setting.ts";
import { gpioOutputNounKeptAs } from "../nouns/gpio-output-noun.ts";
import { checkOutput } from "../open/lines.ts";
import { heldLine, lineClaim, lineFolders, lineOptions, verifyLine } from "./line-setting.ts";

/** ms: up to a day. */
const duration = () => integer({ minimum: 1, maximum: 86_400_000 });
const time = () => optional(duration);

/** A GPIO line that is set. */
export const gpioOutputKind = () =>
  nounKind({
    options: {
      ...lineOptions(),
      drive: withDefault(() => choice("push-pull", "open-drain", "open-source"), "push-pull"),
      key: nonEmptyText(),
      default: withDefault(() => choice(0, 1), 0),
      boot: withDefault(() => choice("default", "as-is", "restore"), "default"),
      interval: time(),
      pulse: time(),
      lease: optional(() =>
        either(
          'a whole number from 1 to 86400000, or "asked"',
          duration(),
          choice("asked"),
          (value) => value !== "asked",
        ),
      ),
      rest: time(),
      exit: optional(() => choice("default", "as-is")),
    },
    verify(options, refuse) {
      verifyLine(options, refuse);
      const { boot, interval, key, pulse, lease, rest } = options;
      if (lease === "asked" && key === "remaining") {
        refuse(["key"], 'expected another key, because a lease that is asked for uses "remaining"');
      }
      if (rest !== undefined && boot !== "default") {
        refuse(["rest"], `expected nothing together with "boot": "${boot}", because it rests after the start`);
      }
      if (pulse !== undefined && lease !== undefined) {
        refuse(["lease"], 'expected nothing together with "pulse", which ends by itself');
      }
      if (pulse !== undefined && boot === "restore") {
        refuse(
          ["pulse"],
          'expected nothing together with "boot": "restore", which would repeat a pulse after each restart',
        );
      }
      if (interval !== undefined && boot !== "restore") {
        refuse(["interval"], 'expected nothing without "boot": "restore", because nothing is written');
      }
    },
    claim: lineClaim,
    folders: () => lineFolders,
    attempt: (options, context) => checkOutput(heldLine(options, context)),
    keeps: ({ boot }) => (boot === "restore" ? "boot" : undefined),
    build: (options, context, kept) => gpioOutputNounKeptAs(context, { ...heldLine(options, context), ...kept }),
  });
