/** A noun in memory, the plain one among the odd ones. An update merges. */
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";

/** Holds a state. */
export class HeldNoun implements Noun {
  readonly #default: State;
  #state: State;

  constructor(state: State) {
    this.#default = state;
    this.#state = state;
  }

  getState(): State {
    return this.#state;
  }

  setState(state: State): State {
    this.#state = state;
    return this.#state;
  }

  updateState(change: State): State {
    this.#state = { ...this.#state, ...change };
    return this.#state;
  }

  deleteState(): State {
    this.#state = this.#default;
    return this.#state;
  }
}
