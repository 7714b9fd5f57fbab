/**
 * Chunked bodies for property tests (RFC 9112, 7.1): well-formed ones, and the same with a few bytes changed. One
 * character a byte.
 */
import fc from "fast-check";
import { mutated } from "./request-streams.ts";

/** A well-formed chunked body. */
export interface EncodedBody {
  /** The data of all chunks. */
  readonly body: string;
  /** The bytes on the wire. */
  readonly content: string;
}

const data = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  fc.constantFrom('{"led":1}', "{}", "0\r\n\r\n", "\r\n", "7\r\n", "GET /led HTTP/1.1\r\nHost: a\r\n\r\n"),
);
const spelling = fc.record({ zeros: fc.nat({ max: 9 }), upper: fc.boolean() });

const chunk = fc.tuple(data, spelling).map(([text, { zeros, upper }]) => {
  const digits = text.length.toString(16).padStart(Math.min(zeros, 8), "0");
  return { text, bytes: `${upper ? digits.toUpperCase() : digits}\r\n${text}\r\n` };
});

/** Well-formed chunked bodies, their sizes spelled in every way that is allowed. */
export const encodedBodies: fc.Arbitrary<EncodedBody> = fc
  .tuple(fc.array(chunk, { maxLength: 6 }), fc.constantFrom("0", "0", "00", "0000000", "00000000"))
  .map(([chunks, last]) => ({
    body: chunks.map(({ text }) => text).join(""),
    content: `${chunks.map(({ bytes }) => bytes).join("")}${last}\r\n\r\n`,
  }));

/** Chunked bodies with a request behind them, often with a few bytes changed. */
export const chunkedStreams: fc.Arbitrary<string> = mutated(
  encodedBodies.map(({ content }) => `${content}PUT /led HTTP/1.1\r\n`),
);

const wholeSize = /^[0-9a-f]{1,8}\r\n/i;

/**
 * A second reading of the grammar, of complete bodies only and without limits.
 * @returns the bytes that the body at the beginning of `bytes` takes; undefined where there is no complete, well-formed
 * one.
 */
export function chunkedLength(bytes: string): number | undefined {
  for (let at = 0; ; ) {
    const line = wholeSize.exec(bytes.slice(at, at + 10))?.[0];
    if (line === undefined) return undefined;
    const size = Number.parseInt(line, 16);
    const end = at + line.length + size;
    if (bytes.slice(end, end + 2) !== "\r\n") return undefined;
    at = end + 2;
    if (size === 0) return at;
  }
}

const tails = [
  "",
  "\n",
  "\r\n",
  "\n\r\n",
  "\r\n\r\n",
  "0\r\n\r\n",
  "\n0\r\n\r\n",
  "\r\n0\r\n\r\n",
  "1\r\nx\r\n0\r\n\r\n",
];

/**
 * @returns whether something makes these bytes a well-formed chunked body in which no chunk misses more than `most`
 * bytes.
 */
export function canBeCompleted(bytes: string, most: number): boolean {
  for (let missing = 0; missing <= most; missing++) {
    for (const head of ["", "\n", "\r\n"]) {
      for (const tail of tails) {
        if (chunkedLength(bytes + head + "x".repeat(missing) + tail) !== undefined) return true;
      }
    }
  }
  return false;
}
