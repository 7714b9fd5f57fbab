import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../ts/http/http-error.ts";
import type { RequestLimits } from "../../../ts/http/limits.ts";
import { isJson } from "../../../ts/http/media-type.ts";
import { RequestParser } from "../../../ts/http/request-parser.ts";
import { nextHead } from "./next-head.ts";
import { cuts, requestLimits, requestStreams, slices } from "./request-streams.ts";

const limits: RequestLimits = { targetBytes: 256, headerBytes: 4096, headerFields: 32, bodyBytes: 4096 };

describe("a head", () => {
  test("comes out with what its fields say", () => {
    const parser = new RequestParser(limits);
    parser.feed(
      "PUT /led HTTP/1.1\r\nHost: a\r\ncontent-type:\tapplication/json \r\nContent-Length: 2\r\n" +
        "Expect: 100-continue\r\nConnection: close\r\n\r\n",
    );
    const head = nextHead(parser);
    expect(head?.fields.values["content-type"]).toBe("application/json");
    expect(head).toMatchObject({
      method: "PUT",
      target: "/led",
      contentLength: 2,
      expectsContinue: true,
      close: true,
    });
  });

  test("with two media types has none that is JSON", () => {
    const parser = new RequestParser(limits);
    const type = "Content-Type: application/json\r\n";
    parser.feed(`GET / HTTP/1.1\r\nHost: a\r\n${type}${type}\r\n`);
    expect(isJson(nextHead(parser)?.fields.values["content-type"] ?? "")).toBe(false);
  });

  test("is not there before its last byte", () => {
    const parser = new RequestParser(limits);
    const bytes = "\r\nGET /led HTTP/1.1\r\nHost: a\r\n\r\n";
    for (const byte of bytes.slice(0, -1)) {
      parser.feed(byte);
      expect(nextHead(parser)).toBeUndefined();
    }
    parser.feed("\n");
    expect(nextHead(parser)?.target).toBe("/led");
  });

  test("may have one empty line before it; a second one is refused at its first byte", () => {
    const parser = new RequestParser(limits);
    parser.feed("\r");
    expect(nextHead(parser)).toBeUndefined();
    parser.feed("\n");
    expect(nextHead(parser)).toBeUndefined();
    parser.feed("\r");
    expect(() => nextHead(parser)).toThrow(expect.objectContaining({ status: 400, close: true }));
  });

  test("that comes twice, byte for byte, is judged twice alike", () => {
    const parser = new RequestParser(limits);
    parser.feed("GET /led HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2));
    expect(nextHead(parser)).toEqual(nextHead(parser));
    parser.feed("GET /led HTTP/1.1\r\nHost: a,b\r\n\r\n");
    expect(() => nextHead(parser)).toThrow(HttpError);
  });

  test("that is refused tells its method as far as it is known", () => {
    for (const [bytes, method] of [
      ["HEAD /led HTTP/1.1\r\nX : y\r\n", "HEAD"],
      ["HEAD /led HTTP/1.1\r\n\r\n", "HEAD"],
      ["HEAD\r\n", ""],
    ] as const) {
      const parser = new RequestParser(limits);
      parser.feed(bytes);
      expect(() => nextHead(parser)).toThrow(HttpError);
      expect(parser.method).toBe(method);
    }
  });
});

const put = "PUT /led HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n";

describe("a body", () => {
  test("comes out whole, byte for byte, and the next head after it", () => {
    const parser = new RequestParser(limits);
    parser.feed(`${put}\r\n`);
    expect(nextHead(parser)?.contentLength).toBe(4);
    expect(parser.readBody()).toBeUndefined();
    parser.feed(`\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(parser.readBody()).toBe("\r\n\r\n");
    expect(nextHead(parser)?.method).toBe("GET");
  });

  test("can be skipped, without its bytes being kept", () => {
    const parser = new RequestParser(limits);
    parser.feed(`${put}12`);
    nextHead(parser);
    parser.skipBody();
    expect(parser.progress).toBe("skipping");
    expect(nextHead(parser)).toBeUndefined();
    parser.feed("34GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(parser.progress).toBe("head");
    expect(nextHead(parser)?.method).toBe("GET");
    expect(parser.progress).toBe("between");
  });
});

test("the progress says what is waited for", () => {
  const parser = new RequestParser(limits);
  expect(parser.progress).toBe("between");
  for (const byte of ["\r", "\n", "P"]) {
    parser.feed(byte);
    expect(nextHead(parser)).toBeUndefined();
    expect(parser.progress).toBe("head");
  }
  parser.feed(put.slice(1));
  nextHead(parser);
  expect(parser.progress).toBe("body");
  parser.feed("1234");
  parser.readBody();
  expect(parser.progress).toBe("between");
});

interface Outcome {
  readonly heads: unknown[];
  readonly bodies: string[];
  refusal?: { readonly status: number; readonly detail: string; readonly headOnly: boolean };
}

/** Feeds a stream in pieces and reads all there is after each, as a connection does. */
function read(pieces: readonly string[], chosen: RequestLimits, bodyBytes = 4096): Outcome {
  const parser = new RequestParser(chosen);
  const outcome: Outcome = { heads: [], bodies: [] };
  for (const piece of pieces) {
    parser.feed(piece);
    for (;;) {
      try {
        if (parser.progress === "body") {
          const body = parser.readBody();
          if (body === undefined) break;
          outcome.bodies.push(body);
          continue;
        }
        const head = nextHead(parser);
        if (head === undefined) break;
        outcome.heads.push(head);
        if (head.contentLength > bodyBytes || head.target === "/zqx") parser.skipBody();
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const { status, message } = error;
        outcome.refusal = { status, detail: message, headOnly: parser.method === "HEAD" };
        return outcome;
      }
    }
  }
  return outcome;
}

test("no method is known while a body is read, whatever its bytes begin with", () => {
  const stream = "PATCH /led HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nHEAD /led HTTP/1.1\r\n";
  expect(read([stream], limits).refusal).toMatchObject({ status: 400, headOnly: false });
});

describe("any stream of requests, well-formed or not,", () => {
  test("has the same heads, bodies and refusal however it is cut", () => {
    fc.assert(
      fc.property(requestStreams, requestLimits, cuts, (stream, chosen, where) => {
        expect(read(slices(stream, where), chosen)).toEqual(read([stream], chosen));
      }),
      { numRuns: 3000 },
    );
  });

  test("whose bytes stop before a refusal could have gone on", () => {
    // What follows the first refused byte does not matter: the refusal is the same without it.
    fc.assert(
      fc.property(requestStreams, requestLimits, (stream, chosen) => {
        const { refusal } = read([stream], chosen);
        const longer = read([`${stream}\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n\r\n`], chosen);
        if (refusal !== undefined) expect(longer.refusal).toEqual(refusal);
      }),
      { numRuns: 1000 },
    );
  });

  test("is never kept waiting for the end of a head that is there", () => {
    fc.assert(
      fc.property(requestStreams, requestLimits, (stream, chosen) => {
        const parser = new RequestParser(chosen);
        parser.feed(stream);
        try {
          const complete = stream.replace(/^\r\n/, "").includes("\r\n\r\n");
          if (complete) expect(nextHead(parser)).toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(HttpError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("ends in nothing but an HttpError, whatever the bytes", () => {
    const bytes = fc.oneof(
      requestStreams,
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString("latin1")),
      fc
        .array(fc.constantFrom("GET", " ", "/", "HTTP/1.1", "\r", "\n", "\r\n", "Host:", "a", ":"), { maxLength: 30 })
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(bytes, requestLimits, cuts, (stream, chosen, where) => {
        // `read` lets every other error through.
        const { refusal } = read(slices(stream, where), chosen);
        if (refusal !== undefined) expect(refusal.detail).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
      }),
      { numRuns: 1000 },
    );
  });
});
