import { expect, test } from "vitest";
import { bearerChallenge, bearerToken, isBearerToken } from "../../../ts/http/bearer.ts";

test.each([
  ["Bearer mF_9.B5f-4.1JqM", "mF_9.B5f-4.1JqM"],
  ["bearer   a~+/==", "a~+/=="],
  ["BEARER a", "a"],
  ["Bearer", ""],
  ["Bearer ", ""],
  ["Bearer a b", ""],
  ["Bearer a,b", ""],
  ["Bearer =", ""],
  ["Bearer a\xe4", ""],
  ["Bearer\ta", undefined],
  ["Bearera", undefined],
  ["Basic YTpi", undefined],
  ["", undefined],
])("%j holds the token %j", (field, token) => {
  expect(bearerToken(field)).toBe(token);
});

test("a token is what can be sent as one", () => {
  expect(isBearerToken("a1-._~+/==")).toBe(true);
  for (const text of ["", " ", "a b", "a\n", "=a", "ä"]) expect(isBearerToken(text)).toBe(false);
});

test("the challenge says what was wrong with a token only where there was one", () => {
  expect(bearerChallenge()).toBe('WWW-Authenticate: Bearer realm="nound"\r\n');
  expect(bearerChallenge("invalid_token")).toBe('WWW-Authenticate: Bearer realm="nound", error="invalid_token"\r\n');
});
