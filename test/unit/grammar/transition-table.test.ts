import fc from "fast-check";
import { expect, test } from "vitest";
import {
  firstState,
  follow,
  notAscii,
  spelled,
  stateNumbers,
  type Transition,
  tokens,
  transitionTable,
} from "../../../ts/core/grammar/transition-table.ts";

const pairs = transitionTable([
  ["start", ["az"], "key", "begin"],
  ["key", ["az", notAscii], "key"],
  ["key", ["="], "before value", "end"],
  ["before value", ["09"], "value", "begin"],
  ["before value", [";"], "accepted", "empty"],
  ["value", ["09"], "value"],
  ["value", [","], "start", "end"],
  ["value", [";"], "accepted", "end"],
]);

test.each<[string, string[] | undefined]>([
  ["a=1;", ["a", "1"]],
  ["ab=12,c=3;", ["ab", "12", "c", "3"]],
  ["a=;", ["a", ""]],
  ["a€\xe9=1;", ["a€\xe9", "1"]],
  ["", undefined],
  ["a=1", undefined],
  ["a=1;;", undefined],
  ["A=1;", undefined],
  ["€=1;", undefined],
])("the tokens of %j are %j", (text, expected) => {
  expect(tokens(text, pairs)).toEqual(expected);
});

test("a table of pairs accepts what a pattern of them does", () => {
  const pattern = /^(?:[a-z][a-z\x80-\uffff]*=[0-9]+,)*[a-z][a-z\x80-\uffff]*=(?:[0-9]*);$/;
  const text = fc.array(fc.constantFrom("a", "z", "=", "0", "9", ",", ";", "a=1,", "\x80", "€", "\x7f"), {
    maxLength: 9,
  });
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join("");
      expect(tokens(whole, pairs) !== undefined).toBe(pattern.test(whole));
    }),
    { numRuns: 5000 },
  );
});

test("a later rule overrides an earlier one", () => {
  const table = transitionTable([
    ["start", ["az"], "more"],
    ["start", ["b"], "accepted"],
    ["more", ["-"], "more"],
  ]);
  expect(["a", "b", "c"].map((text) => tokens(text, table))).toEqual([undefined, [], undefined]);
});

test("a word is spelled in one way only", () => {
  const table = transitionTable(spelled("start", "true", "accepted"));
  expect(["true", "tru", "truee", "True", ""].map((text) => tokens(text, table) !== undefined)).toEqual([
    true,
    ...[false, false, false, false],
  ]);
});

test("a table has no more states than fit, and none without a rule", () => {
  expect(() => transitionTable(spelled("start", "x".repeat(62), "accepted"))).not.toThrow();
  expect(() => transitionTable(spelled("start", "x".repeat(63), "accepted"))).toThrow(RangeError);
  expect(() => transitionTable([["start", ["a"], "nowhere"]])).toThrow(RangeError);
});

test("a text is followed to the first character that is refused, and on from there as if it had come at once", () => {
  const transitions: readonly Transition[] = [
    ["start", ["az"], "word"],
    ["word", ["az", notAscii], "word"],
    ["word", ["="], "value"],
    ["value", ["09"], "value"],
  ];
  const table = transitionTable(transitions);
  const names = Array.from(stateNumbers(transitions), ([state, number]) => [number, state] as const);
  const stateAfter = (text: string) => {
    const [characters, state] = follow(text, table, firstState);
    return [characters, new Map(names).get(state)];
  };
  expect(["", "a", "aé", "a=", "a=1", "a=x1", "="].map(stateAfter)).toEqual([
    [0, "start"],
    [1, "word"],
    [2, "word"],
    [2, "value"],
    [3, "value"],
    [2, "value"],
    [0, "start"],
  ]);
  const [characters, state] = follow("ab", table, firstState);
  expect(follow("c=12", table, state)).toEqual([4, follow("abc=12", table, firstState)[1]]);
  expect(characters).toBe(2);
});
