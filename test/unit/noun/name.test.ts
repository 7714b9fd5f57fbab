import { expect, test } from "vitest";
import { parseNounName } from "../../../ts/core/noun/name.ts";

test.each([
  ["led", "led"],
  ["LED", "led"],
  ["a.b_c~d-9", "a.b_c~d-9"],
  ["N".repeat(64), "n".repeat(64)],
])("%s is the name %s", (text, name) => {
  expect(parseNounName(text)).toBe(name);
});

test.each(["", "n".repeat(65), "a b", "a/b", "a%b", "a\n", "\nled", "é", "\u212a", "\u0130", 7, null, undefined])(
  "%j is no name",
  (text) => {
    expect(() => parseNounName(text as string)).toThrow(TypeError);
  },
);
