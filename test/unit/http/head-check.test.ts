import { afterEach, expect, test, vi } from "vitest";
import { newReader } from "../server/reading.ts";

const limits = { targetBytes: 256, headerBytes: 4096, headerFields: 64, bodyBytes: 4096 };

/** Characters that patterns and searches are given until the spies are restored. */
function countCharacters(): () => number {
  let count = 0;
  const { exec } = RegExp.prototype;
  vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
    count += text.length;
    return exec.call(this, text);
  });
  const { indexOf } = String.prototype;
  vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, text, from = 0) {
    const found = indexOf.call(this, text, from);
    count += (found < 0 ? this.length : found) - from;
    return found;
  });
  return () => count;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ["many short lines", "X: y\r\n".repeat(60)],
  ["a long value", `X: ${"y".repeat(2000)}\r\n`],
  ["a long name", `${"X".repeat(2000)}: y\r\n`],
  ["a long value that is never complete", `X: ${"y".repeat(4000)}`],
])("a head that comes byte by byte costs by its length, and not by its square: %s", (_, fields) => {
  const head = `GET / HTTP/1.1\r\nHost: a\r\n${fields}`;
  const bytes = fields.endsWith("\n") ? `${head}\r\n` : head;
  const { reader } = newReader(limits);
  const counted = countCharacters();
  let heads = 0;
  for (const byte of bytes) {
    reader.feed(byte);
    if (reader.next() !== undefined) heads++;
  }
  const count = counted();
  expect(heads).toBe(fields.endsWith("\n") ? 1 : 0);
  expect(count).toBeGreaterThan(bytes.length);
  expect(count).toBeLessThan(20 * bytes.length);
});
