import { expect, test } from "vitest";
import type { Json } from "../../../ts/settings/json.ts";
import { listOf, mapOf, oneOrMore, optional, record, variant, withDefault } from "../../../ts/settings/record.ts";
import {
  boolean,
  ConfigurationError,
  choice,
  integer,
  nonEmptyText,
  number,
  type Setting,
  scalar,
  state,
  text,
} from "../../../ts/settings/setting.ts";

test.each<[string, Setting<unknown>, Json]>([
  ["a whole number at its lower bound", integer({ minimum: 1, maximum: 3 }), 1],
  ["a whole number at its upper bound", integer({ minimum: 1, maximum: 3 }), 3],
  ["any whole number", integer(), -7],
  ["a number", number({ maximum: 1 }), 0.5],
  ["a boolean", boolean(), false],
  ["an empty string", text(), ""],
  ["a string that is not empty", nonEmptyText(), "a"],
  ["a choice", choice(1, "1", null), null],
  ["a scalar", scalar(), null],
  ["a state", state(), { a: 1, b: "", c: null, d: true }],
  ["an empty state", state(), {}],
  ["a list", listOf(integer()), [1, 2]],
])("reads %s as it is", (_what, setting, value) => {
  expect(setting.read(value, "$")).toEqual(value);
});

test.each<[Setting<unknown>, Json, string]>([
  [integer({ minimum: 1, maximum: 3 }), 4, "$: expected a whole number from 1 to 3, found 4"],
  [integer({ minimum: 1, maximum: 3 }), 0, "$: expected a whole number from 1 to 3, found 0"],
  [integer({ minimum: 1 }), 1.5, "$: expected a whole number of at least 1, found 1.5"],
  [integer({ maximum: 1 }), "1", '$: expected a whole number of at most 1, found "1"'],
  [integer(), 2 ** 53, "$: expected a whole number, found 9007199254740992"],
  [number(), true, "$: expected a number, found true"],
  [number({ minimum: 0 }), -0.1, "$: expected a number of at least 0, found -0.1"],
  [boolean(), 1, "$: expected true or false, found 1"],
  [text(), null, "$: expected a string, found null"],
  [nonEmptyText(), "", '$: expected a string that is not empty, found ""'],
  [choice("in", "out"), "inn", '$: expected one of "in", "out", found "inn"; did you mean "in"?'],
  [choice(true), false, "$: expected true, found false"],
  [choice(1), "1", '$: expected 1, found "1"'],
  [scalar(), [], "$: expected a string, a number, true, false or null, found an empty list"],
  [scalar(), [1], "$: expected a string, a number, true, false or null, found a list"],
  [scalar(), {}, "$: expected a string, a number, true, false or null, found an object"],
  [state(), 1, "$: expected an object of strings, numbers, true, false and null, found 1"],
  [state(), [], "$: expected an object of strings, numbers, true, false and null, found an empty list"],
  [state(), { "a b": [1] }, '$["a b"]: expected a string, a number, true, false or null, found a list'],
  [listOf(text()), [], "$: expected a list that is not empty, found an empty list"],
  [listOf(text()), "a", '$: expected a list that is not empty, found "a"'],
  [listOf(text()), ["a", 1], "$[1]: expected a string, found 1"],
  [oneOrMore(text()), 1, "$: expected a string, found 1"],
  [oneOrMore(text()), [], "$: expected a list that is not empty, found an empty list"],
  [text(), 1, "$: expected a string, found 1"],
  [integer(), "x".repeat(50), `$: expected a whole number, found "${"x".repeat(40)}..."`],
  [integer(), "a\n\u0085", '$: expected a whole number, found "a\\n\\u0085"'],
])("refuses what it does not expect (%#)", (setting, value, message) => {
  expect(() => setting.read(value, "$")).toThrow(ConfigurationError);
  expect(() => setting.read(value, "$")).toThrow(expect.objectContaining({ message }));
});

const lamp = record({ key: nonEmptyText(), level: withDefault(integer, 100), note: optional(text) });

test("a record fills in defaults and leaves out optional keys that are not given", () => {
  expect(lamp.read({ key: "a" }, "$")).toEqual({ key: "a", level: 100 });
  expect(Object.keys(lamp.read({ key: "a" }, "$"))).toEqual(["key", "level"]);
  expect(lamp.read({ key: "a", level: 1, note: "n" }, "$")).toEqual({ key: "a", level: 1, note: "n" });
});

test("a record's type is that of its settings", () => {
  const read = lamp.read({ key: "a" }, "$");
  const typed: { readonly key: string; readonly level: number; readonly note?: string } = read;
  expect(typed).toBe(read);
  // @ts-expect-error an optional key may be missing
  const note: string = read.note;
  expect(note).toBeUndefined();
});

test("a record takes a comment and does not read it", () => {
  expect(lamp.read({ $comment: "the one in the hall", key: "a" }, "$")).toEqual({ key: "a", level: 100 });
  expect(() => lamp.read({ $comment: 1, key: "a" }, "$")).toThrow("$.$comment: expected a string, found 1");
});

test.each<[Json, string]>([
  [[], "$.lamp: expected an object, found an empty list"],
  [null, "$.lamp: expected an object, found null"],
  [{}, "$.lamp.key: expected a string that is not empty, found nothing"],
  [{ key: "a", lvl: 1 }, '$.lamp.lvl: unknown key; the keys known here are "key", "level", "note"'],
  [{ key: "a", toString: 1 }, '$.lamp.toString: unknown key; the keys known here are "key", "level", "note"'],
  [{ key: "a", level: null }, "$.lamp.level: expected a whole number, found null"],
  [{ key: "a", note: 1 }, "$.lamp.note: expected a string, found 1"],
])("a record refuses %j", (value, message) => {
  expect(() => lamp.read(value, "$.lamp")).toThrow(expect.objectContaining({ message }));
});

test("a variant is read by the kind its tag names", () => {
  const pet = variant<object>("kind", {
    cat: () => record({ kind: text(), lives: integer() }),
    dog: () => record({ kind: text() }),
  });
  expect(pet.read({ kind: "cat", lives: 9 }, "$")).toEqual({ kind: "cat", lives: 9 });
  expect(() => pet.read({ kind: "cat" }, "$")).toThrow("$.lives: expected a whole number, found nothing");
  expect(() => pet.read({ kind: "cow" }, "$")).toThrow('$.kind: expected one of "cat", "dog", found "cow"');
  expect(() => pet.read({ kind: "toString" }, "$")).toThrow('$.kind: expected one of "cat", "dog", found "toString"');
  expect(() => pet.read({}, "$")).toThrow('$.kind: expected one of "cat", "dog", found nothing');
  expect(() => pet.read("cat", "$")).toThrow('$: expected an object with the key "kind", found "cat"');
});

test("a map keeps its keys in order and takes a comment", () => {
  const map = mapOf(integer());
  expect(map.read({ b: 1, $comment: "x", a: 2 }, "$")).toEqual([
    ["b", 1],
    ["a", 2],
  ]);
  expect(() => map.read({ "b c": "x" }, "$")).toThrow('$["b c"]: expected a whole number, found "x"');
  expect(() => map.read(1, "$")).toThrow("$: expected an object, found 1");
});

test("one or more reads one as a list of one", () => {
  expect(oneOrMore(text()).read("a", "$")).toEqual(["a"]);
  expect(oneOrMore(text()).read(["a", "b"], "$")).toEqual(["a", "b"]);
});
