/** Performs the actions of rules. An action takes the way of a request: the noun's queue, its shape, its guard. */

import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { fill, referenceIn } from "../../core/noun/reference.ts";
import { checkState, type Key } from "../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { type Answer, RefusalAnswer, stateOf } from "../../core/operations/answer.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import { type Action, referencesIn } from "./rule.ts";

/**
 * Performs one action, with the values of this moment.
 * @param by who acts: `rule frost`.
 * @param done called once, now or later, with the answer; or with a sentence that says why no noun was asked.
 */
export function perform(
  nouns: NounDirectory,
  action: Action,
  by: string,
  done: (answer: Answer | string) => void,
): void {
  const { verb, body } = action;
  const noun = nouns.find(action.noun);
  const references = referencesIn(body);
  const sources = new Set(references.map(({ noun }) => noun));
  const asked = Array.from(sources, (name) => nouns.find(name)).filter((source) => source !== undefined);
  if (noun === undefined || asked.length < sources.size) {
    done("There is no noun of this name.");
    return;
  }
  const states = new Map<string, State | undefined>();
  let unread = asked.length;

  function begin(noun: RegisteredNoun): void {
    const { shape } = noun.route(verb);
    // A copy: the noun may keep what it is given.
    const state: { [key: string]: Scalar } = { ...body };
    for (const target of references.length === 0 ? [] : Object.keys(body)) {
      const given = body[target] as Scalar;
      const value = fill(given, ({ noun, key }) => states.get(noun)?.[key]);
      if (value === undefined) {
        const { noun: source, key } = referenceIn(given) ?? { noun: "", key: "" };
        done(`The noun ${source} has no ${JSON.stringify(key)} now.`);
        return;
      }
      state[target] = value === given ? value : within(shape?.[target], value);
    }
    try {
      if (shape !== undefined) checkState(shape, state);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      done(error.message);
      return;
    }
    noun.ask(verb, state, done, by);
  }

  for (const source of asked) {
    source.ask("GET", emptyState, (answer) => {
      states.set(source.name, stateOf(answer));
      unread -= 1;
      if (unread === 0) begin(noun);
    });
  }
  if (asked.length === 0) begin(noun);
}

/** @returns a number within the range of its key, so that a knob stops at the end; any other value as it is. */
function within(key: Key | undefined, value: Scalar): Scalar {
  if (typeof value !== "number" || (key?.type !== "integer" && key?.type !== "number")) return value;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = key;
  return Math.min(Math.max(minimum, key.type === "integer" ? Math.round(value) : value), maximum);
}

/** @returns why an action has failed; undefined if it has not. */
export function failureOf(answer: Answer | string): string | undefined {
  if (typeof answer === "string") return answer;
  if (answer instanceof RefusalAnswer) return answer.detail;
  return answer.status < 400 ? undefined : answer.note;
}
