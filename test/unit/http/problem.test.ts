import { expect, test } from "vitest";
import { problemResponse } from "../../../ts/core/http/response.ts";

/** @returns the problem document of an answer. */
function documentOf(status: 404 | 422, detail: string): string {
  return problemResponse(status, detail, { close: false, headOnly: false, fields: "" }).split("\r\n\r\n")[1] ?? "";
}

test("a detail may hold any text", () => {
  const detail = '"\\\r\n\0\ud800 é\u2028';
  const document = documentOf(422, detail);
  expect(JSON.parse(document)).toEqual({ status: 422, title: "Unprocessable Content", detail });
  expect(document.isWellFormed()).toBe(true);
});
