/** A noun whose state can be kept: it answers at once, and tells of each state that it gets, or is given. */
import type { Noun } from "./noun.ts";
import type { State } from "./state.ts";

export interface RestorableNoun extends Noun {
  close?: () => void;
  getState(): State;
  setState(state: State): State;
  watch?(changed: () => void): () => void;
  /** Of a noun that the kernel changes, too: is called with each state that it is given. */
  onSet?: (state: State) => void;
}
