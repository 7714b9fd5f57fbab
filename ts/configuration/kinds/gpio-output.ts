/** The kind `gpio-output`: a GPIO line that is set. */

import { checkOutput } from "../../hardware/lines.ts";
import { gpioOutputNounKeptAs } from "../../nouns/ready-made.ts";
import { heldLine, lineClaim, lineFolders, lineOptions, verifyLine } from "../line-setting.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { choice, integer, nonEmptyText } from "../setting.ts";

/** ms: up to a day. */
const time = () => optional(() => integer({ minimum: 1, maximum: 86_400_000 }));

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
      lease: time(),
      exit: optional(() => choice("default", "as-is")),
    },
    verify(options, refuse) {
      verifyLine(options, refuse);
      const { boot, interval, pulse, lease } = options;
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
    build(options, context) {
      const store = options.boot === "restore" && { store: context.openStore() };
      return gpioOutputNounKeptAs(context, { ...heldLine(options, context), ...store });
    },
  });
