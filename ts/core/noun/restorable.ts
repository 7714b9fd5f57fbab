/** A noun whose state can be kept: it answers at once, and tells of each state that it gets. */
import type { Noun } from "./noun.ts";
import type { State } from "./state.ts";

export interface RestorableNoun extends Noun {
  close?: () => void;
  getState(): State;
  setState(state: State): State;
  watch(changed: () => void): () => void;
}
