/** Requests that are known but for one place. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { HttpError } from "../../../ts/http/http-error.ts";
import type { Route } from "../../../ts/operations/noun-route.ts";
import { defaultLimits } from "../../../ts/server/options.ts";
import type { Judge } from "../../../ts/server/request.ts";
import { RequestMemory } from "../../../ts/server/request-memory.ts";
import { RequestReader } from "../../../ts/server/request-reader.ts";

const limits = { ...defaultLimits, targetBytes: 64, headerBytes: 300, headerFields: 8 };

/** Reads one read's bytes on a connection of its own. @returns all that they come to. */
function read(bytes: string, memory: RequestMemory): unknown {
  const route = (takesBody: boolean): Route => ({
    takesBody,
    shape: undefined,
    perform: () => {
      throw new Error("Nothing is performed here.");
    },
  });
  const judge: Judge = {
    admit: ({ method, target, fields }, _peer, admission) => {
      if (target.includes("refused")) throw HttpError.keeping(404, "This target is refused.");
      if (target.includes("allowed")) admission.fields = `For: ${fields.value("host")}\r\n`;
      return route(method === "PUT");
    },
    readState: (body) => ({ body }),
  };
  const reader = new RequestReader({ limits, memory, judge }, { peer: "" });
  reader.feed(bytes);
  const outcomes: unknown[] = [];
  for (let next = reader.next(); next !== undefined; next = reader.next()) {
    if (!("head" in next)) outcomes.push(next);
    else if ("error" in next) outcomes.push({ status: next.error.status, close: next.close });
    else outcomes.push({ head: next.head, admission: next.admission, isPlain: next.isPlain, state: next.state });
    if ("error" in next && next.close) break;
  }
  return { outcomes, progress: reader.progress, isIdle: reader.isIdle };
}

/** @returns a memory that has seen requests that differ in one line. */
function memoryOf(request: (line: string) => string, name: string): RequestMemory {
  const memory = new RequestMemory(limits);
  for (const value of ["aa", "bb", "cc"]) read(request(`${name}: ${value}`), memory);
  return memory;
}

const agent = `User-Agent: ${"x".repeat(80)}`;
const around = (line: string) => `GET /led HTTP/1.1\r\nHost: a\r\n${line}\r\n${agent}\r\nAccept: */*\r\n\r\n`;
const get = (name: string) => `GET /${name} HTTP/1.1\r\nHost: a\r\n\r\n`;
const put = (body: string) =>
  `PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n${body}`;

test("a request that differs in a value that does not matter is known by what is around it", () => {
  const { similar } = memoryOf(around, "Cookie");
  const found = similar.find(around("Cookie: d"));
  expect(found?.request.head).toMatchObject({ method: "GET", target: "/led" });
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
    expect(memoryOf(around, name).similar.find(around(`${name}: d`))).toBeUndefined();
  },
);

test("a request with credentials is similar to none", () => {
  const withCredentials = (line: string) => around(`Authorization: Bearer a\r\n${line}`);
  expect(memoryOf(withCredentials, "Cookie").similar.find(withCredentials("Cookie: d"))).toBeUndefined();
});

test("a request whose field lines are longer than they may be is refused, however similar", () => {
  const memory = memoryOf(around, "Cookie");
  const rest = `Host: a\r\nCookie: \r\n${agent}\r\nAccept: */*\r\n`.length;
  const longest = around(`Cookie: ${"x".repeat(limits.headerBytes - rest)}`);
  expect(memory.similar.find(longest)).toBeDefined();
  expect(read(longest.replace("xx", "xxx"), memory)).toMatchObject({ outcomes: [{ status: 431, close: true }] });
});

test("a request that differs in its body alone is known by its head, and its body is read", () => {
  const memory = new RequestMemory(limits);
  read(put('{"led":1}'), memory);
  expect(memory.similar.find(put('{"led":2}'))?.place).toBe("body");
  expect(memory.similar.find(put('{"led":12}'))).toBeUndefined();
  expect(memory.similar.find(put('{"led":'))).toBeUndefined();
  expect(read(put('{"led":3}'), memory)).toMatchObject({
    outcomes: [{ state: { body: '{"led":3}' } }],
    isIdle: true,
  });
});

test("a request that differs in its noun's name alone is known by what is around it, and is admitted by that name", () => {
  const memory = new RequestMemory(limits);
  read(get("led"), memory);
  const found = memory.similar.find(get("button"));
  expect(found?.place).toBe("target");
  for (const name of ["", "a b", "a\x80", "a\r\nX:", "a\t", "x".repeat(65)])
    expect(memory.similar.find(get(name))).toBeUndefined();
  expect(memory.similar.find(get("button").replace("GET", "PUT"))).toBeUndefined();
  expect(memory.similar.find(get("button").replace("Host: a", "Host: b"))).toBeUndefined();
  expect(read(get("button"), memory)).toMatchObject({ outcomes: [{ head: { target: "/button" }, isPlain: true }] });
  expect(read(get("allowed"), memory)).toMatchObject({
    outcomes: [{ admission: { fields: "For: a\r\n" }, isPlain: false }],
  });
  expect(read(get("refused"), memory)).toMatchObject({ outcomes: [{ status: 404, close: false }], isIdle: true });
});

test("a target that is longer than it may be is refused, however similar", () => {
  const memory = new RequestMemory(limits);
  read(get("led"), memory);
  expect(memory.similar.find(get("x".repeat(limits.targetBytes - 1)))).toBeDefined();
  expect(read(get("x".repeat(limits.targetBytes)), memory)).toMatchObject({ outcomes: [{ status: 414, close: true }] });
});

test("what is known is forgotten when a noun is not registered any more", () => {
  const memory = memoryOf(around, "Cookie");
  read(put('{"led":1}'), memory);
  memory.forgetRoutes();
  expect(memory.similar.find(around("Cookie: d"))).toBeUndefined();
  expect(memory.similar.find(put('{"led":2}'))).toBeUndefined();
});

test("no more of them are kept than it costs little to look through", () => {
  const memory = new RequestMemory(limits);
  const heads = Array.from({ length: 5 }, (_, index) => (line: string) => around(line).replace("led", `led${index}`));
  for (const head of heads) for (const value of ["a", "b"]) read(head(`Cookie: ${value}`), memory);
  const found = heads.map((head) => memory.similar.find(head("Cookie: d")) !== undefined);
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
        expect(read(bytes, memory)).toEqual(read(bytes, new RequestMemory(limits)));
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
