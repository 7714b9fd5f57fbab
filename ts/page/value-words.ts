/** The words of a value: its own label, that of its device class, or Yes and No, On and Off. */

import { classWords, say } from "./say.ts";
import { type Scalar, textOf } from "./scalar.ts";
import type { Key } from "./thing.ts";

/** @returns the label of a value; undefined if it has none. */
export function labelOf({ labels }: Key, value: Scalar): string | undefined {
  return textOf(labels, String(value));
}

/** @returns one of two values as a word. */
export function switchText(key: Key, value: Scalar): string {
  const { deviceClass = "", values, readOnly, name } = key;
  const label = labelOf(key, value);
  if (label !== undefined) return label;
  if (typeof value === "string") return value;
  // "On" and "Off" answer the question that a key of the name `on` asks, also if nobody may set it.
  const usual = say(readOnly && name !== "on" ? "noYes" : "offOn");
  return (classWords(deviceClass) ?? usual.split("|"))[value === values[1] ? 1 : 0] ?? "";
}
