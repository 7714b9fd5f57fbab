/** The common part of nouns that hold their state in memory. */
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import { leave } from "../../core/noun/left-state.ts";
import { type Changing, foresee } from "../../core/noun/noun-traits.ts";
import type { State } from "../../core/noun/state.ts";

/** Holds a state, reports each new one, and leaves it to the next process. */
export abstract class HeldState {
  /** Made for the first one: most nouns are watched by nobody. */
  private listeners: ChangeListeners | undefined;
  /** The state after a DELETE. */
  private readonly defaultState: State;
  protected state: State;
  /** Only of a noun that keeps its state. */
  declare close?: () => void;

  /** @param defaultState frozen. */
  constructor(defaultState: State) {
    this.defaultState = defaultState;
    this.state = defaultState;
  }

  getState(): State {
    return this.state;
  }

  deleteState(): State {
    return this.become(this.defaultState);
  }

  [foresee](verb: Changing, change: State): State {
    return verb === "DELETE" ? this.defaultState : change;
  }

  watch(changed: () => void): () => void {
    this.listeners ??= new ChangeListeners();
    return this.listeners.add(changed);
  }

  [leave](): State {
    return this.state;
  }

  /** @param state frozen. @returns the state. */
  protected become(state: State): State {
    this.state = state;
    if (this.listeners !== undefined) this.listeners.tell();
    return state;
  }
}
