/** Changes: server-sent events, as docs/wire-contract.md has them. */
import { describe, expect, test } from "vitest";
import type { ServerLimits } from "../../../../ts/core/server/options.ts";
import { SwitchNoun } from "../../../../ts/hardware/nouns/switch-noun.ts";
import { simulatedHash } from "../../../../ts/native/simulated/hash.ts";
import type { SimulatedPeer } from "../../../../ts/native/simulated/net.ts";
import { Bench, request, withBody } from "../bench.ts";
import { expectProblem, readResponse, statuses } from "../responses.ts";

const events = "Accept: text/event-stream\r\n";

/** A server with a switch besides. */
function make(limits: Partial<ServerLimits> = {}) {
  const bench = new Bench(limits);
  const door = new SwitchNoun({ key: "open" });
  bench.server.register("door", door);
  const watch = (target = "/door", fields = events) => bench.send(request("GET", target, fields));
  const put = (open: number) => bench.answer(withBody("PUT", "/door", `{"open":${open}}`));
  return { bench, door, watch, put };
}

const fail = (): never => {
  throw new Error("no");
};
const brokenNoun = { getState: fail, setState: fail, updateState: fail, deleteState: fail };

/** @returns the data of the events received, as they were written. */
function data(peer: SimulatedPeer): string[] {
  return Array.from(peer.received.matchAll(/^data: (.*)$/gm), ([, text = ""]) => text);
}

test("a stream is a GET whose answer goes on, with the state at once and then each change", () => {
  const { bench, watch, put } = make();
  const peer = watch();
  expect(peer.received).toMatch(
    /^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store, no-transform\r\nX-Accel-Buffering: no\r\nConnection: close\r\n\r\nretry: 2000\nid: [0-9a-f]+-1\ndata: \{"open":0\}\n\n$/,
  );
  put(1);
  bench.clock.advance(0);
  put(1);
  bench.clock.advance(100);
  expect(data(peer)).toEqual(['{"open":0}', '{"open":1}']);
  expect(peer.closed).toBe(false);
});

describe("the stream of all nouns", () => {
  test("begins with the state of each noun under its name; then each change is an event of one noun", async () => {
    const { bench, watch, put } = make();
    bench.server.register("broken", brokenNoun);
    const peer = watch("/");
    expect(peer.received).toBe("");
    await bench.slow.begun[0]?.answer({ n: 1 });
    bench.clock.advance(5_000);
    expect(data(peer)).toEqual([
      '{"led":{"led":0},"other":{},"slow":{"n":1},"slower":null,"door":{"open":0},"broken":null}',
    ]);
    put(1);
    bench.clock.advance(20);
    expect(data(peer).at(-1)).toBe('{"door":{"open":1}}');
  });

  test("ends when a noun is registered or unregistered", () => {
    const { bench } = make();
    for (const name of ["slow", "slower"]) bench.server.unregister(name);
    const first = bench.send(request("GET", "/", events));
    const own = bench.send(request("GET", "/door", events));
    expect(data(first)).toEqual(['{"led":{"led":0},"other":{},"door":{"open":0}}']);
    bench.server.register("new", new SwitchNoun({ key: "on" }));
    expect([first.closed, own.closed]).toEqual([true, false]);
    const second = bench.send(request("GET", "/", events));
    bench.server.unregister("new");
    expect([second.closed, own.closed]).toEqual([true, false]);
  });

  test("tells at once of a change of a noun that was read already, while others were still being read", async () => {
    const { bench, watch } = make();
    bench.server.unregister("slower");
    const peer = watch("/");
    bench.answer(withBody("PUT", "/led", '{"led":1}'));
    await bench.slow.begun[0]?.answer({ n: 1 });
    bench.clock.advance(20);
    expect(data(peer).at(-1)).toBe('{"led":{"led":1}}');
  });

  test.each<[string, (bench: Bench) => void, string]>([
    [
      "registered",
      ({ server }) => server.register("new", new SwitchNoun({ key: "on" })),
      '"door":{"open":0},"new":{"on":0}',
    ],
    ["unregistered", ({ server }) => server.unregister("other"), '"door":{"open":0}'],
  ])("begins with the nouns of now when one was %s while others were still being read", async (what, change, rest) => {
    const { bench, watch } = make();
    bench.server.unregister("slower");
    const peer = watch("/");
    change(bench);
    await bench.slow.begun[0]?.answer({ n: 1 });
    expect(peer.received).toBe("");
    await bench.slow.begun[1]?.answer({ n: 2 });
    const other = what === "registered" ? '"other":{},' : "";
    expect(data(peer)).toEqual([`{"led":{"led":0},${other}"slow":{"n":2},${rest}}`]);
    bench.clock.advance(100);
    expect(data(peer)).toHaveLength(1);
    expect(peer.closed).toBe(false);
  });

  /** Adds a noun whose readings register another noun and remove it in turns. @returns how often it was read. */
  function addRegistrar({ server }: Bench, most: number): () => number {
    let times = 0;
    const getState = () => {
      times += 1;
      if (times <= most && !server.unregister("child")) server.register("child", new SwitchNoun({ key: "on" }));
      return { times };
    };
    server.register("registrar", { ...brokenNoun, getState });
    return () => times;
  }

  test("begins with the nouns that the reading of another one has registered", () => {
    const { bench, watch } = make();
    for (const name of ["slow", "slower"]) bench.server.unregister(name);
    const times = addRegistrar(bench, 3);
    const peer = watch("/");
    expect(times()).toBe(4);
    const states = '"led":{"led":0},"other":{},"door":{"open":0},"registrar":{"times":4},"child":{"on":0}';
    expect(data(peer)).toEqual([`{${states}}`]);
    expect(peer.closed).toBe(false);
  });

  test("is told the nouns that it has, and ends, if their readings replace nouns each time", () => {
    const { bench, watch } = make();
    for (const name of ["slow", "slower"]) bench.server.unregister(name);
    const times = addRegistrar(bench, Number.POSITIVE_INFINITY);
    const peer = watch("/");
    bench.clock.advance(20);
    expect(times()).toBeLessThan(40);
    expect(data(peer)).toHaveLength(1);
    expect(peer.closed).toBe(true);
  });

  test("tells of the nouns that the token extends to, and of no other", () => {
    const sha256 = (token: string) => simulatedHash.sha256(token);
    const token = (digit: string) => digit.repeat(40);
    const access = {
      tokens: [
        { name: "all", sha256: sha256(token("a")), verbs: ["GET"], nouns: ["*"] },
        { name: "led", sha256: sha256(token("b")), verbs: ["GET"], nouns: ["led", "l*"] },
      ],
    } as const;
    const bench = new Bench({}, false, access);
    for (const name of ["slow", "slower"]) bench.server.unregister(name);
    const ask = (digit: string) =>
      bench.answer(request("GET", "/", `${events}Authorization: Bearer ${token(digit)}\r\n`));
    expect(ask("a")).toContain('data: {"led":{"led":0},"other":{}}');
    const narrow = ask("b");
    expect(narrow).toContain('data: {"led":{"led":0}}');
    expect(narrow).not.toContain("other");
  });

  test("a client that goes before the turn of a noun has come does not have it read", async () => {
    const { bench, watch } = make();
    bench.send(request("GET", "/slow"));
    watch("/").reset();
    await bench.slow.begun[0]?.answer({ n: 1 });
    expect(bench.slow.verbs).toEqual(["GET"]);
    expect(bench.slower.verbs).toEqual(["GET"]);
  });

  test("a client that goes while the nouns are read leaves nothing behind", async () => {
    const { bench, watch } = make();
    const peer = watch("/");
    peer.reset();
    await bench.slow.begun[0]?.answer({ n: 1 });
    bench.clock.advance(60_000);
    expect(peer.received).toBe("");
    expect(bench.led.calls.length).toBe(1);
  });
});

test("a change while the stream waits for the answer before it is told at once", async () => {
  const { bench } = make();
  const peer = bench.send(request("GET", "/slow") + request("GET", "/led", events));
  bench.answer(withBody("PUT", "/led", '{"led":1}'));
  await bench.slow.begun[0]?.answer({ n: 1 });
  bench.clock.advance(20);
  expect(data(peer).at(-1)).toBe('{"led":1}');
});

test("Last-Event-ID is accepted, and changes nothing: the state comes as it is now", () => {
  const { watch } = make();
  expect(data(watch("/door", `${events}Last-Event-ID: 0-17\r\n`))).toEqual(['{"open":0}']);
});

test.each(["PUT", "POST", "DELETE"])(
  "a %s that changes the state of a noun without `watch` sends an event at once",
  (verb) => {
    const { bench, watch } = make();
    if (verb === "DELETE") bench.led.setState({ led: 9 });
    const peer = watch("/led");
    bench.answer(verb === "DELETE" ? request(verb, "/led") : withBody(verb, "/led", '{"led":7}'));
    bench.clock.advance(20);
    expect(data(peer).length).toBe(2);
  },
);

test.each([
  ["there is no such noun", "/zqx", "", 404],
  ["the target has a query", "/door?a", "", 400],
  ["a precondition fails", "/door", 'If-Match: "a"\r\n', 412],
])("a stream that is refused because %s keeps its connection, as any request", (_why, target, fields, status) => {
  const { bench } = make();
  const peer = bench.send(request("GET", target, events + fields) + request("GET", "/door"));
  expect(statuses(peer.received)).toEqual([status, 200]);
});

test.each(["/door", "/", "http://a/door", "/%64oor"])(
  "the id of the last event in the query of %s has no effect",
  (target) => {
    const { bench } = make();
    bench.server.unregister("slow");
    bench.server.unregister("slower");
    const peer = bench.send(request("GET", `${target}?lastEventId=5f3a9c04-2094871`, events));
    expect(data(peer)).toHaveLength(1);
    const head = bench.answer(request("HEAD", `${target}?lastEventId=`, events));
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream\r\n/);
  },
);

test.each([
  ["/door?lastEventId=1&a=b", events],
  ["/door?a=b", events],
  ["/door?lasteventid=1", events],
  ["/door?", events],
  ["/door?lastEventId=1#a", events],
  ["/door?lastEventId=1", ""],
])("every other query is refused with what to do: %s", (target, fields) => {
  const { bench } = make();
  const response = readResponse(bench.answer(request("GET", target, fields)));
  expect(expectProblem(response, 400)).toContain("leave out the ?");
});

test.each(["GET", "HEAD"])("a %s of HTTP/1.0 gets no stream, and its connection ends", (method) => {
  const { bench } = make();
  const peer = bench.send(
    request(method, "/door", `${events}Connection: keep-alive\r\n`).replace("HTTP/1.1", "HTTP/1.0"),
  );
  expect(peer.received).toMatch(/^HTTP\/1\.1 505 /);
  expect(peer.received).toContain("\r\nConnection: close\r\n");
  peer.end();
  expect(peer.closed).toBe(true);
});

test("nothing is opened for a client that may not follow", () => {
  const token = "t".repeat(32);
  const tokens = [{ name: "panel", verbs: ["GET"], nouns: ["led"], sha256: simulatedHash.sha256(token) }] as const;
  const bench = new Bench({}, false, { tokens, hosts: ["a"] });
  const bearer = `${events}Authorization: Bearer ${token}\r\n`;
  const ask = (target: string, fields: string) => statuses(bench.answer(request("GET", target, fields)));
  expect(ask("/led", events)).toEqual([401]);
  expect(ask("/", events)).toEqual([401]);
  expect(ask("/led?a", events)).toEqual([401]);
  expect(ask("/other", bearer)).toEqual([403]);
  expect(ask("/led", bearer.replace("ttt", "uuu"))).toEqual([401]);
  expect(statuses(bench.answer(request("GET", "/led", bearer).replace("Host: a", "Host: b")))).toEqual([421]);
  expect(statuses(bench.answer(request("GET", "/led", bearer).replace("HTTP/1.1", "HTTP/1.0")))).toEqual([505]);
  expect(bench.server.host.feeds.opened).toBeUndefined();
  expect(data(bench.send(request("GET", "/led", bearer)))).toEqual(['{"led":0}']);
  expect(bench.server.host.feeds.opened).toBeDefined();
});

test.each([
  ["PUT", '{"open":1}'],
  ["POST", "{}"],
])("%s never streams", (verb, body) => {
  const { bench } = make();
  const { received } = bench.send(withBody(verb, "/door", body, events));
  expect(received).toContain("Content-Type: application/json\r\n");
});

test("a noun that is not there, and one whose first read fails, get GET's refusal and no stream", async () => {
  const { bench, watch } = make();
  expect(watch("/nothing").received).toMatch(/^HTTP\/1\.1 404 /);
  bench.server.register("broken", brokenNoun);
  expect(watch("/broken").received).toMatch(/^HTTP\/1\.1 500 /);
  const peer = watch("/slow");
  bench.clock.advance(5_000);
  expect(peer.received).toMatch(/^HTTP\/1\.1 503 /);
});

test("the state of a noun that takes its time begins the stream when it comes", async () => {
  const { bench, watch } = make();
  const peer = watch("/slow");
  expect(peer.received).toBe("");
  await bench.slow.begun.at(-1)?.answer({ slow: 1 });
  expect(data(peer)).toEqual(['{"slow":1}']);
});

test("requests behind one for a stream are not performed", () => {
  const { bench } = make();
  const peer = bench.send(request("GET", "/door", events) + withBody("PUT", "/led", '{"led":1}'));
  bench.clock.advance(100);
  expect(bench.led.calls).toEqual([]);
  peer.send(withBody("PUT", "/led", '{"led":1}'));
  expect(bench.led.calls).toEqual([]);
  expect(data(peer)).toEqual(['{"open":0}']);
});

test("answers before it are sent before it", async () => {
  const { bench } = make();
  const peer = bench.send(request("GET", "/slow") + request("GET", "/door", events));
  expect(peer.received).toBe("");
  await bench.slow.begun.at(-1)?.answer({ slow: 1 });
  expect(peer.received.indexOf('{"slow":1}')).toBeGreaterThan(0);
  expect(peer.received.indexOf("retry: 2000")).toBeGreaterThan(peer.received.indexOf('{"slow":1}'));
});

describe("limits", () => {
  test("a silent stream gets a comment each streamInterval, and none while there are events", () => {
    const { bench, watch, put } = make({ streamInterval: 1_000 });
    const peer = watch();
    peer.take();
    bench.clock.advance(3_100);
    expect(peer.take()).toBe(":\n:\n:\n");
    for (let i = 0; i < 20; i++) {
      put(i % 2);
      bench.clock.advance(500);
    }
    expect(peer.take()).not.toContain(":\n:");
  });

  test("a stream ends after sendTimeout if its client takes nothing; one that goes on gets the latest state", () => {
    const { bench, watch, put } = make({ sendTimeout: 2_000 });
    const [slow, stopped] = [watch(), watch()];
    for (const peer of [slow, stopped]) {
      peer.take();
      peer.setRoom(0);
    }
    for (let i = 0; i < 11; i++) {
      put(i % 2);
      bench.clock.advance(100);
    }
    put(1);
    slow.setRoom(Number.POSITIVE_INFINITY);
    bench.clock.advance(1_000);
    expect(data(slow).at(-1)).toBe('{"open":1}');
    expect(data(slow).length).toBeLessThan(4);
    expect(stopped.released).toBe(true);
    expect(slow.released).toBe(false);
  });

  test("a stream on which a comment waits gets the state that came meanwhile", () => {
    const { bench, watch, put } = make({ streamInterval: 15_000 });
    const peer = watch();
    peer.take();
    peer.setRoom(0);
    bench.clock.advance(15_000);
    put(1);
    bench.clock.advance(100);
    expect(peer.received).toBe("");
    peer.setRoom(Number.POSITIVE_INFINITY);
    expect(data(peer)).toEqual(['{"open":1}']);
    put(0);
    bench.clock.advance(100);
    expect(data(peer)).toEqual(['{"open":1}', '{"open":0}']);
  });

  test("a stream that comes to hold something for its client while memory is scarce ends; the others go on", () => {
    const { bench, watch, put } = make();
    const [slow, other] = [watch(), watch()];
    slow.setRoom(0);
    put(1);
    bench.clock.advance(100);
    expect(slow.released).toBe(false);
    bench.memory.scarce = true;
    const stopped = watch();
    stopped.setRoom(0);
    put(0);
    bench.clock.advance(100);
    expect([slow, other, stopped].map(({ released }) => released)).toEqual([true, false, true]);
    expect(data(other)).toEqual(['{"open":0}', '{"open":1}', '{"open":0}']);
  });

  test("one more than maxStreams gets 503 with Retry-After, and a place that is free again can be taken", () => {
    const { bench, watch } = make({ maxStreams: 2 });
    const [first] = [watch(), watch()];
    const third = watch();
    expect(third.received).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 10\r\n/s);
    expect(third.closed).toBe(true);
    first?.reset();
    expect(data(watch())).toEqual(['{"open":0}']);
    expect(bench.answer(request("GET", "/door"))).toContain('{"open":0}');
  });

  test("of two that begin at the same time the second is refused if there is only one place", async () => {
    const { bench, watch } = make({ maxStreams: 1 });
    const peers = [watch("/slow"), watch("/slow")];
    await bench.slow.begun[0]?.answer({ slow: 1 });
    await bench.slow.begun[1]?.answer({ slow: 1 });
    expect(peers.map(({ received }) => received.slice(9, 12))).toEqual(["200", "503"]);
  });

  test("streams are counted apart from connections", () => {
    const { bench, watch } = make({ maxConnections: 1, maxStreams: 3 });
    const peers = [watch(), watch(), watch()];
    expect(bench.answer(request("GET", "/door"))).toContain("200 OK");
    expect(bench.answer(request("GET", "/door"))).toContain("200 OK");
    expect(peers.every((peer) => !peer.closed)).toBe(true);
  });
});

describe("the end", () => {
  test("a client that has gone is not watched for any more", () => {
    const { bench, watch } = make();
    const peer = watch("/led");
    bench.clock.advance(3_000);
    peer.reset();
    const { length } = bench.led.calls;
    bench.clock.advance(60_000);
    expect(bench.led.calls.length).toBe(length);
  });

  test("a half-closed client still gets events, and at once a comment that finds out whether it is there", () => {
    const { bench, watch, put } = make();
    const peer = watch();
    peer.take();
    peer.end();
    expect(peer.take()).toBe(":\n");
    put(1);
    bench.clock.advance(20);
    expect(data(peer)).toEqual(['{"open":1}']);
  });

  test("streams end at once when the server does, and no other can begin", async () => {
    const { bench, watch } = make();
    const peer = watch();
    const pending = watch("/slow");
    const closed = bench.server.close();
    expect(peer.closed).toBe(true);
    expect(peer.received).not.toContain("503");
    await bench.slow.begun.at(-1)?.answer({ slow: 1 });
    expect(pending.received).toMatch(/^HTTP\/1\.1 503 /);
    await closed;
  });

  test("a noun that is unregistered ends its streams", () => {
    const { bench, watch } = make();
    const [own, other] = [watch(), watch("/led")];
    bench.server.unregister("DOOR");
    expect([own.closed, other.closed]).toEqual([true, false]);
  });
});
