import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptedChunks, refusedChunks } from "../../wire/chunked-body.ts";
import { encodedBodies } from "../http/chunked-streams.ts";
import { cuts, mutated, requestStreams, slices } from "../http/request-streams.ts";
import { read } from "./reading.ts";

const head = "PUT /led HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

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
      fc.property(streams, cuts, fc.constantFrom(8, 40, 4096), (stream, where, bodyBytes) => {
        expect(read(slices(stream, where), { bodyBytes })).toEqual(read([stream], { bodyBytes }));
      }),
      { numRuns: 3_000 },
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
