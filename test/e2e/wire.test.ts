/**
 * The wire contract by the built program: one test for each of its subjects. What each of them says in full is tried by
 * the vectors (wire-vectors.test.ts) and on simulated sockets (unit/server/wire-contract).
 */

import { describe, expect, test } from "vitest";
import { slowness } from "../harness/environment.ts";
import { allowed, expectProblem, expectState, stateOf } from "../harness/expected-response.ts";
import { startApplication, startNound } from "../harness/nound-process.ts";
import { processorTicks } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get, post, put, request, requestWithBody } from "../harness/request.ts";
import type { Response } from "../harness/response.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";
import { ample, drip, openWith, times } from "../harness/time-limits.ts";
import { cuts } from "../wire/cuts.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const button = { kind: "gpio-input", chip: "gpiochip0", offset: 19, key: "pressed" } as const;
const nound = forAllTests(() => startNound({ nouns: { ...nouns, button } }, ["--simulate"]));

/** Sends requests at once on one connection: a body where none belongs would be taken for the next status line. */
async function ask(...requests: readonly string[]): Promise<Response[]> {
  const connection = await RawConnection.open(nound().address);
  connection.send(requests.join(""));
  const responses: Response[] = [];
  for (const bytes of requests) responses.push(await connection.response(bytes.split(" ")[0]));
  connection.send(get("/still"));
  expectState(await connection.response(), stillState);
  connection.drop();
  return responses;
}

const bodies = (responses: readonly Response[]): readonly string[] => responses.map(({ body }) => body.toString());

async function expectCanaryAlive(): Promise<void> {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/canary"));
  expectState(await connection.response(), nouns.canary.default);
  connection.drop();
}

test("GET is answered in the bytes of the contract", async () => {
  const [, response] = await ask(del("/led"), "GET /led HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(response?.bytes.split("\r\n\r\n")[0]?.split("\r\n").sort()).toEqual([
    "Cache-Control: no-store",
    "Content-Length: 9",
    "Content-Type: application/json",
    "HTTP/1.1 200 OK",
    "X-Content-Type-Options: nosniff",
  ]);
  expect(response?.body.toString()).toBe('{"led":0}');
});

test("the verbs read, set, update and reset a noun, under every case of its name", async () => {
  const led = [
    del("/led"),
    put("/led", { led: 1 }),
    get("/LED"),
    post("/Led"),
    post("/%6ced"),
    get("/lE%44"),
    del("/led"),
  ];
  expect(bodies(await ask(...led))).toEqual([0, 1, 1, 0, 1, 1, 0].map((level) => `{"led":${level}}`));
  const text = { text: "5 µm 温 🌡" };
  const [set, updated, refused, kept] = await ask(
    put("/note", text),
    post("/note", { size: 3 }),
    put("/led", { led: 7 }),
    get("/led"),
  );
  expectState(set as Response, text);
  expect(set?.fields.get("content-length")).toBe(String(Buffer.byteLength(JSON.stringify(text))));
  expect(stateOf(updated as Response)).toMatchObject({ size: 3 });
  expect(expectProblem(refused as Response, 422, "keep")).toContain("led");
  expectState(kept as Response, { led: 0 });
});

test.each(["/still", "/led", "/note", "/button", "/", "/zqx", "/led?zqx"])(
  "HEAD of %s is answered as GET is, without its body; OPTIONS with what is allowed there",
  async (target) => {
    const [head, whole, options] = await ask(request("HEAD", target), get(target), request("OPTIONS", target));
    expect(head?.status).toBe(whole?.status);
    expect(head?.fields).toEqual(whole?.fields);
    expect(head?.fields.get("content-length")).toBe(String(whole?.body.length));
    expect(head?.body.length).toBe(0);
    const { noun, readOnlyNoun, all } = allowed;
    const allow = { "/": all, "/button": readOnlyNoun }[target] ?? noun;
    if (head?.status === 200)
      expect(Object.fromEntries(options?.fields ?? [])).toEqual({ allow, "cache-control": "no-store" });
    else expectProblem(options as Response, whole?.status ?? 0, "keep");
  },
);

test("a noun that cannot be set refuses PUT and POST before it looks at a body, and is reset by DELETE", async () => {
  const plain = put("/button", { pressed: 1 }).replace("application/json", "text/plain");
  const answers = await ask(plain, post("/button"), request("PATCH", "/button"));
  for (const answer of answers)
    expect(expectProblem(answer, 405, "keep") && answer.fields.get("allow")).toBe(allowed.readOnlyNoun);
  expectState((await ask(del("/button")))[0] as Response, { pressed: 0 });
  const [led, all] = await ask(request("PATCH", "/led"), del("/"));
  expect([led?.status, led?.fields.get("allow")]).toEqual([405, allowed.noun]);
  expect([all?.status, all?.fields.get("allow")]).toEqual([405, allowed.all]);
});

test("GET / has each noun's state under its name, and changes with it", async () => {
  const [, all] = await ask(put("/led", { led: 1 }), get("/"));
  expect(Object.keys(JSON.parse(all?.body.toString() ?? ""))).toEqual([
    ...Object.keys(nouns),
    "button",
    "simulated.button",
  ]);
  expect(JSON.parse(all?.body.toString() ?? "")).toMatchObject({ led: { led: 1 }, still: stillState });
  expect([all?.fields.get("vary"), all?.fields.get("cache-control")]).toEqual(["Accept", "no-store"]);
});

test("a thousand requests in one send are answered in order", async () => {
  const connection = await RawConnection.open(nound().address);
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  connection.send(numbers.map((index) => put("/note", { index })).join(""));
  for (const index of numbers) expectState(await connection.response(), { index });
});

test.each(cuts)("requests of every kind keep their order, sent $how", async ({ cut }) => {
  const connection = await RawConnection.open(nound().address);
  const answered =
    put("/led", { led: 0 }) +
    `\r\n${post("/led")}` +
    get("/zqx") +
    request("HEAD", "/led") +
    put("/led", { led: 2 }) +
    request("GET", "http://localhost/still") +
    "DELETE /led HTTP/1.1\r\nHost: localhost\r\n\r\n" +
    request("GET", "/still", "Connection: close\r\n");
  // What follows the last request comes at once: the server discards for two seconds, however busy this machine is.
  const sent = connection.sendApart([...cut(answered), put("/canary", { executed: true })]);
  expectState(await connection.response(), { led: 0 });
  expectState(await connection.response(), { led: 1 });
  expectProblem(await connection.response(), 404, "keep");
  expect((await connection.response("HEAD")).fields.get("content-length")).toBe("9");
  expectProblem(await connection.response(), 422, "keep");
  expectState(await connection.response(), stillState);
  expectState(await connection.response(), { led: 0 });
  expectState(await connection.response(), stillState, "close");
  await sent;
  await connection.closedInOrder();
  await expectCanaryAlive();
});

test("a client that half-closes behind its requests gets all answers, then FIN", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/still") + get("/still"));
  connection.finish();
  expect((await connection.response()).status).toBe(200);
  expect((await connection.response()).status).toBe(200);
  await connection.closedInOrder();
});

test("100 Continue comes once the requests before it are answered; a refusal comes instead of it", async () => {
  const fields = "Content-Type: application/json\r\nContent-Length: 7\r\nExpect: 100-Continue\r\n";
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/still") + request("PUT", "/note", fields));
  expectState(await connection.response(), stillState);
  await connection.exactly("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send('{"a":1}');
  expectState(await connection.response(), { a: 1 });
  connection.send(request("PUT", "/zqx", fields));
  const refused = await connection.response();
  expect(refused.interim).toEqual([]);
  expectProblem(refused, 404, "open");
});

describe("a chunked PUT", () => {
  const fields = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
  const executed = `${request("PUT", "/canary", fields)}8\r\n{"execut\r\n9\r\ned":true}\r\n0\r\n\r\n`;
  const everywhere = Array.from({ length: executed.length }, (_, length) => length);

  test("that ends after any of its bytes, by FIN or RST, changes nothing; its last byte executes it", async () => {
    await Promise.all(
      everywhere.map(async (length) => {
        const connection = await RawConnection.open(nound().address);
        connection.send(executed.slice(0, length));
        connection.finish();
        await connection.gone();
        expect(connection.unread, `${length} bytes`).not.toContain(" 200 ");
        const other = await RawConnection.open(nound().address);
        await other.sendApart([executed.slice(0, length)]);
        other.reset();
      }),
    );
    await expectCanaryAlive();
    const [set, reset] = await ask(executed, del("/canary"));
    expectState(set as Response, { executed: true });
    expectState(reset as Response, nouns.canary.default);
  });

  test.each([
    ["an extension", "9;", 400],
    ["a size over the limit", "1001", 413],
  ])("is refused at once for %s, and nothing behind it is executed", async (_, bytes, status) => {
    const connection = await RawConnection.open(nound().address);
    connection.send(request("PUT", "/led", fields) + bytes);
    expectProblem(await connection.response(), status, "close");
    await connection.closedInOrder();
    await expectCanaryAlive();
  });
});

describe("a body of a megabyte", () => {
  const roomy = forAllTests(() => startNound({ nouns, limits: { bodyBytes: 1_048_576, bodyTimeout: ample } }));

  /** @returns hundredths of a second of the processor for a request. */
  async function ticks(bytes: string, expected = 200): Promise<number> {
    const before = processorTicks(roomy().pid);
    const connection = await RawConnection.open(roomy().address);
    connection.send(bytes);
    expect((await connection.response()).status).toBe(expected);
    connection.drop();
    return processorTicks(roomy().pid) - before;
  }

  const text = (of: string, behind: string) =>
    requestWithBody("PUT", "/note", `{"text":"${of.repeat(1_048_000 / of.length)}${behind}`);

  test.each([
    ["escaped letters", "\\u0041", '"}', 200],
    ["escaped quotation marks that are no state", '\\"', '"', 400],
    ["escapes that JSON does not have", "\\x", '"}', 400],
  ])("of %s costs at most four times as much as one of letters", async (_, of, behind, expected) => {
    const letters = await ticks(text("x", '"}'));
    expect(await ticks(text(of, behind), expected)).toBeLessThanOrEqual(4 * (letters + 2));
  });

  /** Bytes of data whose framing is within its limit: five bytes for each, and as many again and 1 KB are allowed. */
  const data = Math.floor((1_048_576 + 1_024) / 5) - 1;
  const chunked = request("PUT", "/note", "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n");
  const byteByByte = (length: number) => `${chunked}${"1\r\n \r\n".repeat(length - 2)}2\r\n{}\r\n0\r\n\r\n`;

  test("in chunks of one byte costs at most four times as much as one chunk, and by its length", async () => {
    const one = `${chunked}${(1_048_000).toString(16)}\r\n${" ".repeat(1_047_998)}{}\r\n0\r\n\r\n`;
    const large = await ticks(byteByByte(data));
    expect(large).toBeLessThanOrEqual(4 * ((await ticks(one)) + 2));
    // A hundredth of a second is the least that is counted.
    expect(large).toBeLessThan(20 * ((await ticks(byteByByte(Math.floor(data / 8)))) + 2));
  });
});

describe("the configured limits", () => {
  const limits = { targetBytes: 16, headerBytes: 256, headerFields: 4, bodyBytes: 20, statePairs: 2 };
  const narrow = forAllTests(() => startNound({ nouns, limits }));
  const padding = "a".repeat(256 - "Host: localhost\r\nX: \r\n".length);

  test.each([
    ["a target of 16 bytes", get(`/${"a".repeat(15)}`), 404, get(`/${"a".repeat(16)}`), 414],
    [
      "256 bytes of fields",
      request("GET", "/still", `X: ${padding}\r\n`),
      200,
      request("GET", "/still", `X: a${padding}\r\n`),
      431,
    ],
    [
      "4 fields",
      request("GET", "/still", "A: a\r\nB: b\r\nC: c\r\n"),
      200,
      request("GET", "/still", "A: a\r\n".repeat(4)),
      431,
    ],
    ["a body of 20 bytes", put("/note", { a: "b".repeat(12) }), 200, put("/note", { a: "b".repeat(13) }), 413],
    ["2 pairs", put("/note", { a: 1, b: 2 }), 200, put("/note", { a: 1, b: 2, c: 3 }), 400],
  ])("allow %s, and no more", async (_, within, status, beyond, refusal) => {
    const connection = await RawConnection.open(narrow().address);
    connection.send(within);
    expect((await connection.response()).status).toBe(status);
    connection.send(beyond);
    expectProblem(await connection.response(), refusal, refusal === 400 ? "keep" : "close");
  });

  test("refuse a body in order also while the client still sends it", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(request("PUT", "/note", "Content-Type: application/json\r\nContent-Length: 1000000\r\n"));
    // Bytes on their way when the answer is sent must not turn its FIN into an RST, which would destroy the answer.
    for (let sent = 0; sent < 200_000 && !connection.closed; sent += 10_000) {
      await connection.sendApart(["x".repeat(10_000)]);
    }
    expectProblem(await connection.response(), 413, "close");
    await connection.closedInOrder();
  });
});

describe("the time", () => {
  const media = "Content-Type: application/json\r\n";
  test.each([
    ["for a head", "headersTimeout", "GET /still HTTP/1.1\r\nHost: a\r\nX: ", "a"],
    ["for a body", "bodyTimeout", request("PUT", "/canary", `${media}Content-Length: 4000\r\n`), " "],
    [
      "for all chunks",
      "bodyTimeout",
      request("PUT", "/canary", `${media}Transfer-Encoding: chunked\r\n`),
      "1\r\n \r\n",
    ],
  ] as const)("%s ends in 408, and is not prolonged by a byte now and then", async (_, limit, begin, more) => {
    const limits = { headersTimeout: ample, bodyTimeout: ample, [limit]: times[limit] };
    const hasty = forThisTest(await startNound({ nouns, limits }));
    const connection = await openWith(hasty, begin);
    drip(connection, more);
    expectProblem(await connection.response(), 408, "close");
    await connection.closedInOrder();
  });

  test("that a connection may be idle ends with FIN and without a word", async () => {
    const limits = { headersTimeout: ample, keepAliveTimeout: times.keepAliveTimeout };
    const hasty = forThisTest(await startNound({ nouns, limits }));
    const connection = await RawConnection.open(hasty.address);
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    await connection.closedInOrder();
  });
});

test("with hosts, a page whose name was made to resolve to the device gets 421, and nothing is done", async () => {
  const guarded = forThisTest(await startNound({ access: { hosts: ["hall.example"] }, nouns }));
  const connection = await RawConnection.open(guarded.address);
  const to = (host: string, bytes: string) => bytes.replace("Host: localhost", `Host: ${host}`);
  connection.send(to("HALL.example:8443", get("/still")) + to("evil.example", put("/canary", { alive: false })));
  connection.send(to("hall.example", get("/canary")));
  expectState(await connection.response(), stillState);
  expectProblem(await connection.response(), 421, "keep");
  expectState(await connection.response(), nouns.canary.default);
});

test("with origins, a page of a listed one may ask and read, and any other gets 403", async () => {
  const panel = "https://panel.example";
  const guarded = forThisTest(await startNound({ access: { origins: [panel] }, nouns }));
  const connection = await RawConnection.open(guarded.address);
  const preflight = "Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Private-Network: true\r\n";
  connection.send(request("OPTIONS", "/led", `Origin: ${panel}\r\n${preflight}`));
  await connection.exactly(
    "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n" +
      `Access-Control-Allow-Origin: ${panel}\r\nVary: Origin\r\n` +
      "Access-Control-Expose-Headers: Allow, ETag, Link, Retry-After\r\n" +
      "Access-Control-Allow-Methods: GET, PUT, POST, DELETE\r\n" +
      "Access-Control-Allow-Headers: Content-Type, Authorization, Last-Event-ID, If-None-Match\r\n" +
      "Access-Control-Max-Age: 600\r\nAccess-Control-Allow-Private-Network: true\r\n\r\n",
  );
  connection.send(request("GET", "/still", `Origin: ${panel}\r\n`) + request("GET", "/still", "Origin: null\r\n"));
  const read = await connection.response();
  expectState(read, stillState);
  expect(read.fields.get("access-control-allow-origin")).toBe(panel);
  const refused = await connection.response();
  expectProblem(refused, 403, "keep");
  expect(refused.bytes.toLowerCase()).not.toContain("access-control");
});

test("GET / of an application has null for nouns that fail or never answer, and keeps no other client", async () => {
  const limits = { nounTimeout: 400 * slowness, shutdownTimeout: 300, nounBusyTime: 200 * slowness };
  const application = forThisTest(await startApplication(limits));
  const waiting = await RawConnection.open(application.address);
  waiting.send(get("/"));
  const other = await RawConnection.open(application.address);
  other.send(get("/still"));
  expect((await other.response()).status).toBe(200);
  const all = JSON.parse((await waiting.response()).body.toString());
  expect(all).toMatchObject({ never: null, plain: { plain: true }, "number-999": { number: 999 } });
});

test("a noun of an application is served from its registration to its removal", async () => {
  const application = forThisTest(await startApplication({ shutdownTimeout: 300 }));
  const connection = await RawConnection.open(application.address);
  connection.send(post("/registry", { register: "guest" }) + get("/guest") + put("/GUEST", { a: 1 }));
  expectState(await connection.response(), { thrown: "", message: "" });
  expectState(await connection.response(), { registered: true });
  expectState(await connection.response(), { a: 1 });
  connection.send(post("/registry", { unregister: "guest" }) + get("/guest") + post("/registry", { register: "a b" }));
  expectState(await connection.response(), { thrown: "", message: "" });
  expectProblem(await connection.response(), 404, "keep");
  expect(stateOf(await connection.response())["thrown"]).toMatch(/Error$/);
});
