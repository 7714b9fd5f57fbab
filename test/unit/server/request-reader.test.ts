import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptedChunks, refusedChunks } from "../../wire/chunked-body.ts";
import { encodedBodies } from "../http/chunked-streams.ts";
import { cuts, mutated, requestLimits, requestStreams, slices } from "../http/request-streams.ts";
import { newReader, read } from "./reading.ts";

const head = "PUT /led HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

const put = "PUT /led HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n";

describe("a head", () => {
  test("is not there before its last byte", () => {
    const { reader } = newReader();
    for (const byte of "\r\nGET /led HTTP/1.1\r\nHost: a\r\n\r") {
      reader.feed(byte);
      expect(reader.next()).toBeUndefined();
    }
    reader.feed("\n");
    expect(reader.next()).toMatchObject({ head: { target: "/led" } });
  });

  test("may have one empty line before it; a second one is refused at its first byte", () => {
    const { reader } = newReader();
    for (const byte of "\r\n") {
      reader.feed(byte);
      expect(reader.next()).toBeUndefined();
    }
    reader.feed("\r");
    expect(reader.next()).toMatchObject({ error: { status: 400 }, close: true });
  });

  test("that is refused tells its method as far as it is known", () => {
    for (const [bytes, method] of [
      ["HEAD /led HTTP/1.1\r\nX : y\r\n", "HEAD"],
      ["HEAD /led HTTP/1.1\r\n\r\n", "HEAD"],
      ["HEAD\r\n", ""],
    ] as const) {
      const { reader } = newReader();
      reader.feed(bytes);
      expect(reader.next()).toMatchObject({ error: { status: 400 }, head: { method } });
    }
  });
});

describe("a body", () => {
  test("comes out whole, byte for byte, and the next head after it", () => {
    const { reader, lastBody } = newReader();
    reader.feed(`${put}\r\n`);
    expect(reader.next()).toBeUndefined();
    reader.feed(`\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(reader.next()).toMatchObject({ head: { method: "PUT" }, bodyBytes: 4 });
    expect(lastBody()).toBe("\r\n\r\n");
    expect(reader.next()).toMatchObject({ head: { method: "GET" } });
  });

  test("of a refused request is skipped, without its bytes being kept", () => {
    const { reader } = newReader({}, "/led");
    reader.feed(`${put}12`);
    expect(reader.next()).toMatchObject({ error: { status: 404 }, close: false });
    expect(reader.progress).toBe("skipping");
    expect(reader.next()).toBeUndefined();
    reader.feed("3");
    expect(reader.heldBytes).toBe(0);
    reader.feed("4GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(reader.progress).toBe("head");
    expect(reader.next()).toMatchObject({ head: { method: "GET" } });
    expect(reader.progress).toBe("between");
  });

  test("that is refused tells no method, whatever its bytes begin with", () => {
    const stream = "DELETE /led HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nHEAD /led HTTP/1.1\r\n";
    expect(read([stream]).refusal).toMatchObject({ status: 400, ofHead: false });
  });
});

test("the progress says what is waited for", () => {
  const { reader } = newReader();
  expect(reader.progress).toBe("between");
  for (const byte of ["\r", "\n", "P"]) {
    reader.feed(byte);
    expect(reader.next()).toBeUndefined();
    expect(reader.progress).toBe("head");
  }
  reader.feed(put.slice(1));
  expect(reader.next()).toBeUndefined();
  expect(reader.progress).toBe("body");
  reader.feed("1234");
  expect(reader.next()).toBeDefined();
  expect(reader.progress).toBe("between");
});

describe("a request in chunks", () => {
  test.each(acceptedChunks)(
    "is read with the body of its chunks, and the request behind it: $name",
    ({ content, body }) => {
      const reading = {
        requests: [
          { method: "PUT", target: "/led", body },
          { method: "GET", target: "/next", body: "" },
        ],
        refusal: undefined,
      };
      expect(read([head + content + next])).toEqual(reading);
      expect(read([...(head + content + next)])).toEqual(reading);
    },
  );

  test.each(refusedChunks)("is refused with $status, and nothing behind it is read: $name", ({ content, status }) => {
    const reading = { requests: [], refusal: { status } };
    expect(read([head + content + next])).toMatchObject(reading);
    expect(read([...(head + content + next)])).toMatchObject(reading);
  });

  test.each(acceptedChunks)("that is refused for its head is skipped: $name", ({ content }) => {
    const requests = [
      { method: "PUT", target: "/led", body: "refused" },
      { method: "GET", target: "/next", body: "" },
    ];
    expect(read([head + content + next], {}, "/led")).toEqual({ requests, refusal: undefined });
    expect(read([...(head + content + next)], {}, "/led")).toEqual({ requests, refusal: undefined });
  });

  test.each(refusedChunks)(
    "that is refused for its head leads to no other request where its chunks are bad: $name",
    ({ content }) => {
      for (const pieces of [[head + content + next], [...(head + content + next)]]) {
        expect(read(pieces, {}, "/led").requests.filter(({ target }) => target !== "/led")).toEqual([]);
      }
    },
  );
});

const chunkedRequests = encodedBodies.map(({ content }) => head + content);

describe("any stream of requests, in chunks or not, well-formed or not,", () => {
  const streams = fc.oneof(
    requestStreams,
    mutated(
      fc
        .tuple(fc.array(chunkedRequests, { minLength: 1, maxLength: 3 }), fc.boolean())
        .map(([requests, last]) => requests.join("") + (last ? next : "")),
    ),
  );

  test("is read as the same requests with the same bodies and the same refusal however it is cut", () => {
    fc.assert(
      fc.property(streams, requestLimits, cuts, fc.constantFrom(8, 40, 4096), (stream, chosen, where, bodyBytes) => {
        const limits = { ...chosen, bodyBytes };
        expect(read(slices(stream, where), limits)).toEqual(read([stream], limits));
      }),
      { numRuns: 3_000 },
    );
  });

  test("whose bytes stop before a refusal could have gone on", () => {
    // What follows the first refused byte does not matter: the refusal is the same without it.
    fc.assert(
      fc.property(streams, requestLimits, (stream, chosen) => {
        const { refusal } = read([stream], chosen);
        const longer = read([`${stream}\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n\r\n`], chosen);
        if (refusal !== undefined) expect(longer.refusal).toEqual(refusal);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is never kept waiting for the end of a head that is there", () => {
    fc.assert(
      fc.property(streams, requestLimits, (stream, chosen) => {
        const { reader } = newReader(chosen);
        reader.feed(stream);
        const isComplete = stream.replace(/^\r\n/, "").includes("\r\n\r\n");
        if (isComplete && reader.next() === undefined) expect(reader.progress).toBe("body");
      }),
      { numRuns: 1_000 },
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
      { numRuns: 1_000 },
    );
  });

  test("is skipped in the same way however it is cut, where its requests are refused", () => {
    fc.assert(
      fc.property(streams, cuts, (stream, where) => {
        expect(read(slices(stream, where), { bodyBytes: 40 }, "/led")).toEqual(
          read([stream], { bodyBytes: 40 }, "/led"),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
