/** Keys with two values: off and on. */
import type { Key } from "../../noun/shape.ts";
import type { Scalar } from "../../noun/state.ts";

/** @returns the values off and on; undefined for a key that has others. */
export function twoValues(key: Key): readonly [Scalar, Scalar] | undefined {
  if (key.type === "boolean") return [false, true];
  if (key.type !== "choice" || key.values.length !== 2) return undefined;
  const pairs = [
    [0, 1],
    [false, true],
  ] as const;
  return pairs.find((pair) => pair.every((value) => key.values.includes(value)));
}
