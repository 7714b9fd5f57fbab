/** The keys of a noun whose values have a history: numbers, truth values and choices. */
import type { Key, Shape } from "../../core/noun/shape.ts";
import type { Scalar } from "../../core/noun/state.ts";
import { mostChoices } from "./series.ts";

export interface RecordedKey {
  readonly name: string;
  /** The values of a choice, in the order of the declaration; undefined for a number. */
  readonly choices: readonly Scalar[] | undefined;
}

function choicesOf(key: Key): readonly Scalar[] | undefined {
  if (key.type === "boolean") return [false, true];
  return key.type === "choice" ? key.values : undefined;
}

/** @returns the keys of a shape that have a history. The age of a measurement, and what helps to find a fault, has none. */
export function recordedKeys(shape: Shape = {}): readonly RecordedKey[] {
  return Object.entries(shape).flatMap(([name, key]) => {
    const choices = choicesOf(key);
    const isRecorded = key.type !== "string" && key.timeDependent !== true && key.diagnostic !== true;
    return isRecorded && (choices?.length ?? 0) <= mostChoices ? [{ name, choices }] : [];
  });
}

/** @returns the number that stands for a value; undefined for none, such as a missing measurement. */
export function numberOf({ choices }: RecordedKey, value: unknown): number | undefined {
  if (choices === undefined) return typeof value === "number" ? value : undefined;
  const index = choices.indexOf(value as Scalar);
  return index < 0 ? undefined : index;
}

/** @returns the value as text. A number has the seven digits that single precision has. */
export function textOf({ choices }: RecordedKey, number: number): string {
  return String(choices === undefined ? Number(number.toPrecision(7)) : choices[number]);
}
