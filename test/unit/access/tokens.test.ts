import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNounPattern } from "../../../ts/core/access/grant.ts";
import { isOfTokenLength, type Token, Tokens } from "../../../ts/core/access/tokens.ts";

const sha256Of = (text: string) => createHash("sha256").update(text, "latin1").digest("hex");
const panel = "a".repeat(40);
const backup = "b".repeat(40);

function token(chosen: Partial<Token> = {}): Token {
  return { name: "panel", sha256: sha256Of(panel), verbs: ["GET", "PUT"], nouns: ["led"], ...chosen };
}

describe("a token", () => {
  test("is found by its text, and only by that", () => {
    const tokens = new Tokens([token(), token({ name: "backup", sha256: sha256Of(backup).toUpperCase() })]);
    expect(tokens.find(sha256Of(panel))?.name).toBe("panel");
    expect(tokens.find(sha256Of(backup))?.name).toBe("backup");
    for (const text of ["", `${panel}a`, panel.slice(1), panel.toUpperCase(), sha256Of(panel)]) {
      expect(tokens.find(sha256Of(text))).toBeUndefined();
    }
  });

  test("has 32 to 128 characters", () => {
    const lengths = [0, 31, 32, 128, 129].map((length) => isOfTokenLength("x".repeat(length)));
    expect(lengths).toEqual([false, false, true, true, false]);
  });

  test("lets do its verbs on its nouns, whatever their case in the list", () => {
    const known = new Tokens([token({ nouns: ["LED"] })]).find(sha256Of(panel));
    expect(known?.allows("GET", "led")).toBe(true);
    expect(known?.allows("PUT", "led")).toBe(true);
    expect(known?.allows("DELETE", "led")).toBe(false);
    expect(known?.allows("GET", "fan")).toBe(false);
    expect(known?.allows("GET", "led2")).toBe(false);
  });

  test("of several lines may do what each of them says, and not what they would say together", () => {
    const known = new Tokens([
      token({ verbs: ["GET"], nouns: ["*"] }),
      token({ verbs: ["PUT"], nouns: ["relay.*"] }),
    ]).find(sha256Of(panel));
    expect(known?.allows("GET", "fan")).toBe(true);
    expect(known?.allows("PUT", "relay.1")).toBe(true);
    expect(known?.allows("PUT", "relay")).toBe(false);
    expect(known?.allows("PUT", "fan")).toBe(false);
  });

  test("lets another method through to its refusal, on its nouns alone", () => {
    const known = new Tokens([token()]).find(sha256Of(panel));
    expect(known?.allows("PATCH", "led")).toBe(true);
    expect(known?.allows("PATCH", "fan")).toBe(false);
  });

  test("without verbs or nouns lets do nothing", () => {
    for (const none of [{ verbs: [] }, { nouns: [] }]) {
      expect(new Tokens([token(none)]).find(sha256Of(panel))?.allows("GET", "led")).toBe(false);
    }
  });
});

test("without tokens none is found", () => {
  expect(new Tokens([]).find(sha256Of(panel))).toBeUndefined();
});

test("a hash that differs anywhere from a token's is not the token's", () => {
  const digits = fc.tuple(fc.nat(63), fc.integer({ min: 1, max: 15 }));
  fc.assert(
    fc.property(digits, ([place, change]) => {
      const right = sha256Of(panel);
      const digit = (Number.parseInt(right.charAt(place), 16) ^ change).toString(16);
      const tokens = new Tokens([token({ sha256: right.slice(0, place) + digit + right.slice(place + 1) })]);
      expect(tokens.find(sha256Of(panel))).toBeUndefined();
    }),
  );
});

test.each([
  ["led", true],
  ["*", true],
  ["relay.*", true],
  ["a".repeat(64), true],
  [`${"a".repeat(63)}*`, true],
  ["", false],
  ["**", false],
  ["*.led", false],
  ["a*b", false],
  ["a/b", false],
  ["a".repeat(65), false],
])("the noun %j of a token is in order: %s", (text, good) => {
  expect(isNounPattern(text)).toBe(good);
});

test.each<[string, readonly Token[], string]>([
  ["a malformed name", [token({ name: "my panel" })], "A token's name has 1 to 64"],
  ["a malformed hash", [token({ sha256: "00" })], "The sha256 of the token panel must be 64 hexadecimal digits."],
  ["an unknown verb", [token({ verbs: ["PATCH" as "GET"] })], "The token panel has a verb other than"],
  ["a malformed noun", [token({ nouns: ["a b"] })], "The token panel has a noun that is neither"],
  ["one name for two hashes", [token(), token({ sha256: sha256Of(backup) })], "occurs twice with different hashes"],
  ["two names for one hash", [token(), token({ name: "backup" })], "have the same hash"],
])("%s is refused", (_what, tokens, message) => {
  expect(() => new Tokens(tokens)).toThrow(message);
});
