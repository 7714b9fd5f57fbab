/** The states of answers for what acts on them: a short text that comes again is not parsed again. */
import type { State } from "../noun/state.ts";
import { type Answer, jsonOf } from "./answer.ts";

/** Characters of the longest state that is remembered, and how many are. */
const [longestKnown, mostKnown] = [64, 16];

/** Short states by their texts: most of what rules and guards wait for has few. */
const knownStates = new Map<string, State>();

/** @returns as `stateOf`, for those who do not keep or change it. */
export function knownStateOf(answer: Answer | undefined): State | undefined {
  return knownState(jsonOf(answer));
}

/** @returns the state of a text, for those who do not keep or change it: a short one may be the same object as before. */
export function knownState(json: string | undefined): State | undefined {
  if (json === undefined) return undefined;
  const known = knownStates.get(json);
  if (known !== undefined) return known;
  const state = JSON.parse(json) as State;
  if (json.length <= longestKnown) {
    if (knownStates.size === mostKnown) knownStates.clear();
    knownStates.set(json, Object.freeze(state));
  }
  return state;
}
