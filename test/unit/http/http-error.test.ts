import { expect, test } from "vitest";
import { HttpError } from "../../../ts/core/http/http-error.ts";

test("a refusal carries its status, its detail and whether the connection ends", () => {
  const closing = HttpError.closing(414, "The request target is too long.");
  expect(closing).toBeInstanceOf(Error);
  expect(closing).toMatchObject({
    name: "HttpError",
    status: 414,
    close: true,
    message: "The request target is too long.",
  });
  expect(HttpError.keeping(404, "It is missing.")).toMatchObject({ status: 404, close: false, fields: "" });
  expect(HttpError.keeping(401, "No.", "A: b\r\n").fields).toBe("A: b\r\n");
});
