import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestWord } from "../../../ts/core/noun/nearest-word.ts";

const keys = ["listen", "limits", "access", "user", "off", "on", "key"];

test.each([
  ["lisen", "listen"],
  ["Listen", "listen"],
  ["lsiten", "listen"],
  ["acess", "access"],
  ["limit", "limits"],
  ["usr", "user"],
  ["of", "off"],
  ["lis", "listen"],
  ["li", undefined],
  ["colour", undefined],
  ["x", undefined],
  ["", undefined],
  ["l".repeat(5_000), undefined],
])("for %s a person may have meant %s", (word, meant) => {
  expect(nearestWord(word, keys)).toBe(meant);
});

test("a known word is meant, and one that lacks a character of a long one", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{6,20}$/), fc.nat(), (word, place) => {
      const index = place % word.length;
      expect(nearestWord(word, ["Z", word])).toBe(word);
      expect(nearestWord(word.slice(0, index) + word.slice(index + 1), ["Z", word])).toBe(word);
    }),
  );
});
