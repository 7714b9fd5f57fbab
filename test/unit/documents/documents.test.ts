/** Documents on the wire: their paths, methods, entity tags, and what a token's scope leaves of them. */
import { describe, expect, test } from "vitest";
import type { AccessOptions } from "../../../ts/core/access/access.ts";
import type { Document, DocumentContent, DocumentReader } from "../../../ts/core/server/document.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import type { SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { DocumentSet } from "../../../ts/parts/documents/documents.ts";
import { Bench, host, request } from "../server/bench.ts";
import { RecordingNoun } from "../server/recording-noun.ts";
import { LoopTurns } from "../time/loop-turns.ts";
import { documentsPlan } from "./plan.ts";

/** A document with this in it. */
function document(path: string, content: Partial<DocumentContent> & Pick<DocumentContent, "write">): Document {
  const whole = { type: "text/x", isCacheable: true, readsStates: false, ...content };
  return {
    path,
    relation: "",
    type: "text/x",
    title: path,
    hasTag: false,
    switchOff: "switch it off",
    content: () => whole,
  };
}

function* names({ authority, nouns }: DocumentReader): Generator<string, undefined> {
  yield `${authority}: `;
  for (const { name, verbs } of nouns) yield `${name} ${verbs.join("+")};`;
}

const about = document("/.well-known/about", { write: names });
const states = document("/states", {
  isCacheable: false,
  readsStates: true,
  write: ({ nouns }) => [JSON.stringify(Array.from(nouns, ({ name, state }) => [name, state ?? null]))].values(),
});

class DocumentBench extends Bench {
  constructor(access: AccessOptions = {}, documents: readonly Document[] = [about, states], limits = {}) {
    super();
    const { net, clock, interruption, memory } = this;
    this.documented = new HttpServer({ net, clock, interruption, memory, hash: simulatedHash }, { access, limits }, [
      documentsPlan((context) => new DocumentSet(documents, undefined, context)),
    ]);
    this.documented.register("led", this.led);
    this.documented.register("other", Object.assign(new RecordingNoun(), { settable: false }));
    this.documented.listen("127.0.0.1:8081");
  }

  readonly documented: HttpServer;

  /** Sends bytes, and waits for nothing. */
  begin(bytes: string): SimulatedPeer {
    const peer = this.net.connect("127.0.0.1:8081");
    peer.send(bytes);
    return peer;
  }

  ask(bytes: string): string {
    const peer = this.net.connect("127.0.0.1:8081");
    peer.send(bytes);
    this.clock.advance(0);
    return peer.received;
  }
}

const whole = "a: led GET+PUT+POST+DELETE;other GET+DELETE;";

function tagOf(answer: string): string {
  return /\r\nETag: ("[0-9a-f]{32}")\r\n/.exec(answer)?.[1] ?? "";
}

test("GET answers with the document, its type, its tag, and how it may be kept", () => {
  const bench = new DocumentBench();
  const answer = bench.ask(request("GET", "/.well-known/about"));
  expect(answer).toBe(
    `HTTP/1.1 200 OK\r\nContent-Type: text/x\r\nContent-Length: ${whole.length}\r\n` +
      `X-Content-Type-Options: nosniff\r\nCache-Control: private, no-cache\r\nETag: ${tagOf(answer)}\r\n\r\n${whole}`,
  );
});

test.each(["/.well-known/about", "http://a/.well-known/about", "/%2ewell-known/%61bout"])(
  "%s is its path",
  (target) => {
    expect(new DocumentBench().ask(request("GET", target))).toContain(whole);
  },
);

test.each(["/.well-known/About", "/.well-known/about/", "/.well-known", "/.well-known%2fabout", "/about"])(
  "%s is not its path",
  (target) => {
    expect(new DocumentBench().ask(request("GET", target))).toMatch(/^HTTP\/1.1 404 /);
  },
);

test("a query is refused as it is for a noun", () => {
  expect(new DocumentBench().ask(request("GET", "/states?a"))).toMatch(/^HTTP\/1.1 400 /);
});

test("HEAD answers with the same fields and no body", () => {
  const bench = new DocumentBench();
  const head = bench.ask(request("HEAD", "/.well-known/about"));
  expect(head + whole).toBe(bench.ask(request("GET", "/.well-known/about")));
});

test("OPTIONS tells the methods, and another method is refused with them", () => {
  const bench = new DocumentBench();
  const allow = "\r\nAllow: GET, HEAD, OPTIONS\r\n";
  expect(bench.ask(request("OPTIONS", "/states"))).toBe(
    `HTTP/1.1 204 No Content\r\nCache-Control: no-store${allow}\r\n`,
  );
  for (const method of ["PUT", "POST", "DELETE", "PATCH"]) {
    const answer = bench.ask(
      request(method, "/states", method === "PUT" || method === "POST" ? "Content-Length: 0\r\n" : ""),
    );
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(answer).toContain(allow);
  }
  expect(bench.ask(request("BREW", "/states"))).toMatch(/^HTTP\/1.1 501 /);
});

describe("a condition", () => {
  const bench = new DocumentBench();
  const tag = tagOf(bench.ask(request("GET", "/.well-known/about")));
  const ask = (fields: string, method = "GET") => bench.ask(request(method, "/.well-known/about", fields));

  test("If-None-Match with the tag gets 304 with the tag and no body", () => {
    const answer = `HTTP/1.1 304 Not Modified\r\nCache-Control: private, no-cache\r\nETag: ${tag}\r\n\r\n`;
    for (const field of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) expect(ask(`If-None-Match: ${field}\r\n`)).toBe(answer);
    expect(ask(`If-None-Match: ${tag}\r\n`, "HEAD")).toBe(answer);
  });

  test("If-None-Match with another tag gets the document", () => {
    expect(ask('If-None-Match: "x"\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  test("If-Match holds for the tag and for *, and no other", () => {
    expect(ask(`If-Match: ${tag}\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    expect(ask("If-Match: *\r\n")).toMatch(/^HTTP\/1.1 200 /);
    expect(ask('If-Match: "x"\r\n')).toMatch(/^HTTP\/1.1 412 /);
  });

  test("another host, and another noun, have another tag", () => {
    expect(tagOf(bench.ask(`GET /.well-known/about HTTP/1.1\r\nHost: b:1\r\n\r\n`))).not.toBe(tag);
    bench.documented.register("third", new RecordingNoun());
    expect(tagOf(ask(""))).not.toBe(tag);
    bench.documented.unregister("third");
    expect(tagOf(ask(""))).toBe(tag);
  });
});

test("a document of states reads each noun, and cannot be kept", () => {
  const bench = new DocumentBench();
  const answer = bench.ask(request("GET", "/states"));
  expect(answer).toMatch(
    /\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n\[\["led",\{"led":0\}\],\["other",/,
  );
  expect(answer).not.toContain("ETag");
});

test("a noun that fails or does not answer in time has no state, and the others have theirs", () => {
  const bench = new DocumentBench({}, [states], { nounTimeout: 100 });
  bench.documented.register("slow", bench.slow);
  bench.led.getState = () => {
    throw new Error("no");
  };
  const peer = bench.net.connect("127.0.0.1:8081");
  peer.send(request("GET", "/states"));
  bench.clock.advance(100);
  expect(peer.received).toContain('[["led",null],["other",{}],["slow",null]]');
});

test("a noun that answers later is waited for", async () => {
  const bench = new DocumentBench({}, [states]);
  bench.documented.register("slow", bench.slow);
  const peer = bench.net.connect("127.0.0.1:8081");
  peer.send(request("GET", "/states"));
  bench.clock.advance(0);
  await bench.slow.answer(0, { late: 1 });
  bench.clock.advance(0);
  expect(peer.received).toContain('["slow",{"late":1}]');
});

test("a document that cannot be written is a 500, and the connection goes on", () => {
  const broken = document("/broken", {
    write: () => {
      throw new Error("no");
    },
  });
  const answer = new DocumentBench({}, [broken, states]).ask(request("GET", "/broken") + request("GET", "/states"));
  expect(answer).toMatch(/^HTTP\/1.1 500 .*?HTTP\/1.1 200 /s);
});

describe("the text of a document", () => {
  /** Counts how often it is written, and has a text for each noun. */
  class Written extends DocumentBench {
    /** The names of the nouns that were described. */
    readonly written: string[];

    constructor(access: AccessOptions = {}, textLength = 1) {
      const log: string[] = [];
      function* write({ authority, nouns }: DocumentReader): Generator<string, undefined> {
        yield `${authority}:`;
        for (const { name } of nouns) {
          log.push(name);
          yield name.padEnd(textLength, ".");
        }
      }
      super(access, [document("/written", { write }), states]);
      this.written = log;
    }
  }

  const get = request("GET", "/written");

  test("is kept for all hosts and conditions, until the nouns change", () => {
    const bench = new Written();
    const tag = tagOf(bench.ask(get));
    expect(bench.written).toEqual(["led", "other"]);
    expect(bench.ask(request("GET", "/written", `If-None-Match: ${tag}\r\n`))).toMatch(/^HTTP\/1.1 304 /);
    expect(bench.ask(request("HEAD", "/written"))).toMatch(/^HTTP\/1.1 200 /);
    expect(bench.ask("GET /written HTTP/1.1\r\nHost: b:1\r\n\r\n")).toMatch(/\r\n\r\nb:1:ledother$/);
    expect(bench.written).toEqual(["led", "other"]);
    bench.documented.register("third", new RecordingNoun());
    expect(bench.ask(get)).toMatch(/\r\n\r\na:ledotherthird$/);
    bench.documented.unregister("third");
    expect(bench.ask(get)).toMatch(/\r\n\r\na:ledother$/);
    expect(bench.written).toHaveLength(2 + 3 + 2);
  });

  test("is kept for each token by itself, for the last few of them", () => {
    const secrets = Array.from({ length: 9 }, (_, index) => `${index}`.repeat(40));
    const tokens = secrets.map((secret) => ({
      name: `n${secret.charAt(0)}`,
      sha256: simulatedHash.sha256(secret),
      verbs: ["GET"] as const,
      nouns: ["led"],
    }));
    const bench = new Written({ tokens });
    const askAs = (secret = "") => bench.ask(request("GET", "/written", `Authorization: Bearer ${secret}\r\n`));
    for (const secret of secrets) askAs(secret);
    expect(bench.written).toHaveLength(9);
    askAs(secrets[8]);
    askAs(secrets[1]);
    expect(bench.written).toHaveLength(9);
    askAs(secrets[0]);
    expect(bench.written).toHaveLength(10);
  });

  test("is forgotten when memory is scarce", () => {
    const bench = new Written();
    bench.ask(get);
    bench.memory.scarce = true;
    bench.ask(request("GET", "/led"));
    bench.memory.scarce = false;
    bench.ask(get);
    expect(bench.written).toHaveLength(4);
  });

  test("is written in several turns of the loop, once for all who wait, and others are served in between", () => {
    const bench = new Written();
    const turns = new LoopTurns(bench.clock, 2);
    const peers = Array.from({ length: 3 }, () => bench.begin(get));
    expect(bench.written).toEqual([]);
    turns.next();
    expect(bench.written).toEqual(["led"]);
    expect(bench.begin(request("GET", "/led")).received).toMatch(/\{"led":0\}$/);
    turns.all();
    expect(bench.written).toEqual(["led", "other"]);
    for (const peer of peers) expect(peer.received).toMatch(/a:ledother$/);
  });

  test("that is being written when the nouns change is sent, and not kept", () => {
    const bench = new Written();
    const turns = new LoopTurns(bench.clock, 2);
    const peer = bench.begin(get);
    turns.next();
    bench.documented.unregister("other");
    turns.all();
    expect(peer.received).toMatch(/a:ledother$/);
    const second = bench.begin(get);
    turns.all();
    expect(second.received).toMatch(/a:led$/);
  });

  test("is not written on when its client has gone, and goes on where it was for the next one", () => {
    const bench = new Written();
    const turns = new LoopTurns(bench.clock, 2);
    const peer = bench.begin(get);
    turns.next();
    peer.reset();
    turns.all();
    expect(bench.written).toEqual(["led"]);
    const second = bench.begin(get);
    turns.all();
    expect(second.received).toMatch(/a:ledother$/);
    expect(bench.written).toEqual(["led", "other"]);
  });

  test("is sent in parts, as the client takes them, and what follows waits for its end", () => {
    const bench = new Written({}, 100_000);
    const peer = bench.begin(get + request("DELETE", "/led") + get);
    peer.setRoom(10);
    bench.clock.advance(0);
    expect(bench.led.calls).toEqual([]);
    for (let sent = 0; sent < 40; sent++) {
      expect(peer["socket"].waiting.length).toBeLessThan(120_000);
      peer.setRoom(10_000);
    }
    expect(peer.received.length).toBeGreaterThan(190_000);
    peer.setRoom(Number.POSITIVE_INFINITY);
    bench.clock.advance(0);
    expect(bench.led.calls).toEqual(["DELETE"]);
    const whole = `a:${"led".padEnd(100_000, ".")}${"other".padEnd(100_000, ".")}`;
    const [first, second, third] = peer.received.split("HTTP/1.1 200 OK").slice(1);
    expect(first?.endsWith(`\r\n\r\n${whole}`)).toBe(true);
    expect(second).toMatch(/\{"led":0\}$/);
    expect(third).toBe(first);
  });

  test("is sent in several turns of the loop, and others are served in between", () => {
    const bench = new Written({}, 100_000);
    const turns = new LoopTurns(bench.clock, 2);
    const peer = bench.begin(get);
    while (peer.received === "") turns.next();
    expect(peer.received.length).toBeLessThan(150_000);
    expect(bench.begin(request("GET", "/led")).received).toMatch(/\{"led":0\}$/);
    turns.all();
    expect(peer.received.endsWith("other".padEnd(100_000, "."))).toBe(true);
  });

  test("is sent whole before a connection ends that was asked to", () => {
    const bench = new Written({}, 100_000);
    const peer = bench.begin(request("GET", "/written", "Connection: close\r\n"));
    peer.end();
    peer.setRoom(10);
    bench.clock.advance(0);
    expect(peer.closed).toBe(false);
    while (!peer.closed) peer.setRoom(50_000);
    expect(peer.received.endsWith("other".padEnd(100_000, "."))).toBe(true);
    expect(peer.released).toBe(true);
  });
});

test("a client that waits for a document may be closed for a new one", () => {
  const bench = new DocumentBench({}, [about, states], { maxConnections: 1 });
  new LoopTurns(bench.clock);
  const waiting = bench.begin(request("GET", "/states"));
  expect(bench.begin(request("GET", "/led")).received).toMatch(/\{"led":0\}$/);
  expect(waiting.released).toBe(true);
});

test("If-Match with a tag gets 412 from a document without one", () => {
  const bench = new DocumentBench();
  expect(bench.ask(request("GET", "/states", 'If-Match: "x"\r\n'))).toMatch(/^HTTP\/1.1 412 .*no entity tag/s);
  expect(bench.ask(request("HEAD", "/states", 'If-Match: "x"\r\n'))).toMatch(/^HTTP\/1.1 412 /);
  expect(bench.ask(request("GET", "/states", "If-Match: *\r\n"))).toMatch(/^HTTP\/1.1 200 /);
  expect(bench.ask(request("GET", "/states", "If-None-Match: *\r\n"))).toMatch(/^HTTP\/1.1 200 /);
});

describe("with required tokens", () => {
  const panel = "p".repeat(40);
  const reader = "r".repeat(40);
  const tokens = [
    { name: "panel", sha256: simulatedHash.sha256(panel), verbs: ["PUT", "GET"] as const, nouns: ["led"] },
    { name: "reader", sha256: simulatedHash.sha256(reader), verbs: ["GET"] as const, nouns: ["o*"] },
  ];
  const bench = new DocumentBench({ tokens });
  const as = (token: string) => `Authorization: Bearer ${token}\r\n`;

  test("a document needs one, whichever", () => {
    expect(bench.ask(request("GET", "/states"))).toMatch(/^HTTP\/1.1 401 /);
    expect(bench.ask(request("GET", "/states", as("x".repeat(40))))).toMatch(/^HTTP\/1.1 401 /);
    expect(bench.ask(request("OPTIONS", "/states", as(panel)))).toMatch(/^HTTP\/1.1 204 /);
  });

  test("it tells of the token's nouns alone, and of what the token may do with them", () => {
    expect(bench.ask(request("GET", "/.well-known/about", as(panel)))).toContain("\r\n\r\na: led GET+PUT;");
    expect(bench.ask(request("GET", "/.well-known/about", as(reader)))).toMatch(/\r\n\r\na: other GET;$/);
    expect(bench.ask(request("GET", "/states", as(panel)))).toMatch(/\[\["led",\{"led":0\}\]\]$/);
  });

  test("caches are told that it differs from token to token", () => {
    expect(bench.ask(request("GET", "/.well-known/about", as(panel)))).toContain("\r\nVary: Authorization\r\n");
  });
});

describe("a name", () => {
  test.each(["states", "STATES"])("%s that a document has is refused with a sentence", (name) => {
    const bench = new DocumentBench();
    expect(() => bench.documented.register(name, bench.other)).toThrow(
      "A noun cannot be named states, because /states is a document: give it another name, or switch it off.",
    );
  });

  test("that no document has is free", () => {
    const bench = new DocumentBench({}, [about]);
    bench.documented.register("states", new RecordingNoun({ free: true }));
    expect(bench.ask(request("GET", "/states"))).toContain('{"free":true}');
  });
});

test("the server counts its answers by status, and its connections", () => {
  const counting = document("/counts", {
    isCacheable: false,
    write: ({ counts }) => [JSON.stringify([counts.requests[404], counts.requests[200], counts.connections])].values(),
  });
  const bench = new DocumentBench({}, [counting]);
  bench.ask(`GET /led HTTP/1.1\r\n${host}\r\n`.repeat(3) + request("GET", "/none") + request("HEAD", "/counts"));
  expect(bench.ask(request("GET", "/counts"))).toMatch(/\[1,4,2\]$/);
});
