import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { namesThatMatter } from "../../../ts/core/http/fields.ts";
import { HeadCheck } from "../../../ts/core/http/head-check.ts";
import { matchHead as matchHeadWith } from "../../../ts/core/http/head-syntax.ts";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import { fieldsOf } from "./field-lines.ts";

const limits = { targetBytes: 16, headerBytes: 32, headerFields: 3, bodyBytes: 4096 };

const matchHead = (head: string, within: typeof limits) => matchHeadWith(`${head}\r\n\r\n`, within);

/**
 * @returns how many bytes of `text` it takes until it is refused, and the refusal's status; undefined when it is not.
 */
function verdict(text: string): readonly [bytes: number, status: number] | undefined {
  for (let bytes = 0; bytes <= text.length; bytes++) {
    try {
      new HeadCheck(limits).check(text.slice(0, bytes));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      expect(error.close).toBe(true);
      return [bytes, error.status];
    }
  }
  return undefined;
}

test("a head is taken apart", () => {
  expect(matchHead("GET /led HTTP/1.1\r\nHost: a\r\nX: \t\xff", limits)).toEqual({
    method: "GET",
    target: "/led",
    fields: fieldsOf(["Host: a", "X: \t\xff"]),
    isOld: false,
  });
  expect(matchHead("GET /led HTTP/1.0\r\nHost: a", limits)).toMatchObject({ target: "/led", isOld: true });
});

test("a head may have no fields", () => {
  expect(matchHead("GET / HTTP/1.1", limits)).toMatchObject({ method: "GET", target: "/", fields: fieldsOf([]) });
});

test.each([
  ["GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["!#$%&'*+-.^_`|~ / HTTP/1.1\r\n\r\n"],
  ["GET / HTTP/1.1\r\nX:\r\nY: \x80\t\xff\r\n\r\n"],
  [`GET ${"a".repeat(16)} HTTP/1.1\r\n${"X: y\r\n".repeat(3)}\r\n`],
  [`GET / HTTP/1.1\r\nX: ${"a".repeat(27)}\r\n\r\n`],
])("no beginning of %j is refused", (text) => {
  expect(verdict(text)).toBeUndefined();
  expect(matchHead(text.slice(0, text.indexOf("\r\n\r\n")), limits)).toBeDefined();
});

describe("is refused at the first byte that cannot be part of a head:", () => {
  test.each<[string, string, number]>([
    [" ", "", 400],
    ["GET\t", "/", 400],
    ["GET  ", "/", 400],
    ["GET\r", "\n", 400],
    ["GET /\x7f", "", 400],
    ["GET /\xe9", "", 400],
    ["GET / h", "ttp/1.1", 400],
    ["GET / HTTP/1.1 ", "", 400],
    ["GET / HTTP/1.12", "", 400],
    ["GET / HTTP/1\r", "\n", 400],
    ["GET / HTTP/1.1\n", "", 400],
    ["GET / HTTP/1.1\rX", "", 400],
    ["GET / HTTP/1.0\n", "", 400],
    ["GET / HTTP/1.00", "", 400],
    ["GET / HTTP/1.2\r\n", "", 505],
    ["GET / HTTP/9.9\r\n", "", 505],
    ["GET / HTTP/1.1\r\n ", "", 400],
    ["GET / HTTP/1.1\r\n\t", "", 400],
    ["GET / HTTP/1.1\r\n:", "", 400],
    ["GET / HTTP/1.1\r\nX ", ": a", 400],
    ["GET / HTTP/1.1\r\nX\r", "\n", 400],
    ["GET / HTTP/1.1\r\nX\xe9", "", 400],
    ["GET / HTTP/1.1\r\nX: \0", "", 400],
    ["GET / HTTP/1.1\r\nX: a\n", "", 400],
    ["GET / HTTP/1.1\r\nX: a\rb", "", 400],
    ["GET / HTTP/1.1\r\nX: a\r\n b", "", 400],
    ["GET / HTTP/1.1\r\n\rX", "", 400],
    ["M".repeat(33), "", 501],
    [`GET ${"a".repeat(17)}`, "", 414],
    [`GET / HTTP/1.1\r\n${"X: y\r\n".repeat(3)}Z`, "", 431],
    [`GET / HTTP/1.1\r\nX: ${"a".repeat(30)}`, "", 431],
    [`GET / HTTP/1.1\r\nX: ${"a".repeat(28)}\r\n`, "", 431],
  ])("%j%j with %i", (start, rest, status) => {
    // A white space before the colon or a fold is named at once although its line is not complete.
    const bytes = start.endsWith(" b") ? start.length - 1 : start.length;
    expect(verdict(`${start}${rest}`)).toEqual([bytes, status]);
    expect(matchHead(`${start}${rest}`, limits)).toBeUndefined();
  });
});

test("of a limit and an error of grammar the one that comes first on the wire is named", () => {
  expect(verdict(`GET / HTTP/1.1\r\nX: ${"a".repeat(20)}\0${"a".repeat(20)}`)?.[1]).toBe(400);
  expect(verdict(`GET / HTTP/1.1\r\nX: ${"a".repeat(40)}\0`)?.[1]).toBe(431);
  expect(verdict(`GET /${"a".repeat(10)}\0${"a".repeat(10)}`)?.[1]).toBe(400);
  expect(verdict(`GET /${"a".repeat(20)}\0`)?.[1]).toBe(414);
});

const wide = { targetBytes: 64, headerBytes: 1024, headerFields: 16, bodyBytes: 4096 };

test("each field that matters is read, whatever the case of its name and the white space before its value", () => {
  for (const name of namesThatMatter) {
    for (const line of [`${name}: a`, `${name.toUpperCase()}:a`, `${name}:   a`]) {
      expect(matchHead(`GET / HTTP/1.1\r\nX: y\r\n${line}\r\nSec-A: b`, wide)?.fields.values).toEqual({ [name]: "a" });
    }
    expect(matchHead(`GET / HTTP/1.1\r\n${name}:\r\nX: y`, wide)?.fields.values).toEqual({ [name]: "" });
    expect(matchHead(`GET / HTTP/1.1\r\n${name}: \t\xff \t `, wide)?.fields.count(name)).toBe(1);
  }
});

test("lines that do not matter count, too", () => {
  const lines = (count: number) => `GET / HTTP/1.1${"\r\nSec-A: b".repeat(count)}`;
  expect(matchHead(lines(16), wide)).toBeDefined();
  expect(matchHead(lines(17), wide)).toBeUndefined();
});

const line = fc
  .oneof(
    fc.tuple(
      fc.constantFrom("Host", "host", "X", "Sec-A", "Accept", "", "a b", "\xe4", "Cookie ", "0", "~"),
      fc.constantFrom(":", ": ", ":\t", " :", "", "::"),
      fc.constantFrom("", "a", "a b ", "\t", "\x7f", "\0", "\x80", "\r", "\n", " \r\n b"),
    ),
    fc.tuple(fc.string({ unit: "binary-ascii", maxLength: 6 })),
  )
  .map((parts) => parts.join(""));

test("a head is read where the check finds no fault in it, and nowhere else", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      const head = ["GET / HTTP/1.1", ...lines].join("\r\n");
      // What the check says of bytes behind the first empty line is said of another request.
      const whole = `${head}\r\n\r\n`;
      if (whole.indexOf("\r\n\r\n") < head.length) return;
      let isSound = true;
      try {
        new HeadCheck(wide).check(whole);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        isSound = false;
      }
      expect(matchHead(head, wide) !== undefined).toBe(isSound);
    }),
    { numRuns: 5000 },
  );
});
