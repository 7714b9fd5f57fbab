/** A person must learn every word of a configuration: one that comes takes the place of another one. */
import { expect, test } from "vitest";
import { vocabulary } from "../../../tools/check/vocabulary.mjs";

test.each([
  ["names of keys", "keys", 125],
  ["kinds", "kinds", 15],
  ["limits", "limits", 6],
  ["pages for users", "pages", 14],
] as const)("the %s do not become more", (_what, name, most) => {
  expect(vocabulary()[name]).toBeLessThanOrEqual(most);
});
