/** Failures in the list of changes: their place, and who sees them. */
import { expect, test } from "vitest";
import type { Scope } from "../../../ts/core/access/admission.ts";
import type { RegisteredNoun } from "../../../ts/core/operations/noun-route.ts";
import { changeSource } from "../../../ts/parts/changes/change-source.ts";
import { Changes } from "../../../ts/parts/changes/changes.ts";
import { KeptFailures } from "../../../ts/platform/kept-failures.ts";

const names = ["cellar", "pump"];

function newList() {
  let moment = 0;
  const kept = new KeptFailures();
  const nouns = {
    all: () => names.map((name) => ({ name }) as RegisteredNoun),
    find: (name: string) => (names.includes(name) ? ({ name } as RegisteredNoun) : undefined),
  };
  const changes = new Changes({
    clock: { now: () => moment, turnTime: () => 0 } as Changes["context"]["clock"],
    most: 64,
    nouns,
    isFollowing: false,
    feeds: () => {
      throw new Error("nothing is followed");
    },
    log: undefined,
    failures: () => kept,
  });
  const at = (time: number) => {
    moment = time;
    return { fail: (of: string, text: string) => kept.add(of, text, time) };
  };
  const note = (time: number, noun: string) => {
    at(time);
    changes.onResult({ name: noun, queue: { lastNoted: { json: "" } } }, { json: "{}" }, "lease", undefined);
  };
  const read = (scope?: Scope) => changes.lines(scope).map((line) => JSON.parse(line));
  return { changes, nouns, at, note, read };
}

/** What a token is allowed that may read one noun. */
const onlyOf = (noun: string) =>
  ({ name: "panel", allows: (_method: string, one: string) => one === noun }) satisfies Scope;

test("failures stand between the changes by their time, with how often they occurred", () => {
  const { at, note, read } = newList();
  note(1_000, "pump");
  at(2_000).fail("cellar", "the device is gone");
  note(3_000, "pump");
  at(4_000).fail("mqtt", "Connection refused");
  at(5_000).fail("mqtt", "Connection refused");
  const lines = read().map(({ time: _, ...line }) => line);
  expect(lines).toEqual([
    { noun: "pump", state: {}, by: "lease" },
    { noun: "cellar", failure: "the device is gone" },
    { noun: "pump", state: {}, by: "lease" },
    { of: "mqtt", failure: "Connection refused", times: 2 },
  ]);
});

test("a stream has each failure once, after those that were there", () => {
  const { changes, nouns, at, note } = newList();
  at(1).fail("cellar", "a");
  const source = changeSource(changes, nouns, undefined);
  let told = 0;
  const stop = source.listen(() => {
    told += 1;
  });
  const next = () => source.next().map((line) => JSON.parse(line).failure ?? "change");
  expect(next()).toEqual(["a"]);
  at(2).fail("cellar", "b");
  at(3).fail("cellar", "b");
  note(4, "pump");
  expect([next(), next(), told]).toEqual([["b", "change"], [], 2]);
  stop();
  at(5).fail("cellar", "c");
  expect(told).toBe(2);
});

test.each([
  ["cellar", "the device is gone", "the device is gone"],
  ["cellar", "PUT /pump: 409", null],
  ["cellar", 'expected another line than that of "Pump".', null],
  ["cellar", "pump.on cannot be read", null],
  ["cellar", "the pumps are off", "the pumps are off"],
])("a token of %s sees of its failure %j: %j", (noun, text, failure) => {
  const { at, read } = newList();
  at(1).fail(noun, text);
  expect(read(onlyOf("cellar")).map((line) => line.failure)).toEqual([failure]);
  expect(read().map((line) => line.failure)).toEqual([text]);
});

test("a token sees neither failures of other nouns nor those of no noun", () => {
  const { at, read } = newList();
  at(1).fail("pump", "it is stuck");
  at(2).fail("mqtt", "Connection refused");
  expect(read(onlyOf("cellar"))).toEqual([]);
});
