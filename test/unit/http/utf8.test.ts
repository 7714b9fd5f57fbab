import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeUtf8, utf8Length } from "../../../ts/core/http/utf8.ts";

/** The reference: the platform's strict decoder, which also leaves a byte-order mark in the text. */
function reference(bytes: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

const anyBytes = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
const text = fc.string({ unit: "binary", maxLength: 32 });

/** Bytes that are nearly UTF-8: a text's encoding with some of its bytes changed, left out or doubled. */
const mutatedUtf8 = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat(2)), { maxLength: 4 }))
  .map(([whole, mutations]) => {
    const bytes = [...Buffer.from(whole, "utf8")];
    for (const [position, byte, kind] of mutations) {
      const index = position % (bytes.length + 1);
      if (kind === 0) bytes.splice(index, 1, byte);
      else if (kind === 1) bytes.splice(index, 1);
      else bytes.splice(index, 0, byte);
    }
    return Buffer.from(bytes).toString("latin1");
  });

describe("decoding", () => {
  test("agrees with the platform's strict decoder on any bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => void expect(decodeUtf8(bytes)).toBe(reference(bytes))),
      { numRuns: 500 },
    );
  });

  test("agrees with the platform's strict decoder on bytes that are nearly UTF-8", () => {
    fc.assert(
      fc.property(mutatedUtf8, (bytes) => void expect(decodeUtf8(bytes)).toBe(reference(bytes))),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["a lone continuation byte", "\x80"],
    ["an over-long slash", "\xc0\xaf"],
    ["an over-long NUL", "\xc0\x80"],
    ["an over-long form of three bytes", "\xe0\x80\xaf"],
    ["a high surrogate", "\xed\xa0\x80"],
    ["a pair of surrogates", "\xed\xa0\xbd\xed\xb2\xa1"],
    ["a code point above U+10FFFF", "\xf4\x90\x80\x80"],
    ["a form of five bytes", "\xf8\x88\x80\x80\x80"],
    ["0xFF", "\xff"],
    ["half a character at the end", "a\xe2\x82"],
  ])("refuses %s", (_name, bytes) => {
    expect(decodeUtf8(bytes)).toBeUndefined();
  });

  test("leaves percent signs and a byte-order mark as they are", () => {
    expect(decodeUtf8("%41%zz\xc3\xa9%")).toBe("%41%zzé%");
    expect(decodeUtf8("\xef\xbb\xbf{}")).toBe("\ufeff{}");
  });
});

test("the length of a text is the length of its encoding", () => {
  fc.assert(fc.property(text, (whole) => void expect(utf8Length(whole)).toBe(Buffer.byteLength(whole, "utf8"))));
});
