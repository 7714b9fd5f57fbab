/** The kind `cover`: a shutter, an awning or a gate on two lines. */

import { guardConditions } from "../../settings/conditions.ts";
import { nounKind } from "../../settings/noun-kind.ts";
import { optional, record, withDefault } from "../../settings/record.ts";
import { choice, integer } from "../../settings/setting.ts";
import { coverNounKeptAs } from "../nouns/cover-noun.ts";
import type { LineOptions } from "../open/line-options.ts";
import { checkOutput } from "../open/lines.ts";
import { heldLine, lineClaim, lineFolders, lineOptions, verifyLine } from "./line-kinds.ts";

/** ms: up to ten minutes. */
const strokeTime = () => integer({ minimum: 100, maximum: 600_000 });

const directions = ["open", "close"] as const;

export const coverKind = () =>
  nounKind({
    // It keeps its position, and moves only when somebody asks.
    beginsAtDefault: true,
    options: {
      open: record(lineOptions()),
      close: record(lineOptions()),
      openTime: strokeTime(),
      closeTime: strokeTime(),
      pause: withDefault(() => integer({ minimum: 100, maximum: 60_000 }), 500),
      overrun: withDefault(() => integer({ minimum: 0, maximum: 100 }), 10),
      stopAt: optional(() => record({ open: optional(guardConditions), close: optional(guardConditions) })),
      boot: withDefault(() => choice("restore", "default"), "restore"),
    },
    verify(options, refuse) {
      for (const direction of directions) {
        verifyLine(options[direction], (keys, sentence) => refuse([direction, ...keys], sentence));
      }
      const { open, close } = options;
      if (lineClaim(open) === lineClaim(close)) refuse(["close"], `expected another line than that of "open"`);
    },
    claim: ({ open, close }) => [lineClaim(open), lineClaim(close)],
    folders: () => lineFolders,
    attempt(options, context) {
      for (const direction of directions) checkOutput(heldLine<LineOptions>(options[direction], context));
    },
    keeps: ({ boot }) => (boot === "restore" ? "boot" : undefined),
    build(options, context, kept) {
      const lines = { open: heldLine(options.open, context), close: heldLine(options.close, context) };
      return coverNounKeptAs(context, { ...options, ...lines, ...kept });
    },
  });
