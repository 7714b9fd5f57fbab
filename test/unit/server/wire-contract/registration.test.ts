/** Nouns are registered and unregistered by name, before or while the server runs. */
import { expect, test } from "vitest";
import type { Noun } from "../../../../ts/core/noun/noun.ts";
import { Bench, json, request, withBody } from "../bench.ts";
import { RecordingNoun } from "../recording-noun.ts";
import { expectState, readResponse, statuses } from "../responses.ts";

test("a noun is found as soon as it is registered, and no longer once it is not", () => {
  const bench = new Bench();
  const peer = bench.send(request("GET", "/late"));
  bench.server.register("Late", new RecordingNoun());
  peer.send(request("GET", "/late"));
  expect(bench.server.unregister("LATE")).toBe(true);
  peer.send(request("GET", "/late"));
  expect(statuses(peer.received)).toEqual([404, 200, 404]);
  expect(bench.server.unregister("late")).toBe(false);
});

test("an object that lacks operations is refused with a TypeError naming them", () => {
  const { server } = new Bench();
  const { getState, setState } = new RecordingNoun();
  const half = { getState, setState, deleteState: "no function" } as unknown as Noun;
  expect(() => server.register("half", half)).toThrow(TypeError);
  expect(() => server.register("half", half)).toThrow(/missing.*updateState.*deleteState/);
  expect(() => server.register("half", half)).not.toThrow(/missing.*getState/);
  for (const value of [undefined, null, 1, "noun", () => 1]) {
    expect(() => server.register("none", value as unknown as Noun)).toThrow(TypeError);
  }
  expect(server.unregister("half")).toBe(false);
});

test("operations may be inherited", () => {
  const bench = new Bench();
  bench.server.register("heir", Object.create(new RecordingNoun({ a: 1 })) as Noun);
  expectState(readResponse(bench.answer(request("GET", "/heir"))), { a: 1 });
});

test.each(["", "a/b", "\u212a", "n".repeat(65)])("an object cannot be registered as %j", (name) => {
  expect(() => new Bench().server.register(name, new RecordingNoun())).toThrow(TypeError);
});

test("a name that is taken, in whatever case, is refused", () => {
  const bench = new Bench();
  expect(() => bench.server.register("LED", new RecordingNoun())).toThrow(/led/);
  expectState(readResponse(bench.answer(request("GET", "/led"))), { led: 0 });
});

test("a request at its noun is answered although the noun is unregistered, one behind it is not", async () => {
  const bench = new Bench();
  const first = bench.send(request("GET", "/slow") + request("DELETE", "/slow"));
  const second = bench.send(request("GET", "/slow"));
  bench.server.unregister("slow");
  await bench.slow.answer(0, {});
  await bench.slow.answer(1, {});
  expect([statuses(first.received), statuses(second.received)]).toEqual([[200, 404], [200]]);
});

test("a request whose body is on its way is answered by the noun its head was for", () => {
  const bench = new Bench();
  const peer = bench.send(request("PUT", "/led", `${json}Content-Length: 9\r\n`));
  bench.server.unregister("led");
  peer.send('{"led":1}');
  expect(statuses(peer.received)).toEqual([200]);
  expect(bench.led.calls).toHaveLength(1);
});

test("a noun may unregister itself while it answers", () => {
  const bench = new Bench();
  const noun = new RecordingNoun();
  noun.setState = (state) => {
    bench.server.unregister("fuse");
    return state;
  };
  bench.server.register("fuse", noun);
  const peer = bench.send(withBody("PUT", "/fuse", '{"blown":true}') + request("GET", "/fuse"));
  expect(statuses(peer.received)).toEqual([200, 404]);
});
