import { expect, test } from "vitest";
import { parseField } from "../../../ts/http/fields.ts";
import { fieldsOf } from "./field-lines.ts";

test("a field is found by its lower-case name, whatever its case on the wire", () => {
  expect(fieldsOf(["HOST: a", "X-b: c"]).all("host")).toEqual(["a"]);
});

test("a field that is not there has no values", () => {
  const fields = fieldsOf(["Host: a"]);
  expect(fields.all("expect")).toEqual([]);
  expect(fields.elements("expect")).toEqual([]);
  expect(fields.all("constructor")).toEqual([]);
});

test("the values of several lines are kept apart, in order", () => {
  expect(fieldsOf(["Expect: 1", "B: 2", "expect: 3"]).all("expect")).toEqual(["1", "3"]);
});

test("spaces and tabs around a value are taken away, and nothing else is", () => {
  expect(fieldsOf(["Host: \t b \t c\t "]).all("host")).toEqual(["b \t c"]);
  expect(fieldsOf(["Host:\xa0b\xa0"]).all("host")).toEqual(["\xa0b\xa0"]);
  expect(fieldsOf(["Host: \t "]).all("host")).toEqual([""]);
});

test("a value may hold colons", () => {
  expect(fieldsOf(["Host: [::1]:80"]).all("host")).toEqual(["[::1]:80"]);
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
  expect(fieldsOf([`Host: ${value} `]).all("host")).toEqual([value]);
});

test("a field that no part of the server looks at is checked and passed over", () => {
  expect(parseField("User-Agent: x")).toEqual({ name: "user-agent", value: "x", matters: false });
  expect(fieldsOf(["User-Agent: x"]).all("user-agent")).toEqual([]);
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
