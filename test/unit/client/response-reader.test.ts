/** The strict reader of responses: what it accepts, and what it refuses however the bytes are cut. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ResponseReader } from "../../../ts/parts/client/response-reader.ts";
import { acceptedChunks } from "../../wire/chunked-body.ts";
import { responseHead as head, limits, refusedResponses } from "../../wire/response.ts";

/** What becomes of a response. */
type Verdict = { readonly status: number; readonly body: string } | "more" | "refused";

function verdict(pieces: Iterable<string>, ends = false): Verdict {
  const reader = new ResponseReader(limits, true);
  try {
    for (const piece of pieces) reader.take(piece);
    if (ends) reader.end();
  } catch (error) {
    expect((error as Error).message).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
    return "refused";
  }
  return reader.isDone ? { status: reader.status, body: reader.body } : "more";
}

describe("a response is accepted", () => {
  test.each<[string, string, Verdict]>([
    ["with a length", `${head}Content-Length: 2\r\n\r\nok`, { status: 200, body: "ok" }],
    ["without a body", "HTTP/1.1 204 No Content\r\n\r\n", { status: 204, body: "" }],
    ["of an empty body", `${head}Content-Length: 0\r\n\r\n`, { status: 200, body: "" }],
    ["without a reason", "HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n", { status: 500, body: "" }],
    ["in chunks", `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, { status: 200, body: "ok" }],
    [
      "behind interim ones",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${head}Content-Length: 1\r\n\r\na`,
      { status: 200, body: "a" },
    ],
    [
      "that sends elsewhere, which is a status",
      "HTTP/1.1 302 F\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
      { status: 302, body: "" },
    ],
  ])("%s", (_, bytes, expected) => {
    expect(verdict([bytes])).toEqual(expected);
    expect(verdict(bytes)).toEqual(expected);
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(verdict([bytes.slice(0, cut)])).toBe("more");
      expect(verdict([bytes.slice(0, cut)], true)).toBe("refused");
    }
  });

  test("whose body ends with the connection", () => {
    expect(verdict([`${head}\r\nall of it`])).toBe("more");
    expect(verdict([`${head}\r\nall of it`], true)).toEqual({ status: 200, body: "all of it" });
  });

  test("on an encrypted connection, but not if nothing but its end ends it", () => {
    const limits = { headBytes: 512, bodyBytes: 64, isEndProven: true };
    const take = (bytes: string) => {
      const reader = new ResponseReader(limits, true);
      reader.take(bytes);
      return reader.isDone;
    };
    expect(take("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")).toBe(true);
    expect(take("HTTP/1.1 204 No Content\r\n\r\n")).toBe(true);
    expect(() => take("HTTP/1.1 200 OK\r\n\r\na")).toThrow("neither a length nor chunks");
  });

  test.each(acceptedChunks)("in chunks: $name", ({ content, body }) => {
    expect(verdict([`${head}Transfer-Encoding: chunked\r\n\r\n${content}`])).toEqual({ status: 200, body });
  });
});

describe("a response is refused", () => {
  test("many of them", () => expect(refusedResponses.length).toBeGreaterThan(200));
  test.each(refusedResponses)("$name", ({ bytes }) => {
    expect(verdict([bytes])).toBe("refused");
    expect(verdict(bytes)).toBe("refused");
  });
});

test("any bytes, cut anywhere, have one verdict", () => {
  const pieces = fc.constantFrom(
    head,
    "Content-Length: 2\r\n",
    "Transfer-Encoding: chunked\r\n",
    "\r\n",
    "2\r\n",
    "ab",
    "0\r\n",
    "X: y\r\n",
    "\n",
    " ",
    "HTTP/1.1 100 C\r\n\r\n",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.array(fc.nat(200)), (parts, places) => {
      const bytes = head + parts.join("");
      const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((one, other) => one - other)];
      const slices = cuts.map((cut, index) => bytes.slice(cut, cuts[index + 1]));
      expect(verdict(slices)).toEqual(verdict([bytes]));
    }),
  );
});
