import { expect, test } from "vitest";
import { refuseMethod } from "../../../ts/core/http/method.ts";

function statusFor(method: string): number {
  return refuseMethod({ method, chunked: false, contentLength: 0 }, "Allow: GET\r\n").status;
}

test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"])(
  "%s is refused with 405, as HTTP has it",
  (method) => {
    expect(statusFor(method)).toBe(405);
  },
);

test.each(["", "get", "Get", "GETS", "PROPFIND", "constructor"])(
  "%j is refused with 501, as HTTP does not have it",
  (method) => {
    expect(statusFor(method)).toBe(501);
  },
);
