import { expect, test } from "vitest";
import { isKnownMethod } from "../../../ts/http/method.ts";

test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"])("%s is known", (method) => {
  expect(isKnownMethod(method)).toBe(true);
});

test.each(["", "get", "Get", "GETS", "PROPFIND", "constructor"])("%j is not known", (method) => {
  expect(isKnownMethod(method)).toBe(false);
});
