/** Hostile texts cost a time that grows with their length alone: eight times the length, about eight times the time. */
import { expect, test } from "vitest";
import { decodeUtf8 } from "../../../ts/core/http/utf8.ts";
import { parseState } from "../../../ts/core/noun/state-parser.ts";
import { judgesTime } from "../../harness/waiting-time.ts";

/** Reads a text to wherever it is refused. */
function read(bytes: string): void {
  const text = decodeUtf8(bytes);
  if (text === undefined) return;
  try {
    parseState(text, Number.POSITIVE_INFINITY);
  } catch {
    // How far it was read is all that counts.
  }
}

/** The shortest of several times, in ms: what disturbs a measurement only makes it longer. */
function time(bytes: string): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 25; round++) {
    const start = performance.now();
    read(bytes);
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}

// Small enough for the longer one to be read within one turn of the scheduler.
const base = 3_000;

test.runIf(judgesTime).each<[name: string, text: (length: number) => string]>([
  ["a long string", (length) => `{"a":"${"b".repeat(length)}"}`],
  ["a long string without its end", (length) => `{"a":"${"b".repeat(length)}`],
  ["many escapes", (length) => `{"a":"${"\\n".repeat(length / 2)}"}`],
  [
    "many escaped surrogates, the last of them alone",
    (length) => `{"a":"${"\\ud83d\\udca1".repeat(length / 12)}\\ud83d"}`,
  ],
  ["many characters of three bytes", (length) => `{"a":"${"\xe2\x82\xac".repeat(length / 3)}"}`],
  [
    "many characters of three bytes, the last cut short",
    (length) => `{"a":"${"\xe2\x82\xac".repeat(length / 3)}\xe2"}`,
  ],
  ["a long number", (length) => `{"a":${"9".repeat(length)}}`],
  ["a long fraction without its end", (length) => `{"a":0.${"1".repeat(length)}e}`],
  ["much white space", (length) => `{"a":${" ".repeat(length)}}`],
  ["many pairs", (length) => `{${Array.from({ length: length / 10 }, (_, index) => `"${index + 1e6}":1`).join(",")}}`],
  ["a long key that is there twice", (length) => `{"${"k".repeat(length / 2)}":1,"${"k".repeat(length / 2)}":1}`],
  ["deep arrays", (length) => `{"a":${"[".repeat(length)}`],
])("%s (judged by test:time)", (_, text) => {
  const [short, long] = [text(base), text(base * 8)];
  time(short);
  // A time that grew with the square of the length would be 64 times as long.
  expect(time(long)).toBeLessThan(24 * time(short) + 0.2);
});
