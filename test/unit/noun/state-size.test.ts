import fc from "fast-check";
import { expect, test } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { isUnbounded, mostStateMemory, stateSize } from "../../../ts/core/noun/state-size.ts";
import { writeState } from "../../../ts/core/noun/state-writer.ts";
import { states } from "./states.ts";

function memoryOf(state: State): number {
  const text = writeState(state);
  return stateSize(state, text, Buffer.byteLength(text)).memory;
}

test.each<[string, Shape | undefined, boolean]>([
  ["no shape", undefined, true],
  ["a text without a bound", { text: { type: "string" } }, true],
  ["a long text beside a level", { level: { type: "number" }, text: { type: "string", maximumLength: 33 } }, true],
  ["no key", {}, false],
  ["numbers without a bound", { a: { type: "number" }, b: { type: "integer", nullable: true } }, false],
  ["a choice of long texts", { text: { type: "choice", values: ["x".repeat(1_000)] } }, false],
  ["short texts", { a: { type: "boolean" }, b: { type: "string", maximumLength: 32 } }, false],
])("only the limits bound the states of %s: %o is %s", (_name, shape, expected) => {
  expect(isUnbounded(shape)).toBe(expected);
});

test("a state takes its values and its JSON, and as much for each pair as it has in other texts", () => {
  expect(memoryOf({})).toBe(4);
  expect(memoryOf({ text: "x".repeat(1_000) })).toBe(2 * 1_011 + 256);
  // One character beyond ASCII may make two bytes of each.
  for (const text of ["€".repeat(1_000), `€${"x".repeat(999)}`]) expect(memoryOf({ text })).toBe(6 * 1_011 + 256);
});

test("no state takes more than the most for its bytes and pairs", () => {
  fc.assert(
    fc.property(states, (state) => {
      const most = mostStateMemory(Buffer.byteLength(writeState(state)), Object.keys(state).length);
      expect(memoryOf(state)).toBeLessThanOrEqual(most);
    }),
  );
  expect(mostStateMemory(100, 2)).toBe(6 * 100 + 2 * 256);
});
