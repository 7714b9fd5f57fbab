import { expect, test } from "vitest";
import { Fields } from "../../../ts/http/fields.ts";

test("a field is found by its lower-case name, whatever its case on the wire", () => {
  expect(new Fields(["HOST: a", "X-b: c"]).all("host")).toEqual(["a"]);
});

test("a field that is not there has no values", () => {
  const fields = new Fields(["Host: a"]);
  expect(fields.all("expect")).toEqual([]);
  expect(fields.elements("expect")).toEqual([]);
  expect(fields.all("constructor")).toEqual([]);
});

test("the values of several lines are kept apart, in order", () => {
  expect(new Fields(["A: 1", "B: 2", "a: 3"]).all("a")).toEqual(["1", "3"]);
});

test("spaces and tabs around a value are taken away, and nothing else is", () => {
  expect(new Fields(["A: \t b \t c\t "]).all("a")).toEqual(["b \t c"]);
  expect(new Fields(["A:\xa0b\xa0"]).all("a")).toEqual(["\xa0b\xa0"]);
  expect(new Fields(["A: \t "]).all("a")).toEqual([""]);
});

test("a value may hold colons", () => {
  expect(new Fields(["Host: [::1]:80"]).all("host")).toEqual(["[::1]:80"]);
});

test("the elements of a list are in lower case, over all its lines, without the empty ones", () => {
  expect(new Fields(["Connection: Close,, \tKeep-Alive ,", "connection: X"]).elements("connection")).toEqual([
    "close",
    "keep-alive",
    "x",
  ]);
});

test("white space within a value costs no more than the value is long", () => {
  // Quadratic time would be minutes.
  const value = `a${" ".repeat(1_000_000)}b`;
  expect(new Fields([`A: ${value} `]).all("a")).toEqual([value]);
});
