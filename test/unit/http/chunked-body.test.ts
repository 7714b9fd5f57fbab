import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { ChunkedBody } from "../../../ts/core/http/chunked-body.ts";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import { simulatedLexer } from "../../../ts/native/simulated/lexer.ts";
import { acceptedChunks, bodyBytes, refusedChunks } from "../../wire/chunked-body.ts";
import { hidden } from "../../wire/vector.ts";
import { canBeCompleted, chunkedLength, chunkedStreams, encodedBodies } from "./chunked-streams.ts";
import { cuts, slices } from "./request-streams.ts";

/** What becomes of bytes: a body, a refusal, or a wait for more. */
interface Verdict {
  readonly body?: string;
  readonly status?: number;
  readonly detail?: string;
  /** Bytes of the body, or bytes before the piece that was refused. */
  readonly taken: number;
}

/** Gives the decoder pieces until it is done or refuses. */
function decode(pieces: Iterable<string>, limit = bodyBytes): Verdict {
  const decoder = new ChunkedBody(limit);
  let taken = 0;
  try {
    for (const piece of pieces) {
      const length = decoder.take(piece);
      taken += length;
      if (decoder.done) return { body: decoder.body, taken };
      expect(length, "all bytes are taken while the body is not done").toBe(piece.length);
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    expect(error.close).toBe(true);
    expect(error.message).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
    return { status: error.status, detail: error.message, taken };
  }
  return { taken };
}

describe("a chunked body", () => {
  test.each(acceptedChunks)("is accepted and ends where the next request begins: $name", ({ content, body }) => {
    expect(decode([content + hidden])).toEqual({ body, taken: content.length });
    expect(decode([...content, hidden])).toEqual({ body, taken: content.length });
  });

  test.each(refusedChunks)("is refused with $status: $name", ({ content, status }) => {
    expect(decode([content + hidden])).toMatchObject({ status });
    expect(decode([...content, ...hidden])).toMatchObject({ status });
  });

  test("that is done takes nothing more", () => {
    const decoder = new ChunkedBody(bodyBytes);
    expect(decoder.take("2\r\n{}\r\n0\r\n\r\n")).toBe(12);
    expect(decoder.take("0\r\n")).toBe(0);
    expect(decoder.body).toBe("{}");
  });

  test("of one size after the other is refused as soon as the digits exceed the limit", () => {
    expect(decode("1000", 4096)).toEqual({ taken: 4 });
    expect(decode("1001", 4096)).toMatchObject({ status: 413, taken: 3 });
    expect(decode("a\r\n0123456789\r\n7", 16)).toMatchObject({ status: 413, taken: 15 });
  });

  test("of zeros is refused at the ninth", () => {
    expect(decode("00000000")).toEqual({ taken: 8 });
    expect(decode("000000000")).toMatchObject({ status: 400, taken: 8 });
    expect(decode("00\r")).toEqual({ taken: 3 });
  });

  test("of a request without a body is the last chunk alone", () => {
    expect(decode(["0\r\n\r\n"], 0)).toEqual({ body: "", taken: 5 });
    expect(decode("1", 0)).toMatchObject({ status: 400, taken: 0, detail: "A DELETE request has no body." });
    expect(decode("00000001", 0)).toMatchObject({ status: 400, taken: 7 });
  });

  test("holds its data, and nothing from then on where it is skipped", () => {
    const [kept, skipped] = [new ChunkedBody(bodyBytes), new ChunkedBody(bodyBytes)];
    const begin = `5\r\nabcde\r\n800\r\n${"x".repeat(1_024)}`;
    kept.take(begin);
    skipped.take(begin);
    expect([kept.held, skipped.held]).toEqual([1_029, 1_029]);
    skipped.skip();
    const end = `${"x".repeat(1_024)}\r\n0\r\n\r\n`;
    kept.take(end);
    skipped.take(end);
    expect([kept.held, skipped.held]).toEqual([2_053, 0]);
    expect([kept.body.length, skipped.body]).toEqual([2_053, ""]);
    expect(skipped.done).toBe(true);
  });
});

describe("any chunked body", () => {
  test("comes out as it went in, however its chunks and its bytes are cut", () => {
    fc.assert(
      fc.property(encodedBodies, cuts, ({ body, content }, where) => {
        expect(decode([...slices(content, where), hidden])).toEqual({ body, taken: content.length });
      }),
    );
  });

  test("is accepted within the limits of its data and of its framing, and refused with 413 beyond", () => {
    const repeated = fc.record({
      body: encodedBodies,
      times: fc.nat({ max: 40 }),
      limit: fc.integer({ min: 1, max: 600 }),
    });
    fc.assert(
      fc.property(repeated, ({ body: { body, content }, times, limit }) => {
        const chunks = content.replace(/0+\r\n\r\n$/, "");
        const whole = `${chunks.repeat(times)}0\r\n\r\n`;
        const framing = whole.length - body.length * times;
        const within = body.length * times <= limit && framing <= limit + 1024;
        expect(decode([whole], limit)).toMatchObject(within ? { taken: whole.length } : { status: 413 });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("any bytes instead of a chunked body", () => {
  const limit = 40;

  test("have one verdict and one body however they are cut", () => {
    fc.assert(
      fc.property(chunkedStreams, cuts, fc.constantFrom(8, limit, bodyBytes), (stream, where, most) => {
        const { taken, ...whole } = decode([stream], most);
        const { taken: takenInPieces, ...cut } = decode(slices(stream, where), most);
        expect(cut).toEqual(whole);
        if (whole.status === undefined) expect(takenInPieces).toBe(taken);
      }),
      { numRuns: 5_000 },
    );
  });

  test("are refused with 400 at the first byte with which they can no longer become one, and not before", () => {
    fc.assert(
      fc.property(chunkedStreams, (stream) => {
        const { status, taken, body } = decode(stream, limit);
        if (body === undefined) expect(canBeCompleted(stream.slice(0, taken), limit)).toBe(true);
        if (status === 400) expect(canBeCompleted(stream.slice(0, taken + 1), limit)).toBe(false);
        expect(body === undefined ? undefined : taken).toBe(status === 413 ? undefined : chunkedLength(stream));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the work on a chunked body", () => {
  test.each([
    ["in one piece", (content: string) => [content]],
    ["byte by byte", (content: string) => [...content]],
    ["in pieces of 100 bytes", (content: string) => content.match(/[\s\S]{1,100}/g) ?? []],
  ])("is one walk of the lexer through its bytes, however short its chunks are, %s", (_, cut) => {
    const contents = [
      `${"1\r\nx\r\n".repeat(10_000)}0\r\n\r\n`,
      `${"1\r\nx\r\n".repeat(13_310)}00\r\n\r\n`, // all the framing that there may be
      `ffff\r\n${"x".repeat(0xffff)}\r\n0\r\n\r\n`,
    ];
    for (const content of contents) {
      const pieces = cut(content);
      const { mock } = vi.spyOn(simulatedLexer, "rewrite");
      const decoder = new ChunkedBody(0xffff);
      for (const piece of pieces) decoder.take(piece);
      expect(decoder.done).toBe(true);
      const walks = mock.calls.map(([text]) => text);
      vi.restoreAllMocks();
      expect(walks.join("") === content).toBe(true);
      expect(walks.length).toBeLessThan(pieces.length + content.length / 4096 + 10);
    }
  });
});
