/** The kind `cover`: a shutter, an awning, a gate or a garage door, on two outputs or on the button of its motor. */

import type { NounDescription } from "../../core/noun/description.ts";
import { checkState } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { guardConditions } from "../../settings/conditions.ts";
import { nounKind, verifyDefault } from "../../settings/noun-kind.ts";
import { optional, type RecordOf, record, withDefault } from "../../settings/record.ts";
import { choice, integer, nonEmptyText, state } from "../../settings/setting.ts";
import type { CoverNounOutput } from "../nouns/cover-options.ts";
import { coverNounKeptAs } from "../nouns/open-cover.ts";
import type { LineOptions } from "../open/line-options.ts";
import { checkOutput } from "../open/lines.ts";
import { heldLine, lineClaim, lineFolders, lineOptions, verifyLine } from "./line-setting.ts";

/** ms: up to ten minutes. */
const strokeTime = () => integer({ minimum: 100, maximum: 600_000 });

/** ms: up to a minute. */
const shortTime = (minimum: number) => integer({ minimum, maximum: 60_000 });

/** A line, or another noun with two values. */
const outputKeys = () => ({ ...lineOptions(), noun: optional(nonEmptyText), key: optional(nonEmptyText) });

const output = () => record(outputKeys());

const percent = { type: "integer", minimum: 0, maximum: 100, optional: true } as const;

type Output = RecordOf<ReturnType<typeof outputKeys>>;

const names = ["open", "close", "button"] as const;

type Outputs = { readonly [name in (typeof names)[number]]?: Output };

/** @returns the outputs that are given, with their names. */
function outputsOf(options: Outputs) {
  return names.flatMap((name) => {
    const given = options[name];
    return given === undefined ? [] : [[name, given] as const];
  });
}

function isNoun(output: Output): output is Output & CoverNounOutput {
  return output.noun !== undefined;
}

/** @returns a text that is equal for equal outputs. */
function claimOf(output: Output): string {
  return isNoun(output)
    ? `the noun "${output.noun.toLowerCase()}"${output.key === undefined ? "" : ` with "${output.key}"`}`
    : lineClaim(output);
}

type RefuseOutput = (keys: readonly [keyof Output], sentence: string) => void;

function verifyOutput(output: Output, refuse: RefuseOutput): void {
  if (!isNoun(output)) {
    if (output.key !== undefined) refuse(["key"], 'expected nothing without "noun", whose key it is');
    verifyLine(output, refuse);
    return;
  }
  for (const name of ["chip", "offset", "line"] as const) {
    if (output[name] !== undefined) refuse([name], 'expected nothing together with "noun", which is the output');
  }
  if (output.bias !== "as-is") refuse(["bias"], 'expected nothing together with "noun", which is the output');
}

/** The options that differ between two outputs and one button. */
interface Forms extends Outputs {
  readonly pulse?: number;
  readonly tiltTime?: number;
  readonly stopAt?: object;
  readonly default?: State;
}

function verifyForm(options: Forms, refuse: (keys: readonly [string, ...string[]], sentence: string) => void): void {
  const { open, close, button, pulse, tiltTime, stopAt, default: home } = options;
  if (button !== undefined) {
    for (const name of ["open", "close"] as const) {
      if (options[name] !== undefined) refuse([name], 'expected nothing together with "button", which does both');
    }
    if (stopAt === undefined || Object.keys(stopAt).length === 0) {
      refuse(["stopAt"], 'expected an end switch together with "button", found none: nobody knows which way it moves');
    }
  } else {
    if (open === undefined) refuse(["open"], 'expected the output that opens, or a "button", found nothing');
    if (close === undefined) refuse(["close"], "expected the output that closes, found nothing");
    if (pulse !== undefined) refuse(["pulse"], 'expected nothing without "button": an output stays active');
  }
  if (home === undefined) return;
  verifyDefault(() => checkState({ position: percent, tilt: percent }, home), "the noun", refuse);
  if (Object.keys(home).length === 0) refuse(["default"], 'expected "position" or "tilt", found neither');
  if (home["tilt"] !== undefined && tiltTime === undefined) {
    refuse(["default", "tilt"], 'expected nothing without "tiltTime", because the cover has no slats');
  }
}

export const coverKind = () =>
  nounKind({
    // It keeps its position, and moves only when somebody asks.
    beginsAtDefault: true,
    options: {
      open: optional(output),
      close: optional(output),
      button: optional(output),
      openTime: strokeTime(),
      closeTime: strokeTime(),
      pause: withDefault(() => shortTime(100), 500),
      pulse: optional(() => shortTime(50)),
      startDelay: optional(() => shortTime(0)),
      tiltTime: optional(() => shortTime(100)),
      stopAt: optional(() => record({ open: optional(guardConditions), close: optional(guardConditions) })),
      default: optional(state),
      boot: withDefault(() => choice("restore", "default"), "restore"),
    },
    verify(options, refuse) {
      const outputs = outputsOf(options);
      for (const [name, given] of outputs) verifyOutput(given, (keys, sentence) => refuse([name, ...keys], sentence));
      verifyForm(options, refuse as Parameters<typeof verifyForm>[1]);
      const [one, other] = outputs;
      if (one !== undefined && other !== undefined && claimOf(one[1]) === claimOf(other[1])) {
        refuse(["close"], `expected another ${isNoun(other[1]) ? "noun" : "line"} than that of "open"`);
      }
    },
    claim: (options) => outputsOf(options).map(([, given]) => claimOf(given)),
    folders: (options) => (outputsOf(options).every(([, given]) => isNoun(given)) ? [] : lineFolders),
    attempt(options, context) {
      for (const [, given] of outputsOf(options)) {
        if (!isNoun(given)) checkOutput(heldLine<LineOptions>(given, context));
      }
    },
    // The cover adds what is said of the whole to its own words for Home Assistant.
    describe(options) {
      const { homeAssistant: _, ...described } = options as NounDescription;
      return described;
    },
    keeps: ({ boot, button }) => (boot === "restore" && button === undefined ? "boot" : undefined),
    build(options, context, kept) {
      const held = outputsOf(options).map(([name, given]) => [name, isNoun(given) ? given : heldLine(given, context)]);
      return coverNounKeptAs(context, { ...options, ...Object.fromEntries(held), ...kept });
    },
  });
