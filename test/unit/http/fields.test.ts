import { expect, test } from "vitest";
import { Fields, nameThatMatters } from "../../../ts/core/http/fields.ts";
import { fieldsOf } from "./field-lines.ts";

test("a field is found by its lower-case name, whatever its case on the wire", () => {
  expect(fieldsOf(["HOST: a", "X-b: c"]).values["host"]).toBe("a");
});

test("a field that is not there has no values", () => {
  const fields = fieldsOf(["Host: a"]);
  expect(fields.values["expect"]).toBeUndefined();
  expect(fields.count("expect")).toBe(0);
  expect(fields.elements("expect")).toEqual([]);
  expect(fields.values["constructor"]).toBeUndefined();
});

test("several lines of a name are counted, and their values joined in order", () => {
  const fields = fieldsOf(["Expect: 1", "B: 2", "expect: 3"]);
  expect(fields.count("expect")).toBe(2);
  expect(fields.values["expect"]).toBe("1,3");
});

test("spaces and tabs around a value are taken away, and nothing else is", () => {
  expect(fieldsOf(["Host: \t b \t c\t "]).values["host"]).toBe("b \t c");
  expect(fieldsOf(["Host:\xa0b\xa0"]).values["host"]).toBe("\xa0b\xa0");
  expect(fieldsOf(["Host: \t "]).values["host"]).toBe("");
});

test("a value may hold colons", () => {
  expect(fieldsOf(["Host: [::1]:80"]).values["host"]).toBe("[::1]:80");
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
  expect(fieldsOf([`Host: ${value} `]).values["host"]).toBe(value);
});

test("a field that no part of the server looks at is ignored", () => {
  expect(Object.keys(fieldsOf(["User-Agent: x", "__proto__: x"]).values)).toEqual([]);
});

test("more lines than there may be are refused, those that do not matter among them", () => {
  const tokens = ["Host", "a", "", "", "Accept", "", "Cookie", "b"];
  expect(Fields.read(tokens, 0, 5)?.values).toEqual({ host: "a", accept: "" });
  expect(Fields.read(tokens, 0, 4)).toBeUndefined();
});

test("a name matters in any case, however many others came before", () => {
  for (let index = 0; index < 1000; index++) expect(nameThatMatters(`X-${index}`)).toBe("");
  for (const sent of ["Host", "HOST", "host", "hOST"]) expect(nameThatMatters(sent)).toBe("host");
  expect(["Cookie", "Hos", "Hostt", "", "constructor", "__proto__"].map(nameThatMatters)).toEqual([
    "",
    "",
    "",
    "",
    "",
    "",
  ]);
});
