/** A webhook, and servers that do not want to be told: nothing is held, nothing is blocked, all of it is counted. */
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedConnector } from "../../../ts/native/simulated/connector.ts";
import type { SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { Dialer } from "../../../ts/parts/client/dialer.ts";
import { parseHttpUrl } from "../../../ts/parts/client/url.ts";
import { WebhookNoun, type WebhookOptions } from "../../../ts/parts/webhook/webhook-noun.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";

/** A webhook with the server that a test plays. */
class Bench {
  readonly clock = new SimulatedClock();
  readonly connector = new SimulatedConnector();
  readonly reports: string[] = [];
  readonly noun: WebhookNoun;
  private readonly idle = this.clock.running;

  constructor(token?: string, options: Pick<WebhookOptions, "method" | "headers" | "text"> = {}) {
    this.connector.start(["192.0.2.5:1880"], () => undefined);
    const url = parseHttpUrl("http://192.0.2.5:1880/door");
    if (url === undefined) throw new Error("This is no URL.");
    const report = (description: string) => void this.reports.push(description);
    const context = { clock: this.clock, connector: new Dialer(this.clock, this.connector), agent: "nound/1", report };
    this.noun = new WebhookNoun(context, { url, target: 0, token, ...options });
  }

  /** Posts, and takes the connection. */
  send(state = {}): SimulatedPeer {
    this.noun.updateState(state);
    this.clock.advance(0);
    return this.connector.accept();
  }

  get holdsNothing(): boolean {
    return this.clock.running === this.idle && this.connector.questions.length === 0;
  }
}

test("a POST sends its body as JSON, and the answer's status is in the state", () => {
  const bench = new Bench("secret");
  const peer = bench.send({ open: 1, name: "é" });
  expect(peer.received).toBe(
    "POST /door HTTP/1.1\r\nHost: 192.0.2.5:1880\r\nUser-Agent: nound/1\r\nAuthorization: Bearer secret\r\n" +
      'Content-Type: application/json\r\nContent-Length: 22\r\nConnection: close\r\n\r\n{"open":1,"name":"Ã©"}',
  );
  expect(bench.noun.getState()).toEqual({ status: null, sent: 0, failed: 0 });
  peer.send(ok);
  expect(bench.noun.getState()).toEqual({ status: 200, sent: 1, failed: 0 });
  expect(peer.released).toBe(true);
  expect(bench.holdsNothing).toBe(true);
  expect(bench.noun.deleteState()).toEqual({ status: null, sent: 0, failed: 0 });
});

test("a key may be sent alone, as plain text, with headers", () => {
  const bench = new Bench(undefined, { method: "PUT", headers: { Title: "Cellar" }, text: "message" });
  const peer = bench.send({ message: "3.5 °C" });
  expect(peer.received).toBe(
    "PUT /door HTTP/1.1\r\nHost: 192.0.2.5:1880\r\nUser-Agent: nound/1\r\n" +
      "Content-Type: text/plain; charset=utf-8\r\nTitle: Cellar\r\nContent-Length: 7\r\n" +
      "Connection: close\r\n\r\n3.5 Â°C",
  );
  peer.send(ok);
  expect(() => bench.noun.updateState({ other: 1 })).toThrow('The state must have the key "message"');
});

test("a header may say another type, and a GET has no body", () => {
  const typed = new Bench(undefined, { headers: { "content-type": "text/markdown" }, text: "message" });
  expect(typed.send({ message: 5 }).received).toContain("\r\ncontent-type: text/markdown\r\nContent-Length: 1\r\n");
  const get = new Bench(undefined, { method: "GET" });
  expect(get.send({ a: 1 }).received).toBe(
    "GET /door HTTP/1.1\r\nHost: 192.0.2.5:1880\r\nUser-Agent: nound/1\r\nConnection: close\r\n\r\n",
  );
});

test("one request is under way, eight wait in their order, and the next is refused with 503", () => {
  const bench = new Bench();
  const first = bench.send({ n: 0 });
  for (let n = 1; n <= 8; n++) bench.noun.updateState({ n });
  expect(() => bench.noun.updateState({ n: 9 })).toThrow(HttpError);
  expect(bench.connector.questions).toHaveLength(0);
  first.send(ok);
  for (let n = 1; n <= 8; n++) {
    bench.clock.advance(0);
    const peer = bench.connector.accept();
    expect(peer.received.endsWith(`{"n":${n}}`)).toBe(true);
    peer.send(ok);
  }
  expect(bench.noun.getState()).toEqual({ status: 200, sent: 9, failed: 0 });
  expect(bench.holdsNothing).toBe(true);
});

describe("is counted as failed, and leaves nothing:", () => {
  test.each([
    ["an error", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", 500],
    ["a redirect, which nobody follows", "HTTP/1.1 307 F\r\nLocation: http://other/\r\nContent-Length: 0\r\n\r\n", 307],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", null],
    ["an endless body", `HTTP/1.1 200 OK\r\n\r\n${"a".repeat(100_000)}`, null],
    ["two answers", ok + ok, null],
  ])("%s", (_, bytes, status) => {
    const bench = new Bench();
    const peer = bench.send();
    peer.send(bytes);
    expect(peer.released).toBe(true);
    expect(bench.noun.getState()).toEqual({ status, sent: 0, failed: 1 });
    expect(bench.reports).toHaveLength(1);
    expect(bench.reports[0]).toMatch(/^[A-Z][\x20-\x7e]+\.$/);
    expect(bench.holdsNothing).toBe(true);
    bench.send().send(ok);
    expect(bench.noun.getState()).toEqual({ status: 200, sent: 1, failed: 1 });
  });

  test("an end or an RST at every byte", () => {
    const bench = new Bench();
    for (let length = 0; length < ok.length; length++) {
      for (const end of ["end", "reset"] as const) {
        const peer = bench.send();
        peer.send(ok.slice(0, length));
        peer[end]();
        expect(bench.holdsNothing, `${end} behind ${length} bytes`).toBe(true);
      }
    }
    expect(bench.noun.getState()).toEqual({ status: null, sent: 0, failed: 2 * ok.length });
  });

  test("a server that says nothing, or a byte now and then", () => {
    const bench = new Bench();
    const silent = bench.send();
    bench.clock.advance(5_000);
    expect(silent.released).toBe(true);
    const slow = bench.send();
    for (const byte of ok.slice(0, 50)) {
      slow.send(byte);
      bench.clock.advance(100);
    }
    expect(slow.released).toBe(true);
    expect(bench.noun.getState()).toEqual({ status: null, sent: 0, failed: 2 });
    expect(bench.reports.at(-1)).toBe("There was no response within 5000 ms.");
    expect(bench.holdsNothing).toBe(true);
  });

  test("a connection that is refused, one that comes too late, and a connector that has ended", () => {
    const bench = new Bench();
    bench.noun.updateState({});
    bench.clock.advance(0);
    bench.connector.refuse("connection refused");
    expect(bench.reports.at(-1)).toBe("It cannot be reached: connection refused.");
    bench.noun.updateState({});
    bench.clock.advance(5_000);
    expect(bench.connector.accept().released).toBe(true);
    bench.connector.die();
    bench.noun.updateState({});
    bench.clock.advance(0);
    expect(bench.reports.at(-1)).toBe("It cannot be reached: the connector has ended.");
    expect(bench.noun.getState()).toEqual({ status: null, sent: 0, failed: 3 });
    expect(bench.holdsNothing).toBe(true);
  });
});

test("its end closes the connection and forgets what waits", () => {
  const bench = new Bench();
  const peer = bench.send();
  bench.noun.updateState({});
  bench.noun.close();
  bench.clock.advance(10_000);
  expect(peer.released).toBe(true);
  expect(bench.holdsNothing).toBe(true);
});

test("the counts go on after a reload", () => {
  const before = new Bench();
  before.send().send(ok);
  const after = new Bench();
  after.noun[takeOver](before.noun[leave]());
  expect(after.noun.getState()).toEqual({ status: 200, sent: 1, failed: 0 });
  after.noun[takeOver]({ status: "200", sent: -1, failed: 0 });
  expect(after.noun.getState()).toEqual({ status: 200, sent: 1, failed: 0 });
});

test.each([
  ["http://192.0.2.5", { target: "192.0.2.5:80", host: "192.0.2.5", path: "/" }],
  ["http://192.0.2.5:80/a?b=c", { target: "192.0.2.5:80", host: "192.0.2.5", path: "/a?b=c" }],
  ["http://hall.example:1880/", { target: "hall.example:1880", host: "hall.example:1880", path: "/" }],
  ["http://[2001:db8::1]:1880/a", { target: "[2001:db8::1]:1880", host: "[2001:db8::1]:1880", path: "/a" }],
  ["https://hall.example/", { target: "https://hall.example:443", host: "hall.example", path: "/" }],
  ["https://hall.example:80/a", { target: "https://hall.example:80", host: "hall.example:80", path: "/a" }],
  ["mqtts://hall.example/", undefined],
  ["http://user@hall.example/", undefined],
  ["http://hall.example:0/", undefined],
  ["http://hall.example:65536/", undefined],
  ["http://hall.example/a#b", undefined],
  ["http://hall.example/a b", undefined],
  ["http://hall.example/a\r\nX: y", undefined],
  ["hall.example", undefined],
])("the URL %s has its parts, or is none", (url, parts) => {
  expect(parseHttpUrl(url)).toEqual(parts);
});
