/** A request whose head was seen before is answered as if it had not been. */
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { namesThatMatter } from "../../../ts/core/http/fields.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import type { Request } from "../../../ts/core/server/admitted-request.ts";
import { HeadMemory } from "../../../ts/core/server/head-memory.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import { fieldsOf } from "../http/field-lines.ts";
import { cuts, requests, slices } from "../http/request-streams.ts";
import { Bench, host, json, request, withBody } from "./bench.ts";
import { promisesKept, RecordingNoun } from "./recording-noun.ts";
import { expectProblem, expectState, jsonOf, readResponses, statuses } from "./responses.ts";

test("each time the noun is asked", () => {
  const bench = new Bench();
  bench.server.register("toggle", new SwitchNoun({ key: "on" }));
  const peer = bench.connect();
  for (let round = 0; round < 8; round++) {
    peer.send(withBody("PUT", "/led", '{"led":1}'));
    peer.send(withBody("POST", "/toggle", "{}"));
    peer.send(request("DELETE", "/led"));
    peer.send(request("GET", "/led"));
  }
  expect(bench.led.calls).toHaveLength(24);
  const states = readResponses(peer.received).map(jsonOf);
  const round = (on: number) => [{ led: 1 }, { on }, { led: 0 }, { led: 0 }];
  expect(states).toEqual([1, 0, 1, 0, 1, 0, 1, 0].flatMap(round));
});

test("a state that a noun changes in place is written as it is now", () => {
  const bench = new Bench();
  const state = { count: 0 };
  bench.led.getState = () => {
    state.count += 1;
    return state;
  };
  const peer = bench.connect();
  for (let round = 0; round < 8; round++) peer.send(request("GET", "/led"));
  expect(readResponses(peer.received).map(jsonOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((count) => ({ count })));
});

test("a noun cannot change the state that the next request like it brings", () => {
  const bench = new Bench();
  const given: unknown[] = [];
  bench.led.setState = (state) => {
    given.push({ ...state });
    Reflect.set(state, "led", 7);
    return state;
  };
  const peer = bench.connect();
  for (let round = 0; round < 8; round++) peer.send(withBody("PUT", "/led", '{"led":1}'));
  expect(given).toEqual(Array.from({ length: 8 }, () => ({ led: 1 })));
});

describe("a noun that", () => {
  test("is unregistered is not found any more, and one of the same name is found instead", () => {
    const bench = new Bench();
    const peer = bench.connect();
    const ask = () => {
      peer.send(request("GET", "/led"));
      return readResponses(peer.take()).map(({ content }) => content)[0];
    };
    expect([ask(), ask()]).toEqual(['{"led":0}', '{"led":0}']);
    bench.server.unregister("led");
    expect(ask()).toContain('"status":404');
    bench.server.register("led", new RecordingNoun({ other: 1 }));
    expect(ask()).toBe('{"other":1}');
  });

  test("takes another shape when it is registered again holds requests to that", () => {
    const bench = new Bench();
    const put = withBody("PUT", "/led", '{"led":1}');
    const peer = bench.send(put);
    peer.send(put);
    bench.server.unregister("led");
    bench.server.register(
      "led",
      Object.assign(new RecordingNoun(), { shape: { a: { type: "boolean" } } satisfies Shape }),
    );
    peer.send(put);
    expect(statuses(peer.received)).toEqual([200, 200, 422]);
  });

  test("does not answer in time is answered for", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow"));
    await bench.slow.answer(0, {});
    peer.send(request("GET", "/slow"));
    peer.send(request("DELETE", "/led"));
    expect(statuses(peer.received)).toEqual([200]);
    bench.clock.advance(5_000);
    expect(statuses(peer.received)).toEqual([200, 503, 200]);
  });

  test("throws is answered for, and the order is kept", async () => {
    const bench = new Bench();
    const peer = bench.send(withBody("PUT", "/led", "{}"));
    bench.led.setState = () => {
      throw new Error("broken");
    };
    peer.send(withBody("PUT", "/led", "{}"));
    peer.send(request("GET", "/led"));
    await promisesKept();
    bench.led.setState = () => {
      throw new StateError("Not today.");
    };
    peer.send(withBody("PUT", "/led", "{}"));
    await promisesKept();
    const [, failed, , refused] = readResponses(peer.received);
    if (failed === undefined || refused === undefined) throw new Error("an answer is missing");
    expectProblem(failed, 500);
    expect(expectProblem(refused, 422)).toBe("Not today.");
  });

  test("closes the server is answered with Connection: close", async () => {
    for (const frozen of [true, false]) {
      const bench = new Bench();
      const power = new RecordingNoun();
      bench.server.register("power", power);
      const state = frozen ? Object.freeze({ on: false }) : { on: false };
      power.getState = () => state;
      const peer = bench.send(request("GET", "/power"));
      peer.send(request("GET", "/power"));
      peer.take();
      let closed: Promise<void> | undefined;
      power.getState = () => {
        closed = bench.server.close();
        return state;
      };
      peer.send(request("GET", "/power"));
      const [response] = readResponses(peer.received);
      if (response === undefined) throw new Error("no answer");
      expectState(response, { on: false }, "close");
      expect(peer.closed).toBe(true);
      peer.end();
      await closed;
      expect(bench.timers).toBe(0);
    }
  });
});

test("time limits are those of any request", () => {
  const bench = new Bench();
  const peer = bench.connect();
  for (let round = 0; round < 8; round++) {
    peer.send(request("GET", "/led"));
    bench.clock.advance(59_999);
  }
  expect(statuses(peer.take())).toHaveLength(8);
  peer.setRoom(10);
  peer.send(request("GET", "/led"));
  expect(peer.beingRead).toBe(false);
  bench.clock.advance(9_999);
  expect(peer.released).toBe(false);
  bench.clock.advance(21);
  expect(peer.released).toBe(true);
  expect(bench.timers).toBe(0);
});

test("heads with tokens are kept by their hash alone, and with others' credentials not at all", () => {
  const head = (fields: string[]): Request["head"] => ({
    method: "GET",
    target: "/led",
    contentLength: 0,
    chunked: false,
    expectsContinue: false,
    isOld: false,
    close: false,
    fields: fieldsOf(fields),
    bytes: 100,
  });
  const bytes = "GET /led HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer b\r\n\r\n";
  const hashed: string[] = [];
  const hash = (text: string) => {
    hashed.push(text);
    return simulatedHash.keyed(text);
  };
  for (const [known, kept] of [
    [new HeadMemory(4_096), false],
    [new HeadMemory(4_096, simulatedHash.keyed), false],
    [new HeadMemory(4_096, hash, true), true],
  ] as const) {
    const request = { head: head(["Host: a", "Authorization: Bearer b"]) } as Request;
    known.keep(bytes, request);
    expect(known.find(bytes) === request).toBe(kept);
    expect(known.find(simulatedHash.keyed(bytes))).toBeUndefined();
    expect(known.find("x".repeat(2_000))).toBeUndefined();
  }
  expect(new Set(hashed)).toEqual(new Set([bytes, simulatedHash.keyed(bytes)]));
});

test("of clients that share a connection, each request with a token is found by its hash alone", () => {
  const hashed: string[] = [];
  const { keyed, sha256 } = simulatedHash;
  const spy = vi.spyOn(simulatedHash, "keyed").mockImplementation((bytes) => {
    hashed.push(bytes);
    return keyed(bytes);
  });
  onTestFinished(() => void spy.mockRestore());
  const token = "t".repeat(40);
  const tokens = [{ name: "panel", verbs: ["GET"], nouns: ["*"], sha256: sha256(token) }] as const;
  const peer = new Bench({}, false, { tokens }).connect();
  const ask = (given: string) => request("GET", "/led", `Authorization: Bearer ${given}\r\n`);
  const [right, guess] = [ask(token), ask(`${token.slice(1)}u`)];
  // One that was only compared with the one before it would tell by its time how much of a guess is right.
  for (const bytes of [right, right, right, right, guess, right, right]) {
    hashed.length = 0;
    peer.send(bytes);
    expect(hashed).toContain(bytes);
  }
  expect(statuses(peer.take())).toEqual([200, 200, 200, 200, 401, 200, 200]);
  // The hash of a request is not that request.
  peer.send(keyed(right));
  expect(statuses(peer.received)).toEqual([]);
});

test("waits for the rest of a request, also behind an empty line and when its beginning is known", () => {
  const bench = new Bench();
  const peer = bench.connect();
  const bytes = withBody("PUT", "/led", '{"led":1}');
  for (let round = 0; round < 4; round++) peer.send(bytes);
  for (const missing of [1, 2, 3, 9, 12]) {
    for (let round = 0; round < 8; round++) {
      const performed = bench.led.calls.length;
      peer.send(`\r\n${bytes.slice(0, -missing)}`);
      expect(bench.led.calls.length - performed, `of a request whose last ${missing} bytes are missing`).toBe(0);
      peer.send(bytes.slice(-missing));
      expect(bench.led.calls.length - performed).toBe(1);
    }
  }
  expect(new Set(statuses(peer.received))).toEqual(new Set([200]));
});

describe("a request that is pipelined again and again", () => {
  const get = request("GET", "/led");

  test("does not reach a noun that is unregistered in the midst of it", () => {
    const bench = new Bench();
    const state = Object.freeze({ led: 0 });
    let asked = 0;
    bench.led.getState = () => {
      asked += 1;
      if (asked === 10) bench.server.unregister("led");
      return state;
    };
    const peer = bench.send(get.repeat(8));
    peer.send(get.repeat(4));
    expect(statuses(peer.received)).toEqual([...Array.from({ length: 10 }, () => 200), 404, 404]);
  });

  test("waits behind one that takes its time", async () => {
    const bench = new Bench();
    const state = Object.freeze({ led: 0 });
    let asked = 0;
    bench.led.getState = () => (++asked === 10 ? Promise.resolve(state) : state) as typeof state;
    const peer = bench.send(get.repeat(8));
    peer.send(get.repeat(4));
    expect(statuses(peer.received)).toHaveLength(9);
    await promisesKept();
    expect(statuses(peer.received)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  test("ends with the one that closes the server", async () => {
    const bench = new Bench();
    const state = Object.freeze({ led: 0 });
    let asked = 0;
    let closed: Promise<void> | undefined;
    bench.led.getState = () => {
      asked += 1;
      if (asked === 10) closed = bench.server.close();
      return state;
    };
    const peer = bench.send(get.repeat(8));
    peer.send(get.repeat(4));
    const responses = readResponses(peer.received);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(responses.at(-1)?.fields.get("connection")).toBe("close");
    peer.end();
    await closed;
  });

  test("is not performed while more than 64 KB of answers wait", () => {
    const bench = new Bench();
    bench.led.getState = () => {
      bench.led.calls.push("GET");
      return { text: "x".repeat(10_000) };
    };
    const peer = bench.connect();
    peer.setRoom(10);
    peer.send(get.repeat(20));
    expect(bench.led.calls).toHaveLength(7);
    peer.setRoom(Number.POSITIVE_INFINITY);
    peer.deliver();
    expect(statuses(peer.received)).toHaveLength(20);
  });
});

const limits = { targetBytes: 14, headerBytes: 120, headerFields: 6, bodyBytes: 60 };

/** @returns a server that remembers no request. */
function forgetfulBench(...options: ConstructorParameters<typeof Bench>): Bench {
  const bench = new Bench(...options);
  for (const heads of bench.server["heads"]) Reflect.set(heads, "longest", -1);
  return bench;
}

test("nobody outside can tell that requests are remembered, whatever is sent, in whatever pieces", async () => {
  const { sha256 } = simulatedHash;
  const [token, limited] = ["t".repeat(32), "l".repeat(32)];
  const tokens = [
    { name: "panel", verbs: ["GET", "PUT", "POST", "DELETE"], nouns: ["*"], sha256: sha256(token) },
    { name: "door", verbs: ["GET"], nouns: ["led"], sha256: sha256(limited) },
  ] as const;
  const authorized = fc.constantFrom("", token, token, token, limited, `${token.slice(1)}u`);
  const changed = fc.tuple(fc.nat(), fc.constantFrom("\r", "\n", " ", "\t", ":", "\0", "\xff", "a", "0", "1"));
  // The same request again, also with one byte changed, another unused value, another token, or behind empty lines.
  const sent = fc.record({
    before: fc.constantFrom("", "", "", "\r\n", "\r\n", "\r\n\r\n", "\r", "\n", " \r\n"),
    which: fc.nat(),
    authorized,
    unused: fc.constantFrom("", "", "X-A: b\r\n", "X-A: c\r\n", "Cookie: a=b\r\n", "Cookie: c\r\n", "x-a:\r\n"),
    sibling: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: changed }),
    times: fc.constantFrom(1, 1, 1, 2, 8),
  });
  const parts = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(sent) },
    { weight: 1, arbitrary: fc.array(sent, { minLength: 2, maxLength: 3 }) },
  );
  const places = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: cuts });
  const row = fc.array(fc.tuple(parts, places), { maxLength: 16, size: "max" });
  const usual = fc.constantFrom(
    request("GET", "/led"),
    request("DELETE", "/led"),
    withBody("PUT", "/led", '{"led":1}'),
    `${request("POST", "/led", `${json}Transfer-Encoding: chunked\r\n`)}9\r\n{"led":1}\r\n0\r\n\r\n`,
  );
  const pools = fc.array(fc.oneof(usual, requests), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(pools, row, fc.boolean(), fc.boolean(), async (pool, sends, asksForTokens, hashesAll) => {
      const texts = sends.map(([glued, where]) => {
        const bytes = glued.map(({ before, which, authorized: given, unused, sibling, times }) => {
          const authorization = asksForTokens && given !== "" ? `Authorization: Bearer ${given}\r\n` : "";
          const known = pool[which % pool.length] as string;
          let text = known.replace("\r\nHost: a\r\n", `\r\nHost: a\r\n${authorization}${unused}`);
          if (sibling !== undefined) {
            const at = sibling[0] % text.length;
            text = text.slice(0, at) + sibling[1] + text.slice(at + 1);
          }
          return (before + text).repeat(times);
        });
        return slices(bytes.join(""), where);
      });
      const wide = { ...limits, headerBytes: 220 };
      const outcomes = await Promise.all(
        [Bench, forgetfulBench].map(async (make) => {
          const options = [asksForTokens ? wide : limits, false, asksForTokens ? { tokens } : {}] as const;
          const bench = make === Bench ? new Bench(...options) : forgetfulBench(...options);
          // As it does with longer heads, such as those of a browser.
          if (hashesAll) for (const heads of bench.server["heads"]) Reflect.set(heads, "longestText", 0);
          let peer = bench.connect();
          const outcome: unknown[] = [];
          let answered = 0;
          for (const pieces of texts) {
            for (const piece of pieces) peer.send(piece);
            for (; answered < bench.slow.begun.length; answered++) await bench.slow.answer(answered, { answered });
            peer.deliver();
            outcome.push([peer.take(), peer.closed, bench.led.calls.length]);
            if (peer.closed) peer = bench.connect();
          }
          return { outcome, led: bench.led.calls, slow: bench.slow.verbs };
        }),
      );
      expect(outcomes[0]).toEqual(outcomes[1]);
    }),
    { numRuns: 500 },
  );
});

test("a request behind two empty lines is refused, whether or not it was served behind one", () => {
  const chunked = `${json}Transfer-Encoding: chunked\r\n`;
  const all = [
    request("DELETE", "/led"),
    request("GET", "/led"),
    withBody("PUT", "/led", '{"led":1}'),
    withBody("PUT", "/led", '{"led":1}\r\n\r\n'),
    `${request("PUT", "/led", chunked)}9\r\n{"led":1}\r\n0\r\n\r\n`,
  ];
  for (const access of [{}, { tokens: [] }]) {
    const token = "t".repeat(32);
    const tokens = [
      { name: "panel", verbs: ["GET", "PUT", "DELETE"], nouns: ["*"], sha256: simulatedHash.sha256(token) },
    ] as const;
    const bench = new Bench({}, false, "tokens" in access ? { tokens } : {});
    for (const text of all) {
      const bytes = "tokens" in access ? text.replace(host, `${host}Authorization: Bearer ${token}\r\n`) : text;
      for (let round = 0; round < 3; round++) expect(statuses(bench.answer(`\r\n${bytes}`))).toEqual([200]);
      const performed = bench.led.calls.length;
      for (const pieces of [
        [`\r\n\r\n${bytes}`],
        ["\r\n", `\r\n${bytes}`],
        ["\r\n\r", `\n${bytes}`],
        [`${request("GET", "/other")}\r\n\r\n${bytes}`],
      ]) {
        const peer = bench.connect();
        for (const piece of pieces) peer.send(piece);
        expect(readResponses(peer.received).at(-1)?.status).toBe(400);
        expect(bench.led.calls.length).toBe(performed);
      }
    }
  }
});

describe("a head that differs from a remembered one in values that no part of the server uses", () => {
  const agent = `User-Agent: ${"x".repeat(80)}`;
  const around = (line: string) => `GET /led HTTP/1.1\r\nHost: a\r\n${line}\r\n${agent}\r\nAccept: */*\r\n\r\n`;
  const memoryOf = (head: string, headerBytes = 4_096) => {
    const memory = new HeadMemory(headerBytes);
    const request = { head: { fields: fieldsOf([]) } } as unknown as Request;
    expect(memory.find(head)).toBeUndefined();
    memory.keep(head, request);
    return { memory, request };
  };

  test("is known, whatever these values are", () => {
    const { memory, request } = memoryOf(around("X-A: a"));
    for (const line of ["X-A: d", "X-A: longer", "X-A:", "X-A:\t\x80"]) expect(memory.find(around(line))).toBe(request);
    expect(memory.find(around("X-A: d").replace("xx", "yy"))).toBe(request);
    for (const line of ["X-Ab: d", "x-a: d", "X-A : d", "X-A: \0", "X-A: d\r\nX-A: d"])
      expect(memory.find(around(line))).toBeUndefined();
    expect(memory.find(`${around("X-A: d")}G`)).toBeUndefined();
  });

  test("is known, whatever its cookies are, which are not kept", () => {
    const { memory, request } = memoryOf(around("Cookie: secret"));
    for (const line of [
      "Cookie: d",
      "cookie:",
      "COOKIE: \x80",
      `Cookie: ${"c".repeat(9_000)}`,
      "Cookie: d\r\nCookie: d",
    ])
      expect(memory.find(around(line))).toBe(request);
    expect(memory.find(around("Cookie: d").replace("Cookie: d\r\n", ""))).toBe(request);
    for (const line of ["Cookie2: d", "Cookie : d", "Cookie: \0", `Cookie: ${"c".repeat(17_000)}`])
      expect(memory.find(around(line))).toBeUndefined();
    memory.find(around("Cookie: secret"));
    memory.keepWhole(`${around("Cookie: secret")}{}`, { ...request });
    const { requests } = memory as unknown as { requests: Map<string, Request> };
    expect(Array.from(requests.keys()).filter((key) => key.includes("secret"))).toEqual([]);
    expect(new Set(requests.values())).toEqual(new Set([request]));
  });

  test("is known by its hash alone when its cookies come again", () => {
    const agents = around("Cookie: secret").replace("x".repeat(80), "x".repeat(300));
    for (const hasTokens of [false, true]) {
      const memory = new HeadMemory(4_096, simulatedHash.keyed, hasTokens);
      const request = { head: { fields: fieldsOf([]) } } as unknown as Request;
      const { requests } = memory as unknown as { requests: Map<string, Request> };
      for (const cookie of ["secret", "other secret", "none"]) {
        const head = agents.replace("secret", cookie);
        const known = memory.find(head);
        expect(known).toBe(cookie === "secret" ? undefined : request);
        if (known === undefined) memory.keep(head, request);
        memory.keepWhole(`${head}{}`, request);
        for (const bytes of [head, `${head}{}`]) expect(requests.get(simulatedHash.keyed(bytes))).toBe(request);
      }
      expect(Array.from(requests.keys()).filter((key) => key.includes("secret"))).toEqual([]);
    }
  });

  test("is not taken for the request that is remembered after it was refused", () => {
    const put = around("Cookie: a").replace("GET", "PUT");
    const refused = around("Cookie: a").replace("/led", "/gone");
    for (const next of [put, put.replace("Cookie: a", "Cookie: b"), `${put}{}`, put.repeat(20)]) {
      const { memory } = memoryOf(put);
      expect(memory.find(refused)).toBeUndefined();
      memory.find(next);
      memory.keepWhole(`${put}{"led":1}`, { head: { fields: fieldsOf([]) } } as unknown as Request);
      expect(memory.find(refused.replace("Cookie: a", "Cookie: c"))).toBeUndefined();
    }
  });

  test("is not known if it may be over the limit of its field lines", () => {
    const { memory } = memoryOf(around("X-A: a"), 300);
    expect(memory.find(around(`X-A: ${"x".repeat(100)}`))).toBeDefined();
    expect(memory.find(around(`X-A: ${"x".repeat(200)}`))).toBeUndefined();
  });

  test.each(namesThatMatter)("is another one if the field is %s", (name) => {
    for (const spelled of [name, name.toUpperCase()]) {
      const { memory } = memoryOf(around(`${spelled}: a`));
      expect(memory.find(around(`${spelled}: b`))).toBeUndefined();
    }
  });

  test("leads to the same answer as without a memory, whatever is in its place", () => {
    const piece = fc.oneof(
      fc.constantFrom("a", " ", "\t", ":", "\r", "\n", "\0", "\x7f", "\x80", "\xff", "\r\n", "\r\n\r\n", "X: y"),
      fc.constantFrom("\r\nCookie: b", "\r\nHost: b", "\r\nContent-Length: 1", "\r\nAccept: */*\r\n\r\n", " z"),
      fc.constantFrom("\r\n\r\nGET / HTTP/1.1\r\nHost: b", "\r\nAuthorization: Bearer a", "x".repeat(150)),
      fc.constantFrom("led", "/", "?", "%41", " HTTP/1.1\r\nHost: b", " HTTP/1.0", "x".repeat(62), '{"led":1}'),
    );
    const value = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
    const kinds = [
      (text: string) => withBody("PUT", "/led", text),
      (text: string) => withBody("PUT", "/led", '{"led":1}', `X: ${text}\r\n`),
      (text: string) => request("GET", `/${text}`),
      (text: string) => around(`Cookie: ${text}`),
      (text: string) => around(`Origin: ${text}`),
    ];
    const sent = fc.tuple(value, fc.constantFrom("", "", "\r\n", "GET /led", around("Cookie: a")), fc.nat(4));
    const ask = (bench: Bench, bytes: string) => {
      const peer = bench.send(bytes);
      return [peer.received, peer.closed, peer.released, bench.led.calls.length];
    };
    fc.assert(
      fc.property(fc.array(sent, { minLength: 1, maxLength: 6 }), (all) => {
        const narrow = { targetBytes: 64, headerBytes: 300, headerFields: 8 };
        const [bench, forgetful] = [new Bench(narrow), new Bench(narrow)];
        for (const kind of kinds) for (const one of [bench, forgetful]) ask(one, kind("a"));
        for (const [text, behind, index] of all) {
          const bytes = (kinds[index] as (typeof kinds)[number])(text) + behind;
          forgetful.server.unregister("none");
          expect(ask(bench, bytes)).toEqual(ask(forgetful, bytes));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test("all heads together take a bounded number of bytes", () => {
  const memory = new HeadMemory(4_096);
  const request = { head: { fields: fieldsOf([]) } } as unknown as Request;
  const heads = Array.from({ length: 2_000 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`);
  for (const head of heads) memory.keep(head, request);
  const known = heads.filter((head) => memory.find(head) !== undefined);
  expect(known.length).toBeGreaterThan(0);
  expect(known.length).toBeLessThan(100);
});
