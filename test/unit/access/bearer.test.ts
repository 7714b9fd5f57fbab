import { expect, test } from "vitest";
import { bearerChallenge, bearerToken } from "../../../ts/core/access/bearer.ts";

test.each([
  ["Bearer mF_9.B5f-4.1JqM", "mF_9.B5f-4.1JqM"],
  ["bearer   a~+/==", "a~+/=="],
  ["BEARER a", "a"],
  ["Bearer", ""],
  ["Bearer ", ""],
  ["Bearer a b", "a b"],
  ["Bearer a,b", "a,b"],
  ["Bearer   =", "="],
  ["Bearer a\xe4", "a\xe4"],
  ["Bearer\ta", undefined],
  ["Bearera", undefined],
  ["Basic YTpi", undefined],
  ["", undefined],
])("%j has %j where a token belongs", (field, token) => {
  expect(bearerToken(field)).toBe(token);
});

test("the challenge says what was wrong with a token only where there was one", () => {
  expect(bearerChallenge()).toBe('WWW-Authenticate: Bearer realm="nound"\r\n');
  expect(bearerChallenge("invalid_token")).toBe('WWW-Authenticate: Bearer realm="nound", error="invalid_token"\r\n');
});
