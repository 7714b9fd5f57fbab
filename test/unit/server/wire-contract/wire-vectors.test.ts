/** The vectors of the wire contract, sent to the core in one piece and in several cuts. */
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../../../ts/native/simulated/clock.ts";
import { SimulatedGuard } from "../../../../ts/native/simulated/guard.ts";
import { simulatedHash } from "../../../../ts/native/simulated/hash.ts";
import { SimulatedMemory } from "../../../../ts/native/simulated/memory.ts";
import { SimulatedNet } from "../../../../ts/native/simulated/net.ts";
import type { State } from "../../../../ts/noun/state.ts";
import { SwitchNoun } from "../../../../ts/nouns/switch-noun.ts";
import { ValueNoun } from "../../../../ts/nouns/value-noun.ts";
import { Server } from "../../../../ts/server/server.ts";
import { type Cut, cuts } from "../../../wire/cuts.ts";
import { nouns, stillState } from "../../../wire/nouns.ts";
import { bare, hidden, methodOf, titleOf, type Vector } from "../../../wire/vector.ts";
import { subjects, vectors } from "../../../wire/vectors.ts";
import { address } from "../bench.ts";
import { expectProblem, expectState, readResponses } from "../responses.ts";

type Nouns = { readonly [name in keyof typeof nouns]: SwitchNoun | ValueNoun };

function makeNouns(): Nouns {
  return Object.fromEntries(
    Object.entries(nouns).map(([name, noun]) => [
      name,
      noun.kind === "switch" ? new SwitchNoun(noun) : new ValueNoun({ default: noun.default as State }),
    ]),
  ) as Nouns;
}

/** Sends a vector with a request behind it: one that must be answered, or one that must never be executed. */
function judge(vector: Vector, { cut }: Cut): void {
  const net = new SimulatedNet();
  const clock = new SimulatedClock();
  const platform = { net, clock, guard: new SimulatedGuard(), memory: new SimulatedMemory(), hash: simulatedHash };
  const server = new Server(platform);
  const served = makeNouns();
  for (const [name, noun] of Object.entries(served)) server.register(name, noun);
  server.listen(address);

  const closes = vector.end === "close";
  const peer = net.connect(address);
  for (const piece of cut(vector.bytes + (closes ? hidden : bare("GET")))) peer.send(piece);
  const bodiless = methodOf(vector) === "HEAD" ? [0] : [];
  const responses = readResponses(peer.received, bodiless).filter(({ status }) => status >= 200);

  expect(responses.map(({ status }) => status)).toEqual([...vector.answers, ...(closes ? [] : [200])]);
  for (const [index, response] of responses.entries()) {
    if (response.status !== 200 && !bodiless.includes(index)) {
      expect(expectProblem(response, response.status)).not.toMatch(/zqx|\.ts|\/ts\//i);
    }
    const isLast = index === vector.answers.length - 1;
    expect(response.fields.get("connection")).toBe(isLast && closes ? "close" : undefined);
  }
  if (vector.state !== undefined) expectState(responses[0] as (typeof responses)[0], vector.state);
  if (!closes) expectState(responses.at(-1) as (typeof responses)[0], stillState);
  expect(peer.closed).toBe(closes);

  expect(served.canary.getState()).toEqual(nouns.canary.default);
  expect(served.still.getState()).toEqual(stillState);
  if (!vector.answers.includes(200)) {
    expect([served.led.getState(), served.note.getState()]).toEqual([{ led: 0 }, nouns.note.default]);
  }
}

describe.each(subjects)("%s:", (_, ofSubject) => {
  test.each(ofSubject.map((vector) => [titleOf(vector), vector] as const))("%s", (_title, vector) => {
    for (const cut of cuts) judge(vector, cut);
  });
});

test("every vector has a name and bytes of its own", () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(new Set(vectors.map(({ bytes }) => bytes)).size).toBe(vectors.length);
});
