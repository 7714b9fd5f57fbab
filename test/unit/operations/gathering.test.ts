/** What becomes of a request to several nouns when there is no memory for its result. */
import { expect, test } from "vitest";
import { type Answer, noAnswer, StateAnswer } from "../../../ts/core/operations/answer.ts";
import { Gathering } from "../../../ts/core/operations/gathering.ts";
import type { NounRoute } from "../../../ts/core/operations/noun-route.ts";
import type { Asker } from "../../../ts/core/operations/operation.ts";
import type { Host } from "../../../ts/core/server/host.ts";
import { Turns } from "../../../ts/core/time/turns.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import type { DocumentRoute } from "../../../ts/parts/documents/document-route.ts";
import { DocumentTurn } from "../../../ts/parts/documents/document-turn.ts";

/** A route to a noun that answers when the test says so. */
function slowRoute() {
  const operation: { answer: Answer | undefined; abandon: () => void } = { answer: undefined, abandon: () => {} };
  let asker: Asker | undefined;
  const perform = (_state: unknown, by: Asker) => {
    asker = by;
    return operation;
  };
  const answer = () => {
    operation.answer = new StateAnswer("{}");
    asker?.onAnswer();
  };
  return { route: { perform } as unknown as NounRoute, answer };
}

const error = new Error("out of memory");

function finish(): never {
  throw error;
}

test("without memory for the result, the client is told anyway, and the error is raised", () => {
  const { route, answer } = slowRoute();
  const told: unknown[] = [];
  const gathering = new Gathering<Answer>({ onAnswer: () => told.push(gathering.answer) }, finish, noAnswer);
  gathering.begin([route]);
  expect(answer).toThrow(error);
  expect(told).toEqual([noAnswer]);
});

test("without memory for a document's text, the document is answered 500", () => {
  const { route, answer } = slowRoute();
  const clock = new SimulatedClock();
  const context = { interruption: new SimulatedInterruption(), relieve: () => true } as unknown as Host;
  const document = {
    routes: { context, turns: new Turns(clock), forget: () => expect.unreachable() },
    text: (asker: Asker) => new Gathering<never>(asker, finish, undefined).begin([route]),
    answer: () => expect.unreachable(),
  } as unknown as DocumentRoute;
  const told: unknown[] = [];
  const turn = new DocumentTurn(document, { onAnswer: () => told.push(turn.answer?.status) });
  clock.advance(1);
  expect(answer).toThrow(error);
  clock.advance(1_000);
  expect(told).toEqual([500]);
});

test("a document is refused if making room for it fails", () => {
  const clock = new SimulatedClock();
  const context = {
    clock,
    interruption: new SimulatedInterruption(),
    relieve: () => {
      throw error;
    },
  } as unknown as Host;
  const document = {
    routes: { context, turns: new Turns(clock), forget: () => false },
    text: () => expect.unreachable(),
    answer: () => expect.unreachable(),
  } as unknown as DocumentRoute;
  const told: unknown[] = [];
  const turn = new DocumentTurn(document, { onAnswer: () => told.push(turn.answer?.status) });
  clock.advance(1);
  expect(told).toEqual([500]);
});
