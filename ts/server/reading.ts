/** The states of several nouns, read for one client. */
import type { State } from "../noun/state.ts";
import type { Answer, StateAnswer } from "./answer.ts";
import type { RegisteredNoun } from "./noun-route.ts";
import type { Asker, Operation } from "./operation.ts";

/** One noun's state, or that there is none. */
export type ReadState = readonly [name: string, state: State | undefined];

/** Reads nouns, each when it is its turn, and is done when the last one has answered. */
export class Reading implements Asker {
  /** Undefined until every noun has answered. */
  answer: Answer | undefined;
  private readonly reads: readonly (readonly [string, Answer | Operation])[];
  private readonly finish: (states: readonly ReadState[]) => Answer;
  private asker: Asker | undefined;

  /**
   * @param asker is told when there is an answer, unless it is at hand at once.
   * @param finish makes it. A noun that failed or did not answer in time has no state.
   */
  constructor(nouns: readonly RegisteredNoun[], asker: Asker, finish: (states: readonly ReadState[]) => Answer) {
    this.finish = finish;
    this.reads = nouns.map((noun) => [noun.name, noun.route("GET").perform({}, this)]);
    this.onAnswer();
    this.asker = asker;
  }

  onAnswer(): void {
    if (this.answer !== undefined || this.reads === undefined) return;
    const answers = this.reads.map(([name, read]) => [name, "status" in read ? read : read.answer] as const);
    if (answers.some(([, answer]) => answer === undefined)) return;
    this.answer = this.finish(answers.map(([name, answer]) => [name, stateOf(answer)]));
    this.asker?.onAnswer();
  }

  /** The client is gone: what has not begun is not read any more. */
  abandon(): void {
    this.asker = undefined;
    for (const [, read] of this.reads) {
      if ("abandon" in read) read.abandon();
    }
  }
}

function stateOf(answer: Answer | undefined): State | undefined {
  const { json } = answer as Partial<StateAnswer>;
  return json === undefined ? undefined : (JSON.parse(json) as State);
}
