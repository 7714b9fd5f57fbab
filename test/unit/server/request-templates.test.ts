/** Requests that are like one seen before but for one place. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { admittedFreely } from "../../../ts/access/admission.ts";
import { HttpError } from "../../../ts/http/http-error.ts";
import type { Route } from "../../../ts/operations/noun-route.ts";
import { defaultLimits } from "../../../ts/server/options.ts";
import { RequestMemory } from "../../../ts/server/request-memory.ts";
import { type ReaderContext, RequestReader } from "../../../ts/server/request-reader.ts";

const limits = { ...defaultLimits, targetBytes: 64, headerBytes: 300, headerFields: 8 };

const route = (takesBody: boolean): Route => ({
  takesBody,
  shape: undefined,
  perform: () => {
    throw new Error("Nothing is performed here.");
  },
});

/** Admits every head but those of some targets, and takes every body as a state. */
const service: ReaderContext["service"] = {
  admit: (head) => {
    const admission = head.target.includes("allowed")
      ? { ...admittedFreely, fields: `For: ${head.fields.values["host"]}\r\n` }
      : admittedFreely;
    if (!head.target.includes("refused")) return { head, admission, route: route(head.method === "PUT") };
    return { head, admission, error: HttpError.keeping(404, "This target is refused."), close: false };
  },
  readBody: (admitted, body) => ({ ...admitted, state: { body }, bodyBytes: body.length }),
};

const newMemory = () => new RequestMemory(limits, service);

/** Reads one read's bytes on a connection of its own. @returns all that they come to. */
function read(bytes: string, memory: RequestMemory): unknown {
  const reader = new RequestReader({ limits, memory, service }, { peer: "" });
  reader.feed(bytes);
  const outcomes: unknown[] = [];
  for (let next = reader.next(); next !== undefined; next = reader.next()) {
    if (!("head" in next)) outcomes.push(next);
    else if (next.route === undefined) outcomes.push({ status: next.error.status, close: next.close });
    // A template stands for heads of other lengths, which no client sees.
    else outcomes.push({ head: { ...next.head, bytes: 0 }, admission: next.admission, state: next.state });
    if ("close" in next && next.close) break;
  }
  return { outcomes, progress: reader.progress, isIdle: reader.isIdle };
}

/** @returns a memory that has seen requests that differ in one line. */
function memoryOf(request: (line: string) => string, name: string): RequestMemory {
  const memory = newMemory();
  for (const value of ["aa", "bb", "cc"]) read(request(`${name}: ${value}`), memory);
  return memory;
}

const agent = `User-Agent: ${"x".repeat(80)}`;
const around = (line: string) => `GET /led HTTP/1.1\r\nHost: a\r\n${line}\r\n${agent}\r\nAccept: */*\r\n\r\n`;
const get = (name: string) => `GET /${name} HTTP/1.1\r\nHost: a\r\n\r\n`;
const put = (body: string) =>
  `PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n${body}`;

test("a request that differs in a value that does not matter is known by what is around it", () => {
  const similar = memoryOf(around, "Cookie");
  const found = similar.find(around("Cookie: d"));
  expect(found?.head).toMatchObject({ method: "GET", target: "/led" });
  expect(similar.find(around("Cookie: longer"))).toBe(found);
  expect(similar.find(around("Cookie:"))).toBe(found);
  expect(similar.find(around("Cookie2: d"))).toBeUndefined();
  expect(similar.find(around("Cookie : d"))).toBeUndefined();
  expect(similar.find(around("Cookie: \0"))).toBeUndefined();
  expect(similar.find(`${around("Cookie: d")}G`)).toBeUndefined();
});

test.each([["Authorization"], ["Connection"], ["If-None-Match"], ["Origin"], ["Accept-Encoding"]])(
  "requests that differ in the field %s are not similar",
  (name) => {
    expect(memoryOf(around, name).find(around(`${name}: d`))).toBeUndefined();
  },
);

test("a request with credentials is similar to none", () => {
  const withCredentials = (line: string) => around(`Authorization: Bearer a\r\n${line}`);
  expect(memoryOf(withCredentials, "Cookie").find(withCredentials("Cookie: d"))).toBeUndefined();
});

test("a request whose field lines are longer than they may be is refused, however similar", () => {
  const memory = memoryOf(around, "Cookie");
  const rest = `Host: a\r\nCookie: \r\n${agent}\r\nAccept: */*\r\n`.length;
  const longest = around(`Cookie: ${"x".repeat(limits.headerBytes - rest)}`);
  expect(memory.find(longest)).toBeDefined();
  expect(read(longest.replace("xx", "xxx"), memory)).toMatchObject({ outcomes: [{ status: 431, close: true }] });
});

test("a request that differs in its body alone is known by its head, and its body is read", () => {
  const memory = newMemory();
  read(put('{"led":1}'), memory);
  expect(memory.find(put('{"led":2}'))).toMatchObject({ state: { body: '{"led":2}' } });
  expect(memory.find(put('{"led":12}'))).toBeUndefined();
  expect(memory.find(put('{"led":'))).toBeUndefined();
  expect(read(put('{"led":3}'), memory)).toMatchObject({
    outcomes: [{ state: { body: '{"led":3}' } }],
    isIdle: true,
  });
});

test("what is known is forgotten when a noun is not registered any more", () => {
  const memory = memoryOf(around, "Cookie");
  read(put('{"led":1}'), memory);
  memory.forgetRoutes();
  expect(memory.find(around("Cookie: d"))).toBeUndefined();
  expect(memory.find(put('{"led":2}'))).toBeUndefined();
});

test("no more of them are kept than it costs little to look through", () => {
  const memory = newMemory();
  const heads = Array.from({ length: 5 }, (_, index) => (line: string) => around(line).replace("led", `led${index}`));
  for (const head of heads) for (const value of ["a", "b"]) read(head(`Cookie: ${value}`), memory);
  const found = heads.map((head) => memory.find(head("Cookie: d")) !== undefined);
  expect(found).toEqual([false, true, true, true, true]);
});

test("whatever is instead of the value, the body or the name, the outcome is that of a reader without a memory", () => {
  const piece = fc.oneof(
    fc.constantFrom("a", " ", "\t", ":", "\r", "\n", "\0", "\x7f", "\x80", "\xff", "\r\n", "\r\n\r\n", "X: y", " z"),
    fc.constantFrom(
      "\r\nCookie: b",
      "\r\nHost: b",
      "\r\nContent-Length: 1",
      "\r\nAccept: */*\r\n\r\n",
      "x".repeat(150),
    ),
    fc.constantFrom("led", "refused", "allowed", "/", "?", "%41", " HTTP/1.1\r\nHost: b", " HTTP/1.0", "x".repeat(62)),
    fc.constantFrom("\r\n\r\nGET / HTTP/1.1\r\nHost: b", "\r\nAuthorization: Bearer a", '{"led":1}'),
  );
  const value = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const behind = fc.constantFrom("", "", "\r\n", "GET /led", around("Cookie: a"));
  const kind = fc.constantFrom(put, get, (text: string) => around(`Cookie: ${text}`));
  fc.assert(
    fc.property(fc.array(fc.tuple(value, behind, kind), { minLength: 1, maxLength: 6 }), (requests) => {
      const memory = memoryOf(around, "Cookie");
      read(put('{"led":1}'), memory);
      read(get("led"), memory);
      for (const [text, rest, request] of requests) {
        const bytes = request(text) + rest;
        expect(read(bytes, memory)).toEqual(read(bytes, newMemory()));
      }
    }),
    // A body that is known from before need not be read again: what counts is the state that it comes to.
    {
      numRuns: 2000,
      examples: [
        [
          [
            ['{"led":1}', "", put],
            ['{"led":1}', "", put],
          ],
        ],
      ],
    },
  );
});
