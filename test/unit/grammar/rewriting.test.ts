import fc from "fast-check";
import { expect, test } from "vitest";
import { hexadecimal, rewrite, rewriting, tableEffect } from "../../../ts/core/grammar/rewriting.ts";
import { firstState, notAscii } from "../../../ts/core/grammar/transition-table.ts";

const { drop, digit, unit, counted } = tableEffect;

/** Percent-encoded characters, `+` for a space, and netstrings of a hexadecimal digit: `<3abc>`. */
const { table, effects, states } = rewriting([
  ["start", ["az", notAscii], "start"],
  ["start", ["+"], "start", 0x20],
  ["start", ["%"], "encoded", drop],
  ["encoded", hexadecimal, "second digit", digit],
  ["second digit", hexadecimal, "start", unit],
  ["start", ["<"], "size", drop],
  ["size", hexadecimal, "data", digit],
  ["data", ["\0\x7f", notAscii], "behind data", counted],
  ["behind data", [">"], "start", drop],
]);

function rewritten(
  text: string,
): readonly [written: string, characters: number, state: string | undefined, number: number] {
  const [written, characters, state, number] = rewrite(text, table, effects, firstState, 0);
  return [written, characters, states[state], number];
}

test.each<[string, ReturnType<typeof rewritten>]>([
  ["", ["", 0, "start", 0]],
  ["abc", ["abc", 3, "start", 0]],
  ["a+b", ["a b", 3, "start", 0]],
  ["%41b%e9", ["Ab\xe9", 7, "start", 0]],
  ["é%C3€", ["é\xc3€", 5, "start", 0]],
  ["a%4", ["a", 3, "second digit", 4]],
  ["a%4g", ["a", 3, "second digit", 4]],
  ["aBc", ["a", 1, "start", 0]],
  ["<3a<>>b", ["a<>b", 7, "start", 0]],
  ["<3é😀€>", ["é😀€", 6, "start", 0]],
  ["<fab", ["ab", 4, "data", 13]],
  ["<1ab", ["a", 3, "behind data", 0]],
])("%j becomes %j", (text, expected) => {
  expect(rewritten(text)).toEqual(expected);
});

test("a text that comes in pieces becomes what it becomes as a whole", () => {
  const parts = fc.array(fc.constantFrom("a", "é", "€", "+", "%41", "%e9", "<2<>>", "<aabcdefghij>", "%", "<", "A"));
  fc.assert(
    fc.property(parts, fc.nat(), (all, where) => {
      const text = all.join("");
      const cut = where % (text.length + 1);
      const [first, before, state, number] = rewrite(text.slice(0, cut), table, effects, firstState, 0);
      const [second, behind, ...place] = rewrite(text.slice(before), table, effects, state, number);
      const whole = rewrite(text, table, effects, firstState, 0);
      expect([first + second, before + behind, ...place]).toEqual(whole);
    }),
  );
});
