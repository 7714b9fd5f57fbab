/** The kinds of nouns for GPIO lines: the options that inputs and outputs share, and their own. */

import { type NounContext, nounKind } from "../../settings/noun-kind.ts";
import { optional, withDefault } from "../../settings/record.ts";
import {
  boolean,
  choice,
  either,
  integer,
  nameNotNumber,
  nonEmptyText,
  number,
  pollTime,
} from "../../settings/setting.ts";
import { edgeKeys, gpioInputNounKeptAs } from "../nouns/gpio-input-noun.ts";
import { gpioOutputNounKeptAs } from "../nouns/gpio-output-noun.ts";
import type { LineOptions } from "../open/line-options.ts";
import { checkInput, checkOutput } from "../open/lines.ts";
import { keepsTotal, meterOptions, verifyMeter } from "./meter-options.ts";
import { pressesOf, pressKeysOf, pressOptions, verifyPresses } from "./press-options.ts";

/** A line's name. People write the number of a line without quotes, and mean its offset or a part of its name. */
const lineName = () =>
  nameNotNumber(
    (number) =>
      `expected the line's name in quotes, such as "GPIO${number}", found ${number}; ` +
      `a line without a name is written "chip": "gpiochip0", "offset": ${number}`,
  );

/** The line, by chip and offset or by its name, and its electrical settings. */
export const lineOptions = () => ({
  chip: optional(nonEmptyText),
  offset: optional(() => integer({ minimum: 0, maximum: 65_535 })),
  line: optional(lineName),
  activeLow: withDefault(boolean, false),
  bias: withDefault(() => choice("as-is", "disabled", "pull-up", "pull-down"), "as-is"),
});

/** Refuses options that name no line, or name it twice. */
export function verifyLine(
  { chip, offset, line }: LineOptions,
  refuse: (keys: readonly ["chip" | "offset" | "line"], sentence: string) => void,
): void {
  if (line !== undefined) {
    const other = chip !== undefined ? "chip" : offset !== undefined ? "offset" : undefined;
    if (other !== undefined) refuse([other], `expected nothing together with "line", which already names the line`);
  } else if (chip === undefined) {
    refuse(["chip"], `expected "chip" and "offset", or "line" with the line's name, found nothing`);
  } else if (offset === undefined) {
    refuse(["offset"], "expected the line's offset on the chip, found nothing");
  }
}

/** The kernel's folders of GPIO chips, by both interfaces. */
export const lineFolders = ["/sys/bus/gpio/devices", "/sys/class/gpio"];

/** @returns the text that identifies the line in a claim. A chip's name and its device's path give the same text. */
export function lineClaim({ chip, offset, line }: LineOptions): string {
  return line === undefined ? `the line ${offset} of ${chip?.replace(/^\/dev\//, "")}` : `the line "${line}"`;
}

/** @returns the options, completed with the name of the line's consumer. */
export function heldLine<O extends LineOptions>(options: O, { name }: NounContext) {
  return { ...options, consumer: `nound:${name}` };
}

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
