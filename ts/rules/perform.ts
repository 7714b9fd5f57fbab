/** Performs the actions of rules. An action takes the way of a request: the noun's queue, its shape, its guard. */

import type { ServedNouns } from "../feeds/served-nouns.ts";
import { checkState, type Shape } from "../noun/shape.ts";
import { emptyState, type Scalar, type State } from "../noun/state.ts";
import { StateError } from "../noun/state-error.ts";
import { toState } from "../noun/state-writer.ts";
import { type Answer, RefusalAnswer, StateAnswer } from "../operations/answer.ts";
import type { RegisteredNoun } from "../operations/noun-route.ts";
import { type Action, type Reference, referencesIn } from "./rule.ts";

/** @returns the body with the values of other nouns. @throws StateError when one has no value now. */
function fill(body: State, references: readonly Reference[], answers: readonly (Answer | undefined)[]): State {
  const filled: { [key: string]: Scalar } = { ...body };
  for (const [index, { target, noun, key }] of references.entries()) {
    const answer = answers[index];
    const state = answer instanceof StateAnswer ? (JSON.parse(answer.json) as State) : emptyState;
    const value = state[key];
    if (value === undefined) throw new StateError(`The noun ${noun} has no ${JSON.stringify(key)} now.`);
    filled[target] = value;
  }
  return filled;
}

function check(shape: Shape | undefined, state: State): void {
  if (shape !== undefined) checkState(shape, state);
}

/**
 * Performs one action, with the values of this moment.
 * @param by who acts: `rule frost`.
 * @param done called once, now or later, with the answer; or with a sentence that says why no noun was asked.
 */
export function perform(nouns: ServedNouns, action: Action, by: string, done: (answer: Answer | string) => void): void {
  const noun = nouns.find(action.noun);
  const references = referencesIn(action.body);
  const sources = references.map(({ noun }) => nouns.find(noun)).filter((source) => source !== undefined);
  if (noun === undefined || sources.length < references.length) {
    done("There is no noun of this name.");
    return;
  }

  function begin(noun: RegisteredNoun, answers: readonly (Answer | undefined)[]): void {
    let state: State;
    try {
      // A copy: the noun may keep what it is given.
      state = references.length === 0 ? toState(action.body) : fill(action.body, references, answers);
      check(noun.route(action.verb).shape, state);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      done(error.message);
      return;
    }
    noun.ask(action.verb, state, done, by);
  }

  const answers: (Answer | undefined)[] = [];
  let unread = sources.length;
  for (const [index, source] of sources.entries()) {
    source.ask("GET", emptyState, (answer) => {
      answers[index] = answer;
      unread -= 1;
      if (unread === 0) begin(noun, answers);
    });
  }
  if (sources.length === 0) begin(noun, []);
}

/** @returns why an action has failed; undefined if it has not. */
export function failureOf(answer: Answer | string): string | undefined {
  if (typeof answer === "string") return answer;
  if (answer instanceof RefusalAnswer) return answer.detail;
  return answer.status < 400 ? undefined : answer.note;
}
