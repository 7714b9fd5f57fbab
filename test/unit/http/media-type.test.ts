import { expect, test } from "vitest";
import { isJson } from "../../../ts/core/http/media-type.ts";

test("a long value is refused in a time that grows with its length alone", () => {
  // A pattern with two ways to read each space would need longer than the universe has had.
  expect(isJson(`application/json${"; ".repeat(1000)}x`)).toBe(false);
  expect(isJson(`application/json${" ;".repeat(1000)}x`)).toBe(false);
  expect(isJson(`application/json${";\t \t".repeat(1000)}`)).toBe(true);
});
