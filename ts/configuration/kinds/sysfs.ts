/** The kind `sysfs`: any attribute below /sys. */
import { system } from "../../application/platform.ts";
import { checkState } from "../../noun/shape.ts";
import type { Scalar } from "../../noun/state.ts";
import { StateError } from "../../noun/state-error.ts";
import { sysfsNoun } from "../../nouns/ready-made-sensors.ts";
import { type SysfsOptions, sysfsSensor } from "../../nouns/sysfs-attribute.ts";
import { nounKind } from "../noun-kind.ts";
import { listOf, optional, withDefault } from "../record.ts";
import { boolean, factor, nonEmptyText, number, pollTime, scalar } from "../setting.ts";
import { sysfsPath } from "../sysfs-path.ts";

/** Options that only a number has. */
const ofNumbers = ["scale", "offset", "unit", "minimum", "maximum"] as const;

/** @returns a sentence that says why the key cannot have this default; undefined if it can. */
function misfit(options: SysfsOptions, initial: Scalar): string | undefined {
  const { key = "value" } = options;
  try {
    checkState(sysfsSensor(options).shape, { [key]: initial });
    return initial === null ? `The value of ${JSON.stringify(key)} cannot be set to null.` : undefined;
  } catch (error) {
    if (error instanceof StateError) return error.message;
    throw error;
  }
}

export const sysfsKind = () =>
  nounKind({
    options: {
      path: sysfsPath("the path of an attribute such as /sys/class/backlight/panel/brightness"),
      key: withDefault(nonEmptyText, "value"),
      scale: optional(factor),
      offset: optional(number),
      unit: optional(nonEmptyText),
      minimum: optional(number),
      maximum: optional(number),
      values: optional(() => listOf(nonEmptyText())),
      text: withDefault(boolean, false),
      writable: withDefault(boolean, false),
      default: optional(scalar),
      mayBeAbsent: withDefault(boolean, false),
      poll: optional(pollTime),
    },
    verify(options, refuse) {
      const { values, text, minimum, maximum, writable, default: initial } = options;
      if (values !== undefined && text) refuse(["text"], 'expected nothing together with "values"');
      for (const option of ofNumbers) {
        if (options[option] === undefined || (values === undefined && !text)) continue;
        refuse([option], `expected nothing together with "${text ? "text" : "values"}", because only a number has it`);
      }
      if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
        refuse(["maximum"], `expected at least the minimum, ${minimum}, found ${maximum}`);
      }
      if (!writable) {
        if (initial !== undefined) refuse(["default"], 'expected nothing without "writable", because nothing is set');
      } else if (initial === undefined) {
        refuse(["default"], 'expected a value together with "writable", because DELETE sets it');
      } else {
        const sentence = misfit(options, initial);
        if (sentence !== undefined) refuse(["default"], `expected a state of the noun. ${sentence}`);
      }
    },
    // A noun that may be absent is in order without its attribute; the others need it at the start.
    folders: ({ path, mayBeAbsent }) => (mayBeAbsent ? [] : [path.split("/").slice(0, 4).join("/")]),
    attempt: ({ path }) => void system.readTextFile(path, 4_096),
    build: (options, { name }) => sysfsNoun({ ...options, simulatedAs: name }),
  });
