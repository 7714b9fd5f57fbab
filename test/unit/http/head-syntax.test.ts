import { describe, expect, test } from "vitest";
import { createHeadCheck } from "../../../ts/http/head-check.ts";
import { LineMemory, matchHead as matchHeadWith } from "../../../ts/http/head-syntax.ts";
import { HttpError } from "../../../ts/http/http-error.ts";
import { fieldsOf } from "./field-lines.ts";

const limits = { targetBytes: 16, headerBytes: 32, headerFields: 3, bodyBytes: 4096 };

const memory = new LineMemory();
const matchHead = (head: string, within: typeof limits) => matchHeadWith(`${head}\r\n\r\n`, within, memory);

/** @returns how many bytes of `text` it takes until it is refused, and the refusal's status; undefined when it is not. */
function verdict(text: string): readonly [bytes: number, status: number] | undefined {
  for (let bytes = 0; bytes <= text.length; bytes++) {
    try {
      createHeadCheck(limits).check(text.slice(0, bytes));
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
    repeated: false,
  });
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
    ["GET / HTTP/1.0\r\n", "", 505],
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

test("a head is told to be repeated once each of its lines has been seen twice before, and not with one that is new", () => {
  const fresh = new LineMemory();
  const repeated = (head: string) => matchHeadWith(`${head}\r\n\r\n`, limits, fresh)?.repeated;
  const text = "GET / HTTP/1.1\r\nHost: a\r\nX: 1";
  expect([1, 2, 3].map(() => repeated(text))).toEqual([false, false, true]);
  expect(repeated("GET / HTTP/1.1\r\nHost: a\r\nX: another")).toBe(false);
  expect(repeated("PUT / HTTP/1.1\r\nHost: a\r\nX: 1")).toBe(false);
  expect(repeated("GET / HTTP/1.1\r\nX: 1\r\nHost: a")).toBe(true);
});

const wide = { targetBytes: 64, headerBytes: 1024, headerFields: 16, bodyBytes: 4096 };
const strange = (serial: number) => `GET / HTTP/1.1\r\nHost: a\r\nX: ${serial}\r\nY: ${serial}\r\nZ: ${serial}\r\n\r\n`;

test("a head is told to be repeated soon, also behind many that never were", () => {
  const fresh = new LineMemory();
  for (let serial = 0; serial < 100; serial++) matchHeadWith(strange(serial), wide, fresh);
  const sights = [1, 2, 3, 4, 5].map(() => matchHeadWith(strange(-1), wide, fresh)?.repeated);
  expect(sights).toEqual([false, false, false, true, true]);
});

test("lines that never end alike are remembered in the end", () => {
  const fresh = new LineMemory();
  const head = (serial: number) => `GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nY: 1\r\nZ: 1\r\nId: ${serial}\r\n\r\n`;
  for (let serial = 0; serial < 80; serial++) matchHeadWith(head(serial), wide, fresh);
  expect(fresh.fieldLines.get("Y: 1")).toBeDefined();
});

test("of a head with a bad line no new line is remembered", () => {
  const fresh = new LineMemory();
  for (let round = 0; round < 4; round++) matchHeadWith("GET / HTTP/1.1\r\nX: 1\r\nY: \0\r\n\r\n", wide, fresh);
  expect(fresh.fieldLines.get("X: 1")).toBeUndefined();
});
