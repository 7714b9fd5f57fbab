/** Performs the actions of rules. An action takes the way of a request: the noun's queue, its shape, its guard. */

import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { fill, type Reference, resolve } from "../../core/noun/reference.ts";
import { checkState, type Key } from "../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { type Answer, RefusalAnswer, stateOf } from "../../core/operations/answer.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";
import { type Action, type BodyReference, referencesIn } from "./rule.ts";

type Done = (answer: Answer | string) => void;

const noNoun = "There is no noun of this name.";

/**
 * Performs one action, with the values of this moment.
 * @param by who acts: `rule frost`.
 * @param done called once, now or later, with the answer; or with a sentence that says why no noun was asked.
 */
export function perform(nouns: NounDirectory, action: Action, by: string, done: Done): void {
  const noun = nouns.find(action.noun);
  const references = referencesIn(action.body);
  if (noun === undefined) done(noNoun);
  // A copy: the noun may keep what it is given.
  else if (references.length === 0) ask(noun, action.verb, { ...action.body }, by, done);
  else performFilled(nouns, noun, action, references, by, done);
}

/** As `perform`, with values that are read from other nouns now. */
function performFilled(
  nouns: NounDirectory,
  noun: RegisteredNoun,
  { verb, body }: Action,
  references: readonly BodyReference[],
  by: string,
  done: Done,
): void {
  const sources = new Map<string, RegisteredNoun>();
  for (const { noun: name } of references) {
    const source = nouns.find(name);
    if (source === undefined) {
      done(noNoun);
      return;
    }
    sources.set(name, source);
  }
  const states = new Map<string, State | undefined>();
  const read = ({ noun, key }: Reference) => states.get(noun)?.[key];

  function begin(): void {
    const { shape } = noun.route(verb);
    const state: { [key: string]: Scalar } = { ...body };
    for (const one of references) {
      const { target } = one;
      const value = one.isWhole ? resolve(one, read(one)) : fill(body[target] as Scalar, read);
      if (value === undefined) {
        done(`The noun ${one.noun} has no ${JSON.stringify(one.key)} now.`);
        return;
      }
      state[target] = within(shape?.[target], value);
    }
    ask(noun, verb, state, by, done);
  }

  for (const [name, source] of sources) {
    source.ask("GET", emptyState, (answer) => {
      states.set(name, stateOf(answer));
      if (states.size === sources.size) begin();
    });
  }
}

/** Asks a noun for a change, if its shape allows that. */
function ask(noun: RegisteredNoun, verb: Action["verb"], state: State, by: string, done: Done): void {
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
