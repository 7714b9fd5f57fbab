/** Performs the actions of rules. An action takes the way of a request: the noun's queue, its shape, its guard. */

import type { ServedNouns } from "../../core/feeds/served-nouns.ts";
import { checkState } from "../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { type Answer, RefusalAnswer, StateAnswer } from "../../core/operations/answer.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import { type Action, referencesIn } from "./rule.ts";

/**
 * Performs one action, with the values of this moment.
 * @param by who acts: `rule frost`.
 * @param done called once, now or later, with the answer; or with a sentence that says why no noun was asked.
 */
export function perform(nouns: ServedNouns, action: Action, by: string, done: (answer: Answer | string) => void): void {
  const { verb, body } = action;
  const noun = nouns.find(action.noun);
  const references = referencesIn(body);
  const sources = references.map(({ noun }) => nouns.find(noun)).filter((source) => source !== undefined);
  if (noun === undefined || sources.length < references.length) {
    done("There is no noun of this name.");
    return;
  }
  // A copy: the noun may keep what it is given.
  const filled: { [key: string]: Scalar | undefined } = { ...body };
  let unread = sources.length;

  function begin(noun: RegisteredNoun): void {
    const lacking = references.find(({ target }) => filled[target] === undefined);
    if (lacking !== undefined) {
      done(`The noun ${lacking.noun} has no ${JSON.stringify(lacking.key)} now.`);
      return;
    }
    const state = filled as State;
    const { shape } = noun.route(verb);
    try {
      if (shape !== undefined) checkState(shape, state);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      done(error.message);
      return;
    }
    noun.ask(verb, state, done, by);
  }

  for (const [index, { target, key }] of references.entries()) {
    sources[index]?.ask("GET", emptyState, (answer) => {
      filled[target] = answer instanceof StateAnswer ? (JSON.parse(answer.json) as State)[key] : undefined;
      unread -= 1;
      if (unread === 0) begin(noun);
    });
  }
  if (references.length === 0) begin(noun);
}

/** @returns why an action has failed; undefined if it has not. */
export function failureOf(answer: Answer | string): string | undefined {
  if (typeof answer === "string") return answer;
  if (answer instanceof RefusalAnswer) return answer.detail;
  return answer.status < 400 ? undefined : answer.note;
}
