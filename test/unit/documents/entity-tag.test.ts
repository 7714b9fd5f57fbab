import fc from "fast-check";
import { expect, test } from "vitest";
import { namesTag } from "../../../ts/parts/documents/entity-tag.ts";

const opaque = fc.string({ unit: fc.constantFrom(..."ab,*W/\\~!") });

test("a list that holds the tag names it, strong or weak, however it is spaced", () => {
  const list = fc.array(fc.tuple(fc.boolean(), opaque), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(list, fc.nat(), fc.constantFrom(",", ", ", " , ,"), (tags, place, comma) => {
      const condition = tags.map(([isWeak, text]) => `${isWeak ? "W/" : ""}"${text}"`).join(comma);
      const [, text] = tags[place % tags.length] as [boolean, string];
      expect(namesTag(condition, `"${text}"`, "weak")).toBe(true);
      expect(namesTag(condition, '"none of them"', "weak")).toBe(false);
    }),
  );
});

test.each([
  ["*", true],
  [" * ", true],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b"', false],
  ["a", false],
  ['"a', false],
  ["", false],
  ['"*"', false],
  ['"b,"a""', false],
  ['w/"a"', false],
  ['"b", w/"a"', false],
  ['"b" "a"', false],
  ['W/ "a"', false],
])("%j names the tag a: %s", (condition, names) => {
  expect(namesTag(condition, '"a"', "weak")).toBe(names);
});

test("a weak tag is named by If-None-Match, and never by If-Match (RFC 9110, 13.1.1)", () => {
  expect(namesTag('W/"a"', '"a"', "weak")).toBe(true);
  expect(namesTag('W/"a"', '"a"', "strong")).toBe(false);
  expect(namesTag('W/"a", "a"', '"a"', "strong")).toBe(true);
});
