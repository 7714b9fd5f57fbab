import { expect, test } from "vitest";
import { checkPreconditions } from "../../../ts/core/http/precondition.ts";
import { fieldsOf } from "./field-lines.ts";

test.each([
  ["PUT", []],
  ["PUT", ["If-Match: *"]],
  ["PUT", ['If-None-Match: "a"']],
  ["PUT", ['If-None-Match: W/"a", "b"']],
  ["GET", ["If-None-Match: *"]],
  ["HEAD", ["If-None-Match: *"]],
  ["DELETE", ["If-Unmodified-Since: Sat, 29 Oct 1994 19:43:31 GMT"]],
  ["GET", ["If-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT", 'If-Range: "a"']],
])("%s %j may be performed", (method, lines) => {
  expect(() => checkPreconditions(method, fieldsOf(lines), "no")).not.toThrow();
});

test.each([
  ["PUT", ['If-Match: "a"']],
  ["GET", ['If-Match: "a"']],
  ["DELETE", ['If-Match: W/"a", "b"']],
  ["PUT", ["If-Match:"]],
  ["PUT", ["If-Match: *", "If-Match: *"]],
  ["PUT", ["If-None-Match: *"]],
  ["POST", ["if-none-match:*"]],
  ["DELETE", ["If-None-Match: *"]],
])("%s %j must not be performed", (method, lines) => {
  expect(() => checkPreconditions(method, fieldsOf(lines), "no")).toThrow("The precondition fails: no.");
});
