/** Cookies are skipped: they count for no limit but their own, however they are cut, and none of them is kept. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostCookieBytes } from "../../../ts/core/http/cookies.ts";
import { newReader, read } from "../server/reading.ts";
import { cuts, requestLimits, requests, slices } from "./request-streams.ts";

/** @returns a head with a Cookie line of so many bytes. */
function headWith(bytes: number, name = "Cookie: ", behind = ""): string {
  const value = "c".repeat(bytes - name.length - 2);
  return `GET /led HTTP/1.1\r\nHost: a\r\n${name}${value}\r\n${behind}\r\n`;
}

const narrow = { headerBytes: 60, headerFields: 3 };

/** Ways to cut a long head: whole, in pieces as large as a read, and such that each end of a line is cut. */
const ways: readonly ((bytes: string) => readonly string[])[] = [
  (bytes) => [bytes],
  (bytes) => bytes.match(/.{1,1000}/gs) ?? [],
  (bytes) => bytes.split(/(?<=\r)/),
  (bytes) => bytes.split(/(?=\r)|(?<=\n)/),
  (bytes) => [...bytes.slice(0, 60), bytes.slice(60, -9), ...bytes.slice(-9)],
];

describe.each(ways.map((cut, way) => [way, cut] as const))("cut in way %i,", (_, cut) => {
  test("cookies of 16 KB are skipped, beside fields that fill their own limit", () => {
    const rest = `X: ${"x".repeat(46)}\r\n`;
    expect(read(cut(headWith(mostCookieBytes, "Cookie: ", rest)), narrow).requests).toHaveLength(1);
    expect(read(cut(headWith(mostCookieBytes, "COOKIE:", rest)), narrow).requests).toHaveLength(1);
    expect(read(cut(headWith(20, "Cookie:", rest.replace("x", "xx"))), narrow).refusal?.status).toBe(431);
  });

  test("one byte more gets 431, also in several lines", () => {
    const line = "Cookie: a\r\n";
    for (const head of [
      headWith(mostCookieBytes + 1),
      headWith(mostCookieBytes - 4 * line.length + 1, "Cookie: ", line.repeat(4)),
    ]) {
      const { refusal } = read(cut(head));
      expect(refusal).toMatchObject({
        status: 431,
        detail: `The Cookie fields are longer than ${mostCookieBytes} bytes.`,
      });
    }
    expect(
      read(cut(headWith(mostCookieBytes - 4 * line.length, "Cookie: ", line.repeat(4))), narrow).requests,
    ).toHaveLength(1);
  });

  test("a control character in a cookie is refused as in any field", () => {
    expect(read(cut(headWith(2_000).replace("ccc\r", "c\0c\r")), narrow).refusal?.status).toBe(400);
    expect(read(cut(headWith(2_000).replace("Cookie:", "Cookie :")), narrow).refusal?.status).toBe(400);
  });
});

test("too many cookies are refused also where the limit of the other fields is larger", () => {
  expect(read([headWith(mostCookieBytes + 1)], { headerBytes: 65_536 }).refusal?.status).toBe(431);
  expect(read([headWith(mostCookieBytes)], { headerBytes: 65_536 }).requests).toHaveLength(1);
});

test("a field whose name begins as Cookie counts as every other one", () => {
  for (const name of ["Coo: ", "Cookie2: ", "Cookies: ", "Set-Cookie: "]) {
    expect(read([headWith(100, name)], narrow).refusal?.status).toBe(431);
    expect(read([...headWith(100, name)], narrow).refusal?.status).toBe(431);
  }
});

test("no more than a line's name is held of cookies whose head is not complete", () => {
  const { reader } = newReader();
  const head = headWith(8_000, "Cookie: ", headWith(8_000).split("\r\n").slice(2, 3).join("").concat("\r\n"));
  let most = 0;
  for (const piece of head.slice(0, -1).match(/.{1,100}/gs) ?? []) {
    reader.feed(piece);
    expect(reader.next()).toBeUndefined();
    most = Math.max(most, reader.heldBytes);
  }
  expect(most).toBeLessThan(50);
  reader.feed("\n");
  expect(reader.next()).toMatchObject({
    head: { target: "/led", bytes: "GET /led HTTP/1.1\r\nHost: a\r\n\r\n".length },
  });
});

test("requests with cookies are read as the same requests without them, however they are cut", () => {
  const cookie = fc.constantFrom(
    "",
    "Cookie: a=b\r\n",
    "cookie:\r\n",
    `COOKIE:\t${"c".repeat(300)}\xff\r\nCookie: d\r\n`,
  );
  const streams = fc.array(requests, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(streams, cookie, requestLimits, cuts, (row, line, chosen, where) => {
      const more = row.map((bytes) => bytes.replace(/^(?:\r\n)?[^\r]*\r\nHost: a\r\n/, (begin) => begin + line));
      expect(read(slices(more.join(""), where), chosen)).toEqual(read([row.join("")], chosen));
    }),
    { numRuns: 2_000 },
  );
});
