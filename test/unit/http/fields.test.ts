import fc from "fast-check";
import { expect, test } from "vitest";
import { isFieldText, takeApart } from "../../../ts/http/fields.ts";
import { fieldsOf, parseField } from "./field-lines.ts";

test("a field is found by its lower-case name, whatever its case on the wire", () => {
  expect(fieldsOf(["HOST: a", "X-b: c"]).value("host")).toBe("a");
});

test("a field that is not there has no values", () => {
  const fields = fieldsOf(["Host: a"]);
  expect(fields.value("expect")).toBeUndefined();
  expect(fields.count("expect")).toBe(0);
  expect(fields.elements("expect")).toEqual([]);
  expect(fields.value("constructor")).toBeUndefined();
});

test("several lines of a name are counted, and their values joined in order", () => {
  const fields = fieldsOf(["Expect: 1", "B: 2", "expect: 3"]);
  expect(fields.count("expect")).toBe(2);
  expect(fields.value("expect")).toBe("1,3");
});

test("spaces and tabs around a value are taken away, and nothing else is", () => {
  expect(fieldsOf(["Host: \t b \t c\t "]).value("host")).toBe("b \t c");
  expect(fieldsOf(["Host:\xa0b\xa0"]).value("host")).toBe("\xa0b\xa0");
  expect(fieldsOf(["Host: \t "]).value("host")).toBe("");
});

test("a value may hold colons", () => {
  expect(fieldsOf(["Host: [::1]:80"]).value("host")).toBe("[::1]:80");
});

test("the elements of a list are in lower case, over all its lines, without the empty ones", () => {
  expect(fieldsOf(["Connection: Close,, \tKeep-Alive ,", "connection: X"]).elements("connection")).toEqual([
    "close",
    "keep-alive",
    "x",
  ]);
});

test("white space within a value costs no more than the value is long", () => {
  // Quadratic time would be minutes.
  const value = `a${" ".repeat(1_000_000)}b`;
  expect(fieldsOf([`Host: ${value} `]).value("host")).toBe(value);
});

test("a field that no part of the server looks at is checked and ignored", () => {
  expect(parseField("User-Agent: x")).toEqual({ name: "user-agent", value: "", matters: false, secret: false });
  expect(fieldsOf(["User-Agent: x"]).value("user-agent")).toBeUndefined();
});

test.each([
  [": a"],
  ["a"],
  ["a b: c"],
  ["a : b"],
  [" a: b"],
  ["a: \x00"],
  ["a: \r"],
  ["a: \n"],
  ["a: \x7f"],
  ["\xe4: b"],
  [""],
])("%j is no field line", (line) => {
  expect(parseField(line)).toBeUndefined();
});

test("a text can stand in a field line unless a control character other than a tab is in it, whatever its length", () => {
  const character = fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom("a", " ", "~", "\t", "\x80", "\xff") },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) },
  );
  const length = fc.oneof(fc.nat(40), fc.integer({ min: 1020, max: 1030 }));
  const text = length.chain((size) => fc.array(character, { minLength: size, maxLength: size }));
  fc.assert(
    fc.property(text, (characters) => {
      expect(isFieldText(characters.join(""))).toBe(characters.every((one) => !/[\0-\x08\x0a-\x1f\x7f]/.test(one)));
    }),
  );
});

test("names are remembered as they were sent, none that matters, and not without end", () => {
  const names = new Map();
  for (const name of ["Cookie", "cookie", "Host", "Authorization", "x".repeat(65), "a b", "__proto__"]) {
    takeApart(`${name}: x`, names);
  }
  expect([...names.keys()]).toEqual(["Cookie", "cookie", "__proto__"]);
  expect(takeApart("Cookie: y", names)).toBe(takeApart("Cookie: z", names));
  for (let index = 0; index < 1000; index++) {
    takeApart(`X-${index}: x`, names);
    expect(names.size).toBeLessThanOrEqual(64);
  }
});
