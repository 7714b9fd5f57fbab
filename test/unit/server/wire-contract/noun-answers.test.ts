/** What a noun makes of a request: 200, 422 for a state it refuses, 500 when it fails. */
import { describe, expect, test } from "vitest";
import type { Noun } from "../../../../ts/core/noun/noun.ts";
import type { Shape } from "../../../../ts/core/noun/shape.ts";
import type { State } from "../../../../ts/core/noun/state.ts";
import { StateError } from "../../../../ts/core/noun/state-error.ts";
import { Bench, request, withBody } from "../bench.ts";
import { promisesKept, RecordingNoun } from "../recording-noun.ts";
import { expectProblem, expectState, readResponse, readResponses } from "../responses.ts";

class Fan extends RecordingNoun {
  readonly shape: Shape = {
    speed: { type: "integer", minimum: 0, maximum: 100 },
    mode: { type: "choice", values: ["in", "out"], optional: true },
  };
}

function fanBench(): { readonly bench: Bench; readonly fan: Fan } {
  const bench = new Bench();
  const fan = new Fan({ speed: 0 });
  bench.server.register("fan", fan);
  return { bench, fan };
}

describe("a shape", () => {
  test.each([
    ["a wrong type", '{"speed":"1"}', "speed"],
    ["a value out of range", '{"speed":101}', "speed"],
    ["a value that is no choice", '{"speed":1,"mode":"up"}', "mode"],
    ["null for a number", '{"speed":null}', "speed"],
    ["a fraction for a whole number", '{"speed":1.5}', "speed"],
    ["a missing key", "{}", "speed"],
  ])("refuses %s of a PUT with 422, naming the key, before the noun is asked", (_name, body, key) => {
    const { bench, fan } = fanBench();
    const peer = bench.send(withBody("PUT", "/fan", body) + request("GET", "/fan"));
    const [refusal, next] = readResponses(peer.received);
    if (refusal === undefined || next === undefined) throw new Error("an answer is missing");
    expect(expectProblem(refusal, 422)).toContain(`"${key}"`);
    expect(refusal.fields.has("connection")).toBe(false);
    expectState(next, { speed: 0 });
    expect(fan.calls).toEqual(["GET"]);
  });

  test("lets a POST leave keys out, and refuses its bad values", () => {
    const { bench, fan } = fanBench();
    expectState(readResponse(bench.answer(withBody("POST", "/fan", "{}"))), { speed: 0 });
    expectState(readResponse(bench.answer(withBody("POST", "/fan", '{"mode":"out"}'))), { speed: 0, mode: "out" });
    expect(expectProblem(readResponse(bench.answer(withBody("POST", "/fan", '{"speed":-1}'))), 422)).toContain("speed");
    expect(fan.calls).toHaveLength(2);
  });

  test("of updates, where a noun has one, is what a POST is held to", () => {
    const bench = new Bench();
    const noun = Object.assign(new Fan({ speed: 0 }), { updateShape: { by: { type: "integer" } } satisfies Shape });
    bench.server.register("fan", noun);
    expect(readResponse(bench.answer(withBody("POST", "/fan", '{"by":1}'))).status).toBe(200);
    expectProblem(readResponse(bench.answer(withBody("POST", "/fan", '{"speed":1}'))), 422);
  });

  test.each(["colour", "constructor", "toString", "__proto__", "<b>"])(
    "refuses the unknown key %s with 422, naming the keys there are and echoing nothing",
    (key) => {
      const { bench, fan } = fanBench();
      const detail = expectProblem(readResponse(bench.answer(withBody("PUT", "/fan", `{"speed":1,"${key}":1}`))), 422);
      expect(detail).toContain('"speed", "mode"');
      expect(detail).not.toContain(key);
      expect(fan.calls).toEqual([]);
    },
  );
});

/** A noun whose every operation is this function. */
function nounOf(operation: () => unknown): Noun {
  const run = operation as () => never;
  return { getState: run, setState: run, updateState: run, deleteState: run };
}

function raise(error: unknown): never {
  throw error;
}

const requests = [
  request("GET", "/odd"),
  withBody("PUT", "/odd", "{}"),
  withBody("POST", "/odd", "{}"),
  request("DELETE", "/odd"),
] as const;

async function answers(operation: () => unknown): Promise<readonly ReturnType<typeof readResponse>[]> {
  const bench = new Bench();
  bench.server.register("odd", nounOf(operation));
  const peer = bench.send(requests.join("") + request("GET", "/led"));
  await promisesKept();
  const responses = readResponses(peer.received);
  expect(responses).toHaveLength(5);
  expect(responses.map(({ fields }) => fields.has("connection"))).toEqual([false, false, false, false, false]);
  expectState(responses[4] as (typeof responses)[number], { led: 0 });
  expect(bench.clock.running).toBe(1);
  peer.end();
  expect(bench.timers).toBe(0);
  return responses.slice(0, 4);
}

describe("a StateError", () => {
  test.each([
    ["thrown", () => raise(new StateError("Not while the door is open.", "door"))],
    ["a promise is rejected with", () => Promise.reject(new StateError("Not while the door is open."))],
  ])("%s answers 422 to PUT and POST, and 500 to GET and DELETE, which hold no state", async (_name, operation) => {
    const [get, put, post, del] = await answers(operation);
    if (!get || !put || !post || !del) throw new Error("an answer is missing");
    expectProblem(get, 500);
    expect(expectProblem(put, 422)).toBe("Not while the door is open.");
    expect(expectProblem(post, 422)).toBe("Not while the door is open.");
    expectProblem(del, 500);
  });

  test("may say anything that is text", async () => {
    const [, put] = await answers(() => raise(new StateError('"é" \ud800\r\n')));
    expect(put?.status).toBe(422);
    expect((JSON.parse(Buffer.from(put?.content ?? "", "latin1").toString()) as { detail: string }).detail).toBe(
      '"é" \ud800\r\n',
    );
  });
});

const circular: { self?: unknown } = {};
circular.self = circular;

describe("a noun fails, and the client gets 500 without a word of why, when it", () => {
  test.each<[string, () => unknown]>([
    ["throws an Error", () => raise(new Error("/etc/secret at line 7"))],
    ["throws a string", () => raise("secret")],
    ["throws undefined", () => raise(undefined)],
    ["throws an Error without a stack", () => raise(Object.assign(new Error("secret"), { stack: 7 }))],
    ["breaks its promise", () => Promise.reject(new Error("secret"))],
    ["breaks its promise with nothing", () => Promise.reject(undefined)],
    ["returns nothing", () => undefined],
    ["returns null", () => null],
    ["returns a string", () => "secret"],
    ["returns an array", () => ["secret"]],
    ["returns nested objects", () => ({ secret: {} })],
    ["returns a circle", () => circular],
    ["returns NaN", () => ({ secret: Number.NaN })],
    ["returns Infinity", () => ({ secret: Number.POSITIVE_INFINITY })],
    ["returns undefined under a key", () => ({ secret: undefined })],
    ["returns a function under a key", () => ({ toJSON: () => "secret" })],
    ["returns a bigint", () => ({ secret: 1n })],
    ["returns half of a surrogate pair", () => ({ a: "secret\ud800" })],
    ["returns half of a surrogate pair as a key", () => ({ "secret\udc00": 1 })],
    ["promises no state", () => Promise.resolve("secret")],
    [
      "returns a state whose getter throws",
      () => ({
        get a() {
          return raise(new Error("secret"));
        },
      }),
    ],
    [
      "returns something whose then throws when it is asked for",
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable that misbehaves is the subject of this row.
        get then() {
          return raise(new Error("secret"));
        },
      }),
    ],
    [
      "returns a thenable that throws",
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: as above.
        then: () => raise(new Error("secret")),
      }),
    ],
  ])("%s", async (_name, operation) => {
    for (const response of await answers(operation)) {
      expect(expectProblem(response, 500)).not.toMatch(/secret|etc/);
    }
  });
});

describe("a noun is well when it", () => {
  test.each<[string, () => unknown, unknown]>([
    ["keeps a promise", () => Promise.resolve({ a: 1 }), { a: 1 }],
    [
      "answers by a thenable that settles twice",
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable of a noun's own making is the subject of this row.
        then: (keep: (state: unknown) => void, fail: (error: unknown) => void) => {
          keep({ a: 1 });
          keep({ a: 2 });
          fail(new Error("too late"));
        },
      }),
      { a: 1 },
    ],
    [
      "returns an object with a toJSON of its class",
      () =>
        new (class {
          readonly a = 1;
          toJSON(): string {
            return "not a state";
          }
        })(),
      { a: 1 },
    ],
    ["returns an object without a prototype", () => Object.assign(Object.create(null), { a: null }), { a: null }],
    ["returns -0, which is 0", () => ({ a: -0 }), { a: 0 }],
  ])("%s", async (_name, operation, state) => {
    for (const response of await answers(operation)) expectState(response, state as State);
  });
});

test("a state that a getter changes after it was looked at is written as it was looked at", async () => {
  let reads = 0;
  const [get] = await answers(() => ({
    get a() {
      reads += 1;
      return reads % 2 === 1 ? 1 : ["nested"];
    },
  }));
  expect(get?.content).toBe('{"a":1}');
});
