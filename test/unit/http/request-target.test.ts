import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import { decodeUnreserved, targetPath } from "../../../ts/core/http/request-target.ts";

const targets = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(fc.constantFrom("http://", "/", "a", "%6c", "%", "?", "#", "@", ":", "80", "[", "]", "::1", "*", ",", " "), {
      maxLength: 10,
    })
    .map((parts) => parts.join("")),
);

test("nothing but an HttpError is thrown, and nothing but a path comes out", () => {
  fc.assert(
    fc.property(targets, (target) => {
      try {
        expect(targetPath(target)).toMatch(/^\/[!$-.0-9:;=@A-Z_a-z~/%&]*$/);
      } catch (error) {
        expect(error).toBeInstanceOf(HttpError);
      }
    }),
    { numRuns: 1000 },
  );
});

describe("decoding", () => {
  test.each([
    ["led", "led"],
    ["%6ced", "led"],
    ["%6C%45%64", "lEd"],
    ["%2d%2E%5f%7E%30", "-._~0"],
    ["%2f", "%2f"],
    ["%00", "%00"],
    ["%25", "%25"],
    ["%256c", "%256c"],
    ["%e2%84%aa", "%e2%84%aa"],
    ["%", "%"],
    ["%6", "%6"],
    ["%zz", "%zz"],
    ["%%6c", "%l"],
  ])("makes %s into %s", (segment, decoded) => {
    expect(decodeUnreserved(segment)).toBe(decoded);
  });

  test("undoes the encoding of any unreserved character", () => {
    const unreserved = "ABCXYZabcxyz0189-._~";
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...unreserved), fc.boolean())), (characters) => {
        const encoded = characters.map(([character, encode]) =>
          encode ? `%${character.charCodeAt(0).toString(16)}` : character,
        );
        expect(decodeUnreserved(encoded.join(""))).toBe(characters.map(([character]) => character).join(""));
      }),
    );
  });
});
