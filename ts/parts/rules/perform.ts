/** Performs the actions of rules. An action takes the way of a request: the noun's queue, its shape, its guard. */

import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { fill, type Reference, resolve } from "../../core/noun/reference.ts";
import { checkState, type Key } from "../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { type Answer, RefusalAnswer, stateOf } from "../../core/operations/answer.ts";
import type { DeviceAsker } from "../../core/operations/device-asker.ts";
import type { NounRoute, RegisteredNoun } from "../../core/operations/noun-route.ts";
import { type Action, type BodyReference, referencesIn } from "./rule.ts";

/** Takes the answer, now or later; or a sentence that says why no noun was asked. */
export interface Performer extends DeviceAsker {
  onAnswer(answer: Answer | string): void;
}

const noNoun = "There is no noun of this name.";

/** How many bodies are remembered. */
const mostFitting = 32;

/** Bodies of constants, with the route whose shape they fit. */
const fitting = new Map<State, NounRoute>();

/**
 * Performs one action, with the values of this moment.
 * @param by who acts: `rule frost`.
 * @param performer is called once.
 */
export function perform(nouns: NounDirectory, action: Action, by: string, performer: Performer): void {
  const { verb, body } = action;
  const noun = nouns.find(action.noun);
  if (noun === undefined) {
    performer.onAnswer(noNoun);
    return;
  }
  const route = noun.route(verb);
  if (fitting.get(body) !== route) {
    const references = referencesIn(body);
    if (references.length > 0) {
      performFilled(nouns, noun, action, references, by, performer);
      return;
    }
    const mistake = mistakeIn(route, body);
    if (mistake !== undefined) {
      performer.onAnswer(mistake);
      return;
    }
    if (fitting.size === mostFitting) fitting.clear();
    fitting.set(body, route);
  }
  // A copy: the noun may keep what it is given.
  noun.askAs(performer, verb, { ...body }, by);
}

/** As `perform`, with values that are read from other nouns now. */
function performFilled(
  nouns: NounDirectory,
  noun: RegisteredNoun,
  { verb, body }: Action,
  references: readonly BodyReference[],
  by: string,
  performer: Performer,
): void {
  const sources = new Map<string, RegisteredNoun>();
  for (const { noun: name } of references) {
    const source = nouns.find(name);
    if (source === undefined) {
      performer.onAnswer(noNoun);
      return;
    }
    sources.set(name, source);
  }
  const states = new Map<string, State | undefined>();
  const read = ({ noun, key }: Reference) => states.get(noun)?.[key];

  function begin(): void {
    const route = noun.route(verb);
    const { shape } = route;
    const state: { [key: string]: Scalar } = { ...body };
    for (const one of references) {
      const { target } = one;
      const value = one.isWhole ? resolve(one, read(one)) : fill(body[target] as Scalar, read);
      if (value === undefined) {
        performer.onAnswer(`The noun ${one.noun} has no ${JSON.stringify(one.key)} now.`);
        return;
      }
      state[target] = within(shape?.[target], value);
    }
    const mistake = mistakeIn(route, state);
    if (mistake !== undefined) performer.onAnswer(mistake);
    else noun.askAs(performer, verb, state, by);
  }

  for (const [name, source] of sources) {
    source.ask("GET", emptyState, (answer) => {
      states.set(name, stateOf(answer));
      if (states.size === sources.size) begin();
    });
  }
}

/** @returns why the shape of a noun does not allow a change; undefined if it does. */
function mistakeIn({ shape }: NounRoute, state: State): string | undefined {
  try {
    if (shape !== undefined) checkState(shape, state);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return error.message;
  }
  return undefined;
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
