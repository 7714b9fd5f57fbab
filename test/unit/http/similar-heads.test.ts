import fc from "fast-check";
import { expect, test } from "vitest";
import { HttpError } from "../../../ts/http/http-error.ts";
import type { RequestHead } from "../../../ts/http/request.ts";
import { ParserMemory, RequestParser } from "../../../ts/http/request-parser.ts";

const limits = { targetBytes: 64, headerBytes: 200, headerFields: 8, bodyBytes: 4096 };

/** @returns what a parser makes of the first request among the bytes, and how much of them. */
function read(bytes: string, memory: ParserMemory): unknown {
  const parser = new RequestParser(limits, memory);
  parser.feed(bytes);
  try {
    return { head: parser.readHead(), length: parser.headLength, progress: parser.progress };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { status: error.status, message: error.message, method: parser.method };
  }
}

/** @returns a memory that has seen a head's lines, and then heads with other lines instead of one. */
function memoryOf(head: (line: string) => string, name: string): ParserMemory {
  const memory = new ParserMemory();
  for (const value of ["a", "a", "a", "b", "c"]) read(head(`${name}: ${value}`), memory);
  return memory;
}

const around = (line: string) => `GET /led HTTP/1.1\r\nHost: a\r\n${line}\r\nAccept: */*\r\n\r\n`;

test("a head that differs in a value that does not matter is known by what stands around it", () => {
  const memory = memoryOf(around, "Cookie");
  const found = memory.similar.find(around("Cookie: d"));
  expect(found).toEqual((read(around("Cookie: d"), new ParserMemory()) as { head: RequestHead }).head);
  expect(memory.similar.repeated).toBe(false);
  expect(memory.similar.find(around("Cookie: e"))).toBe(found);
  expect(memory.similar.find(around("Cookie:"))).toBe(found);
  expect(memory.similar.find(around("Cookie2: d"))).toBeUndefined();
  expect(memory.similar.find(around("Cookie : d"))).toBeUndefined();
});

test("with a value that it was seen with lately it is repeated", () => {
  const memory = memoryOf(around, "Cookie");
  const parser = new RequestParser(limits, memory);
  const known = (value: string) => {
    parser.feed(around(`Cookie: ${value}`));
    parser.readHead();
    return parser.headWasKnown;
  };
  expect(["d", "e", "d", "e", "f", "d"].map(known)).toEqual([false, false, true, true, false, true]);
});

test.each([["Authorization"], ["Connection"], ["If-None-Match"], ["Origin"]])(
  "heads that differ in the field %s are not similar",
  (name) => {
    expect(memoryOf(around, name).similar.find(around(`${name}: d`))).toBeUndefined();
  },
);

test("a head with credentials is similar to none", () => {
  const withCredentials = (line: string) => around(`Authorization: Bearer a\r\n${line}`);
  const memory = memoryOf(withCredentials, "Cookie");
  expect(memory.similar.find(withCredentials("Cookie: d"))).toBeUndefined();
});

test("a head that is longer than heads may be is refused, however similar", () => {
  const memory = memoryOf(around, "Cookie");
  const longest = around(`Cookie: ${"x".repeat(200 - "Host: a\r\nCookie: \r\nAccept: */*\r\n".length)}`);
  expect(memory.similar.find(longest)).toBeDefined();
  expect(read(longest.replace("xx", "xxx"), memory)).toMatchObject({ status: 431 });
});

test("no more of them are kept than it costs little to look through", () => {
  const memory = new ParserMemory();
  const heads = Array.from({ length: 5 }, (_, index) => (line: string) => around(line).replace("led", `led${index}`));
  heads.forEach((head, index) => {
    for (const value of ["a", "a", "a", `b${index}`]) read(head(`Cookie: ${value}`), memory);
  });
  expect(heads.map((head) => memory.similar.find(head("Cookie: d")) !== undefined)).toEqual([
    false,
    ...[true, true, true, true],
  ]);
});

test("whatever stands instead of the value, the outcome is that of a parser without a memory", () => {
  const piece = fc.oneof(
    fc.constantFrom("a", " ", "\t", ":", "\r", "\n", "\0", "\x7f", "\x80", "\xff", "\r\n", "\r\n\r\n", "X: y", " z"),
    fc.constantFrom(
      "\r\nCookie: b",
      "\r\nHost: b",
      "\r\nContent-Length: 1",
      "\r\nAccept: */*\r\n\r\n",
      "x".repeat(150),
    ),
    fc.constantFrom("\r\n\r\nGET / HTTP/1.1\r\nHost: b", "\r\nAuthorization: Bearer a"),
  );
  const value = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const behind = fc.constantFrom("", "", "\r\n", "GET /led", around("Cookie: a"));
  fc.assert(
    fc.property(fc.array(fc.tuple(value, behind), { minLength: 1, maxLength: 6 }), (requests) => {
      const memory = memoryOf(around, "Cookie");
      for (const [text, rest] of requests) {
        const bytes = `${around(`Cookie: ${text}`)}${rest}`;
        expect(read(bytes, memory)).toEqual(read(bytes, new ParserMemory()));
      }
    }),
    { numRuns: 2000 },
  );
});
