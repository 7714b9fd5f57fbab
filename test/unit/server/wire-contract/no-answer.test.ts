/** Memory ends after a noun has changed: then no answer says that the request has failed. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineNoun } from "../../../../ts/core/noun/define-noun.ts";
import type { Awaitable, Noun } from "../../../../ts/core/noun/noun.ts";
import type { State } from "../../../../ts/core/noun/state.ts";
import { Bench, request, withBody } from "../bench.ts";
import { promisesKept } from "../recording-noun.ts";
import { statuses } from "../responses.ts";

/** As the engine throws it. */
class InternalError extends Error {
  override readonly name = "InternalError";
}

/** Whether there is no memory for the texts of the nouns below. */
let isOut = false;
let error: unknown;
const texts = ['"new"', '"default"']; // the engine writes a text with an escape

beforeEach(() => {
  isOut = false;
  error = new InternalError("out of memory");
  const { stringify } = JSON;
  vi.spyOn(JSON, "stringify").mockImplementation((value) => {
    if (texts.includes(value)) allocate();
    return stringify(value);
  });
});

afterEach(() => void vi.restoreAllMocks());

function allocate(): void {
  if (isOut) throw error;
}

/**
 * Happens last while a noun changes. @returns an object other than the one whose JSON the server has written ahead.
 */
function changed(state: State): State {
  isOut = true;
  return { ...state };
}

const late = <T>(value: T): Promise<T> => promisesKept().then(() => value);

function nounOf(change: (state: State) => Awaitable<State>): Noun {
  const state = { text: '"default"' };
  return {
    getState: () => state,
    setState: change,
    updateState: change,
    deleteState: () => change(state),
  };
}

function defined(wait: <T>(value: T) => Awaitable<T>): Noun {
  let text = '"default"';
  const set = (state: { text?: string }) => {
    const done = wait(undefined);
    text = changed(state as State)["text"] as string;
    return done;
  };
  return defineNoun({
    shape: { text: { type: "string" } },
    default: { text },
    get: () => {
      allocate();
      return wait({ text });
    },
    set,
    update: set,
  });
}

const nouns: readonly (readonly [string, () => Noun])[] = [
  ["returns its state", () => nounOf(changed)],
  ["promises its state", () => nounOf((state) => late(state).then(changed))],
  ["is read after it was set", () => defined((value) => value)],
  ["is read by a promise after it was set by one", () => defined(late)],
];

const changes = [
  ["PUT", withBody("PUT", "/noun", '{"text":"\\"new\\""}')],
  ["POST", withBody("POST", "/noun", '{"text":"\\"new\\""}')],
  ["DELETE", request("DELETE", "/noun")],
] as const;

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await promisesKept();
}

describe.each(nouns)("a noun that %s", (_name, noun) => {
  test.each(changes)("leaves a %s without an answer, and its connection ends", async (_verb, bytes) => {
    const bench = new Bench();
    bench.server.register("noun", noun());
    const peer = bench.connect();
    peer.send(request("GET", "/led") + bytes + request("GET", "/led"));
    await settled();
    expect(isOut).toBe(true);
    expect(statuses(peer.received)).toEqual([200]);
    expect(peer.closed).toBe(true);
    bench.clock.advance(2_020);
    expect(peer.released).toBe(true);
    expect(statuses(bench.answer(request("GET", "/led")))).toEqual([200]);
  });
});

test("the engine's null for an error without memory is one, too", () => {
  error = null;
  const bench = new Bench();
  bench.server.register("noun", nounOf(changed));
  const peer = bench.send(withBody("PUT", "/noun", '{"text":"\\"new\\""}'));
  expect([peer.received, peer.closed]).toEqual(["", true]);
});

test("answers to requests before it are sent, those to requests behind it are not", async () => {
  const bench = new Bench();
  bench.server.register("noun", nounOf(changed));
  const peer = bench.connect();
  peer.send(request("GET", "/slow") + withBody("PUT", "/noun", '{"text":"\\"new\\""}') + request("DELETE", "/led"));
  await bench.slow.answer(0, { turn: 1 });
  expect(statuses(peer.received)).toEqual([200]);
  expect(bench.led.calls).toEqual([]);
  expect(peer.closed).toBe(true);
});

test("a GET that finds no memory is answered 500, for it changes nothing", () => {
  const bench = new Bench();
  bench.server.register("noun", { ...nounOf(changed), getState: () => changed({ text: '"new"' }) });
  const peer = bench.send(request("GET", "/noun"));
  expect([statuses(peer.received), peer.closed]).toEqual([[500], false]);
});

test("an operation that finds no memory before its noun has changed gets 500, and the state is as it was", () => {
  const bench = new Bench();
  const failing = () => {
    throw error;
  };
  bench.server.register("noun", { ...nounOf(changed), setState: failing });
  expect(statuses(bench.answer(withBody("PUT", "/noun", '{"text":"\\"new\\""}')))).toEqual([500]);
});

test("a noun whose result is no state has failed, whatever became of it", () => {
  const bench = new Bench();
  bench.server.register("noun", { ...nounOf(changed), setState: () => ({ text: Number.NaN }) });
  expect(statuses(bench.answer(withBody("PUT", "/noun", '{"text":"\\"new\\""}')))).toEqual([500]);
});
