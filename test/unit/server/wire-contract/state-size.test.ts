/** How large the states may be that clients set: each of them, and all together. */
import { beforeEach, describe, expect, test } from "vitest";
import { defineNoun } from "../../../../ts/core/noun/define-noun.ts";
import { type Awaitable, after, type Noun } from "../../../../ts/core/noun/noun.ts";
import type { State } from "../../../../ts/core/noun/state.ts";
import { StateError } from "../../../../ts/core/noun/state-error.ts";
import { ValueNoun } from "../../../../ts/hardware/nouns/value-noun.ts";
import { limitProcess, Server, valueNoun } from "../../../../ts/nound.ts";
import { request as ask, reset } from "../../../../ts/testing.ts";
import { Bench, request, withBody } from "../bench.ts";
import { promisesKept, RecordingNoun } from "../recording-noun.ts";
import { expectProblem, expectState, readResponse } from "../responses.ts";

const texts = { a: { type: "string", optional: true }, b: { type: "string", optional: true } } as const;

/** A noun of `defineNoun` that stores its state. @param wait what its functions return instead of nothing. */
function storing(wait: () => Promise<void> | undefined = () => undefined, ownUpdate = false): Noun {
  let state: State = {};
  const set = (desired: State) => {
    const done = wait()?.then(() => {
      state = desired;
    });
    if (done === undefined) state = desired;
    return done;
  };
  return defineNoun({
    shape: texts,
    default: {},
    get: () => state,
    set,
    ...(ownUpdate && { update: (change: State) => set({ ...state, ...change }) }),
  });
}

const nouns: readonly (readonly [string, () => Noun])[] = [
  ["a value", () => new ValueNoun()],
  ["a value with a shape", () => new ValueNoun({ shape: texts, default: {} })],
  ["a noun by defineNoun", () => storing()],
  ["a noun by defineNoun that takes its time", () => storing(() => Promise.resolve())],
  ["a noun by defineNoun with an update of its own", () => storing(undefined, true)],
  ["a noun by defineNoun with an update of its own that takes its time", () => storing(() => Promise.resolve(), true)],
  ["a noun of a class", () => new RecordingNoun()],
];

/** A state of so many bytes as JSON under one key. */
function body(key: string, bytes: number): string {
  return `{"${key}":"${"x".repeat(bytes - 8)}"}`;
}

describe.each(nouns)("a state of %s", (_name, noun) => {
  const bytes = 4_000;

  async function answers(...requests: readonly string[]) {
    const bench = new Bench({ stateBytes: bytes });
    bench.server.register("noun", noun());
    const peer = bench.connect();
    const responses: ReturnType<typeof readResponse>[] = [];
    for (const bytes of requests) {
      peer.send(bytes);
      for (let turn = 0; turn < 5; turn++) await promisesKept();
      responses.push(readResponse(peer.take()));
    }
    return responses as [ReturnType<typeof readResponse>, ...typeof responses];
  }

  test("may have as many bytes as the limit says, by PUT and by POST", async () => {
    const [put] = await answers(withBody("PUT", "/noun", body("a", bytes)));
    expectState(put, JSON.parse(body("a", bytes)));
    const [, post] = await answers(
      withBody("PUT", "/noun", body("a", 1_000)),
      withBody("POST", "/noun", body("b", bytes - 999)),
    );
    expect(post?.content).toHaveLength(bytes);
  });

  test("of a byte more is refused by 413, by PUT and by POST, and nothing has changed", async () => {
    const large = body("a", bytes + 1);
    const [, put, post, get, next] = await answers(
      withBody("PUT", "/noun", body("a", 1_000)),
      withBody("PUT", "/noun", large),
      withBody("POST", "/noun", body("b", bytes - 998)),
      request("GET", "/noun"),
      withBody("POST", "/noun", '{"b":"y"}'),
    );
    if (!put || !post || !get || !next) throw new Error("an answer is missing");
    for (const refused of [put, post]) {
      expect(expectProblem(refused, 413)).toBe("The state would have more than 4000 bytes as JSON.");
      expect(refused.fields.has("connection")).toBe(false);
    }
    expectState(get, JSON.parse(body("a", 1_000)));
    expect(next.status).toBe(200);
  });

  test("is measured in bytes, not in characters", async () => {
    const [fits, large] = await answers(
      withBody("PUT", "/noun", Buffer.from(`{"a":"${"é".repeat((bytes - 8) / 2)}"}`).toString("latin1")),
      withBody("PUT", "/noun", Buffer.from(`{"a":"${"é".repeat(bytes / 2 - 3)}"}`).toString("latin1")),
    );
    expect([fits.status, large?.status]).toEqual([200, 413]);
  });

  test("has room again after a smaller one, and after a DELETE", async () => {
    const most = body("a", bytes);
    const part = withBody("POST", "/noun", body("b", 1_000));
    const responses = await answers(
      withBody("PUT", "/noun", most),
      part,
      withBody("PUT", "/noun", body("a", 1_000)),
      part,
      withBody("PUT", "/noun", most),
      part,
      request("DELETE", "/noun"),
      part,
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 413, 200, 200, 200, 413, 200, 200]);
  });
});

describe.each([
  ["at once", () => undefined],
  ["later", () => Promise.resolve()],
] satisfies [string, () => Awaitable<void>][])("a noun that refuses a smaller state and a DELETE %s", (_when, wait) => {
  test("still has its state, which counts", async () => {
    const counts: number[] = [];
    let state: State = {};
    const refuse = (): Awaitable<State> =>
      after<void, State>(wait(), () => {
        throw new StateError("It is locked.");
      });
    const noun: Noun = {
      getState: () => state,
      setState: (desired) => {
        if (desired["a"] === "refused") return refuse();
        state = desired;
        return state;
      },
      updateState: () => state,
      deleteState: refuse,
    };
    const bench = new Bench();
    bench.server.register("noun", noun);
    const peer = bench.connect();
    const refused = [
      withBody("PUT", "/noun", '{"a":"refused"}'),
      request("DELETE", "/noun"),
      withBody("PUT", "/noun", '{"a":1}'),
    ];
    for (const bytes of [withBody("PUT", "/noun", body("a", 4_000)), ...refused]) {
      peer.send(bytes);
      for (let turn = 0; turn < 5; turn++) await promisesKept();
      counts.push(bench.server.nouns.stateMemory);
    }
    const [held = 0] = counts;
    expect(held).toBeGreaterThan(7_600);
    expect(counts).toEqual([held, held, held, 0]);
  });
});

test("a state from before that is larger than the limit is served, and made smaller", () => {
  const bench = new Bench({ stateBytes: 100, bodyBytes: 1_000 });
  const before = { a: "x".repeat(200) };
  bench.server.register("value", new ValueNoun({ default: before }));
  expectState(readResponse(bench.answer(request("GET", "/value"))), before);
  expectProblem(readResponse(bench.answer(withBody("POST", "/value", '{"b":1}'))), 413);
  expectState(readResponse(bench.answer(withBody("POST", "/value", '{"a":1}'))), { a: 1 });
  expectState(readResponse(bench.answer(request("DELETE", "/value"))), before);
});

describe("all states together", () => {
  const memoryBytes = 1_048_576;
  const most = memoryBytes / 4;
  /** Memory of a state with a text of 4,000 characters under one key. */
  const each = 2 * 4_008 + 256;

  beforeEach(() => {
    reset();
    limitProcess({ memoryBytes });
    return () => limitProcess({});
  });

  async function fill(server: Server, name: string): Promise<number> {
    return (await ask(server, { path: `/${name}`, method: "PUT", body: { a: "x".repeat(4_000) } })).status;
  }

  let servers = 0;
  function serverOf(count: number): Server {
    const server = new Server();
    servers += 1;
    server.listen(`unix:states-${servers}`);
    for (let index = 0; index < count; index++) server.register(`n${index}`, valueNoun());
    return server;
  }

  test("take at most a quarter of memoryBytes, over all servers of the process", async () => {
    const fits = Math.floor(most / each);
    const [one, other] = [serverOf(fits - 1), serverOf(2)];
    for (let index = 0; index < fits - 1; index++) expect(await fill(one, `n${index}`)).toBe(200);
    expect(await fill(other, "n0")).toBe(200);
    const refused = await ask(other, { path: "/n1", method: "PUT", body: { a: "x".repeat(4_000) } });
    expect(refused.status).toBe(413);
    expect((await ask(other, { path: "/n1" })).body).toEqual({});
    // A state that is there may become another one of its size, and a smaller one makes room.
    expect(await fill(one, "n0")).toBe(200);
    expect((await ask(one, { path: "/n0", method: "DELETE" })).status).toBe(200);
    expect(await fill(other, "n1")).toBe(200);
    expect(await fill(one, "n0")).toBe(413);
    await one.close();
    expect(await fill(serverOf(1), "n0")).toBe(200);
    await other.close();
  });

  test("always leave room for a small one, so that a lamp can be switched", async () => {
    const server = serverOf(Math.ceil(most / each) + 1);
    let status = 200;
    for (let index = 0; status === 200; index++) status = await fill(server, `n${index}`);
    expect(status).toBe(413);
    const shape = { level: { type: "number" } } as const;
    server.register("lamp", valueNoun({ shape, default: { level: 1 } }));
    for (const path of ["/lamp", "/n0"]) {
      expect((await ask(server, { path, method: "PUT", body: { level: 1.2345678901234567e-123 } })).status).toBe(200);
    }
    await server.close();
  });

  test("do not have those of nouns that are not registered", async () => {
    const server = new Server();
    const noun = valueNoun();
    server.register("one", noun);
    server.register("other", noun);
    expect(await fill(server, "one")).toBe(200);
    // It counts for each of its names.
    expect(server.core.nouns.stateMemory).toBe(2 * each);
    server.unregister("one");
    expect(server.core.nouns.stateMemory).toBe(each);
    server.unregister("other");
    expect(server.core.nouns.stateMemory).toBe(0);
    server.register("one", noun);
    expect(server.core.nouns.stateMemory).toBe(each);
    await server.close();
  });

  test("have one that its noun refused until it has another one, and one that it did not reset", async () => {
    const server = new Server();
    const refuse = () => {
      throw new Error("stuck");
    };
    const noun = Object.assign(valueNoun(), { setState: refuse, deleteState: refuse });
    server.register("stuck", noun);
    expect(await fill(server, "stuck")).toBe(500);
    expect((await ask(server, { path: "/stuck", method: "DELETE" })).status).toBe(500);
    expect(server.core.nouns.stateMemory).toBe(each);
    Object.assign(noun, { deleteState: () => noun.getState() });
    expect((await ask(server, { path: "/stuck", method: "DELETE" })).status).toBe(200);
    expect(server.core.nouns.stateMemory).toBe(0);
    await server.close();
  });

  test("have one that nobody waited for", async () => {
    const bench = new Bench();
    const peer = bench.send(withBody("POST", "/slow", body("a", 1_000)));
    peer.reset();
    await bench.slow.answer(0, { a: "x".repeat(992) });
    expect(bench.server.nouns.stateMemory).toBe(2 * 1_000 + 256);
  });
});
