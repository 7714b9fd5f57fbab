import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import { decodeUnreserved, targetPath } from "../../../ts/core/http/request-target.ts";

describe("the path of", () => {
  test.each([
    ["/", "/"],
    ["/led", "/led"],
    ["/LED", "/LED"],
    ["/a/b", "/a/b"],
    ["//a", "//a"],
    ["/%6ced", "/%6ced"],
    ["/a:b@c!$&'()*+,;=", "/a:b@c!$&'()*+,;="],
    ["http://a/led", "/led"],
    ["HTTP://A:80/Led", "/Led"],
    ["http://[::1]:80/led", "/led"],
    ["http://a", "/"],
    ["http://a/", "/"],
    ["http://a//led", "//led"],
    ["/http://a/led", "/http://a/led"],
  ])("%s is %s", (target, path) => {
    expect(targetPath(target)).toBe(path);
  });
});

describe("is refused with 400, keeping the connection:", () => {
  test.each([
    "*",
    "led",
    "a:80",
    "?",
    "/led?",
    "/led?a=b",
    "/?",
    "/led#a",
    "http:",
    "http:/a",
    "http://",
    "http:///led",
    "http://?a",
    "http://a?b",
    "http://a#b",
    "http://u@a/led",
    "http://a:b/led",
    "http://a,b/led",
    "http://[::1/led",
    "https://a/led",
    "ftp://a/led",
    "/a\\b",
    '/"',
    "/<a>",
    "/{a}",
    "/a|b",
    "/^",
    "/`",
  ])("%s", (target) => {
    expect(() => targetPath(target)).toThrow(expect.objectContaining({ name: "HttpError", status: 400, close: false }));
  });
});

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
