/**
 * Answers with states. A state that cannot change, handed out again and again, is checked and written the first time only: that
 * is 9,000 instructions of a GET.
 */
import { toState } from "../noun/state.ts";
import { writeState } from "../noun/state-writer.ts";
import { StateAnswer } from "./answer.ts";

/** A frozen object's own accessors may still give another value each time. */
function isConstant(result: object): boolean {
  const descriptors = Object.values(Object.getOwnPropertyDescriptors(result));
  return Object.isFrozen(result) && descriptors.every((descriptor) => "value" in descriptor);
}

/** The answers that were written for states that cannot change. */
export class StateAnswers {
  /** The answers by their states: each very object that was seen before and cannot change. */
  readonly written = new WeakMap<object, StateAnswer>();

  /**
   * @param result what a noun returned.
   * @returns the answer with it.
   * @throws TypeError when it is not a state.
   */
  write(result: unknown): StateAnswer {
    const answer = new StateAnswer(writeState(toState(result)));
    if (isConstant(result as object)) this.written.set(result as object, answer);
    return answer;
  }
}
