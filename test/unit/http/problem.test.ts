import { expect, test } from "vitest";
import { writeProblem } from "../../../ts/http/problem.ts";

test("a problem document is flat and holds status, title and detail", () => {
  expect(writeProblem(404, "It is missing.")).toBe('{"status":404,"title":"Not Found","detail":"It is missing."}');
});

test("a detail may hold any text", () => {
  const detail = '"\\\r\n\0\ud800 é\u2028';
  const document = writeProblem(422, detail);
  expect(JSON.parse(document)).toEqual({ status: 422, title: "Unprocessable Content", detail });
  expect(document.isWellFormed()).toBe(true);
});
