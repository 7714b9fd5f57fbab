/**
 * The vectors of the wire contract, sent to the core one after the other on connections that are kept, whole and one
 * byte at a time.
 */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { State } from "../../../../ts/core/noun/state.ts";
import { HttpServer } from "../../../../ts/core/server/server.ts";
import { SwitchNoun } from "../../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../../ts/hardware/nouns/value-noun.ts";
import { SimulatedClock } from "../../../../ts/native/simulated/clock.ts";
import { simulatedHash } from "../../../../ts/native/simulated/hash.ts";
import { SimulatedInterruption } from "../../../../ts/native/simulated/interruption.ts";
import { SimulatedMemory } from "../../../../ts/native/simulated/memory.ts";
import { SimulatedNet, type SimulatedPeer } from "../../../../ts/native/simulated/net.ts";
import type { Answer } from "../../../../ts/program/testing/http-answer.ts";
import { byteByByte, type Cut, whole } from "../../../wire/cuts.ts";
import { nouns, stillState } from "../../../wire/nouns.ts";
import { bare, hidden, judgeEach, methodOf, type Vector } from "../../../wire/vector.ts";
import { subjects, vectors } from "../../../wire/vectors.ts";
import { address } from "../bench.ts";
import { announcesClose, expectProblem, expectState, readResponses } from "../responses.ts";

type Nouns = { readonly [name in keyof typeof nouns]: SwitchNoun | ValueNoun };

function makeNouns(): Nouns {
  return Object.fromEntries(
    Object.entries(nouns).map(([name, noun]) => [
      name,
      noun.kind === "switch" ? new SwitchNoun(noun) : new ValueNoun({ default: noun.default as State }),
    ]),
  ) as Nouns;
}

interface Service {
  readonly served: Nouns;
  connect(): SimulatedPeer;
}

function serve(): Service {
  const net = new SimulatedNet();
  const clock = new SimulatedClock();
  const platform = {
    net,
    clock,
    interruption: new SimulatedInterruption(),
    memory: new SimulatedMemory(),
    hash: simulatedHash,
  };
  const server = new HttpServer(platform);
  const served = makeNouns();
  for (const [name, noun] of Object.entries(served)) server.register(name, noun);
  server.listen(address);
  return { served, connect: () => net.connect(address) };
}

/** Sends a vector with a request behind it: one that must be answered, or one that must never be executed. */
function judge(peer: SimulatedPeer, vector: Vector, { cut }: Cut): void {
  const closes = vector.end === "close";
  for (const piece of cut(vector.bytes + (closes ? hidden : bare("GET")))) peer.send(piece);
  const method = methodOf(vector);
  const bodiless = method === "HEAD" ? [0] : [];
  const responses = readResponses(peer.take(), bodiless).filter(({ status }) => status >= 200);

  expect(responses.map(({ status }) => status)).toEqual([...vector.answers, ...(closes ? [] : [200])]);
  for (const [index, response] of responses.entries()) {
    const fate = closes && index === vector.answers.length - 1 ? "close" : "keep";
    if (response.status !== 200) expectProblem(response, response.status, fate, index === 0 ? method : "GET");
    expect(announcesClose(response)).toBe(fate === "close");
  }
  if (vector.state !== undefined) expectState(responses[0] as Answer, vector.state);
  if (!closes) expectState(responses.at(-1) as Answer, stillState);
  expect(peer.closed).toBe(closes);
}

describe.each([whole, byteByByte])("sent $how,", (cut) => {
  test.each(subjects)("the vectors of %s lead to what they say", async (_, ofSubject) => {
    const { served, connect } = serve();
    let kept: SimulatedPeer | undefined;
    await judgeEach(ofSubject, (vector) => {
      const { led, note, canary, still } = served;
      const untouched = vector.answers.includes(200) ? [canary, still] : [led, note, canary, still];
      const before = untouched.map((noun) => noun.getState());
      const peer = kept ?? connect();
      kept = undefined;
      judge(peer, vector, cut);
      if (vector.end === "keep") kept = peer;
      else peer.end();
      expect(untouched.map((noun) => noun.getState())).toEqual(before);
    });
    expect(served.canary.getState()).toEqual(nouns.canary.default);
  });
});

test.each(subjects)("no vector of %s has changed by mistake", (_, ofSubject, digest) => {
  const found = createHash("sha256").update(JSON.stringify(ofSubject)).digest("hex").slice(0, 16);
  expect(found, "if the change is on purpose, this is the digest for test/wire/vectors.ts").toBe(digest);
});

test("every vector has a name and bytes of its own", () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(new Set(vectors.map(({ bytes }) => bytes)).size).toBe(vectors.length);
});
