/**
 * Answers with states. A state that cannot change and is returned again and again is checked and written only twice.
 * Whether a state can change is checked at its second use, because a state that always changes is never found there.
 */
import type { State } from "../noun/state.ts";
import { writeState } from "../noun/state-writer.ts";
import { longestWhole, StateAnswer } from "./answer.ts";

/** Accessors of a frozen object may still return another value each time. */
function isConstant(result: object): boolean {
  const descriptors = Object.values(Object.getOwnPropertyDescriptors(result));
  return Object.isFrozen(result) && descriptors.every((descriptor) => "value" in descriptor);
}

export class StateAnswers {
  /** The answers, by the state objects that were seen before and cannot change. */
  readonly written = new WeakMap<object, StateAnswer>();
  private readonly seen = new WeakSet<object>();

  /** @param state frozen scalars, which a noun may return. @returns the answer with it, which needs no memory then. */
  prepare(state: State): StateAnswer {
    const answer = new StateAnswer(writeState(state));
    this.written.set(state, answer);
    return answer;
  }

  /**
   * @param result what a noun returned.
   * @param text writes its JSON.
   * @returns the answer with it.
   * @throws TypeError when it is not a state.
   */
  write(result: unknown, text: (result: unknown) => string): StateAnswer {
    const answer = new StateAnswer(text(result));
    if (answer.json.length > longestWhole) return answer;
    const state = result as object;
    if (!this.seen.has(state)) this.seen.add(state);
    else if (isConstant(state)) this.written.set(state, answer);
    return answer;
  }
}
