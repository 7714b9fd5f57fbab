/** Runs sample requests against the stock program: whole, cut at each line end, and one byte at a time. */
import { describe, expect, test } from "vitest";
import type { State } from "../../../ts/noun/state.ts";
import { type AcceptedSample, type RefusedSample, stillState } from "../requests/sample.ts";
import { type Subject, subjects } from "../requests.ts";
import { nouns } from "./configuration.ts";
import { announcesClose, expectProblem, expectState, stateOf } from "./expected-response.ts";
import { type NoundProcess, startNound } from "./nound-process.ts";
import { RawConnection } from "./raw-connection.ts";
import { get, put } from "./request.ts";
import { forAllTests } from "./served.ts";

/** How a request's bytes are cut into separate sends. */
export type Cut = (bytes: string) => Iterable<string>;

/** The cuts every sample is run with. */
export const cuts: readonly { readonly how: string; readonly cut: Cut }[] = [
  { how: "whole", cut: (bytes) => [bytes] },
  { how: "cut at each line end", cut: (bytes) => bytes.split(/(?<=\r\n)/) },
  { how: "cut between CR and LF", cut: (bytes) => bytes.split(/(?<=\r)(?=\n)/) },
  { how: "one byte at a time", cut: (bytes) => bytes },
];

/** The method of a sample's request line; what is needed to know whether its answer has a body. */
export function methodOf(bytes: string): string {
  return bytes.startsWith("HEAD ") ? "HEAD" : "GET";
}

/** The states that refused requests must leave alone, read over a connection of their own. */
export async function readStates(nound: NoundProcess): Promise<State[]> {
  const watched = ["/led", "/note", "/canary", "/still"];
  const connection = await RawConnection.open(nound.address);
  connection.send(watched.map(get).join(""));
  const states: State[] = [];
  for (const _ of watched) {
    states.push(stateOf(await connection.response()));
  }
  connection.drop();
  return states;
}

/** Sends an accepted request with a GET right behind it; both must be answered. */
export async function judgeAccepted(nound: NoundProcess, sample: AcceptedSample, cut: Cut): Promise<void> {
  const connection = await RawConnection.open(nound.address);
  const sent = connection.sendApart(cut(sample.bytes + get("/still")));
  expectState(await connection.response(), sample.state);
  expectState(await connection.response(), stillState);
  await sent;
  connection.drop();
}

/**
 * Sends a refused request with another one right behind it: where the connection is kept, a GET that must be answered;
 * where it is closed, a PUT that must never be executed.
 */
export async function judgeRefused(nound: NoundProcess, sample: RefusedSample, cut: Cut): Promise<void> {
  const method = methodOf(sample.bytes);
  const connection = await RawConnection.open(nound.address);
  if (sample.connection === "close") {
    const sent = connection.sendApart(cut(sample.bytes + put("/canary", { executed: true })));
    expectProblem(await connection.response(method), sample.status, "close", method);
    await connection.closedInOrder();
    await sent;
  } else if (sample.connection === "keep") {
    const sent = connection.sendApart(cut(sample.bytes + get("/still")));
    expectProblem(await connection.response(method), sample.status, "keep", method);
    expectState(await connection.response(), stillState);
    await sent;
  } else {
    await connection.sendApart(cut(sample.bytes));
    const response = await connection.response(method);
    expectProblem(response, sample.status, "open", method);
    if (announcesClose(response)) {
      await connection.closedInOrder();
    } else {
      connection.send(get("/still"));
      expectState(await connection.response(), stillState);
    }
  }
  connection.drop();
}

function title(sample: RefusedSample): string {
  const connections = {
    keep: "and keeps the connection",
    close: "and closes the connection",
    open: "and says truly whether it keeps the connection",
  };
  return `refuses ${sample.name} with ${[sample.status].flat().join(" or ")} ${connections[sample.connection]}`;
}

/** Declares the tests of one subject's samples. */
export function testSamples(name: keyof typeof subjects): void {
  const subject: Subject = subjects[name];
  describe.each(cuts)(`a ${name}, $how`, ({ cut }) => {
    const nound = forAllTests(() => startNound({ nouns }));
    test.each(subject.accepted.map((sample) => [`answers ${sample.name}`, sample] as const))(
      "%s",
      async (_, sample) => {
        await judgeAccepted(nound(), sample, cut);
      },
    );
    test.each(subject.refused.map((sample) => [title(sample), sample] as const))("%s", async (_, sample) => {
      const before = await readStates(nound());
      await judgeRefused(nound(), sample, cut);
      expect(await readStates(nound())).toEqual(before);
    });
  });
}
