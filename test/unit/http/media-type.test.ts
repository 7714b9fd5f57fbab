import { describe, expect, test } from "vitest";
import { isJson } from "../../../ts/core/http/media-type.ts";

test.each([
  "application/json",
  "Application/JSON",
  "application/json;charset=utf-8",
  "application/json; charset=UTF-8",
  'application/json ;\tCHARSET="utf-8"',
  'application/json; charset="u\\t\\f-8"',
  'application/json; charset="\\U\\T\\F\\-\\8"',
  "application/json;",
  "application/json ; ; charset=utf-8 ;",
  "application/json; charset=utf-8; charset=utf-8",
])("%j is JSON", (contentType) => {
  expect(isJson(contentType)).toBe(true);
});

describe("is not JSON:", () => {
  test.each([
    "",
    "application/jsonp",
    "application/json-patch+json",
    "application/problem+json",
    "text/json",
    " application/json",
    "application / json",
    "application/json charset=utf-8",
    "application/json; charset=latin1",
    "application/json; charset=utf-16",
    "application/json; charset = utf-8",
    "application/json; charset='utf-8'",
    'application/json; charset="utf-8',
    'application/json; charset="utf-8\\"',
    'application/json; charset="utf-\\\\8"',
    "application/json; charset=utf\\-8",
    "application/json; charset=utf-8x",
    "application/json; charset=utf-8 charset=utf-8",
    "application/json; version=1",
    "application/json, application/json",
    "application/json;charset=utf-8\xa0",
  ])("%j", (contentType) => {
    expect(isJson(contentType)).toBe(false);
  });
});

test("a long value is refused in a time that grows with its length alone", () => {
  // A pattern with two ways to read each space would need longer than the universe has had.
  expect(isJson(`application/json${"; ".repeat(1000)}x`)).toBe(false);
  expect(isJson(`application/json${" ;".repeat(1000)}x`)).toBe(false);
  expect(isJson(`application/json${";\t \t".repeat(1000)}`)).toBe(true);
});
