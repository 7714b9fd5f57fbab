/**
 * Returns the same frozen object as long as a state does not change. The server writes the answer with such an object
 * once and caches it. A state that differs each time is never frozen, because that would cost time and save none.
 *
 *     private readonly steady = new SteadyState(["celsius"]);
 *     getState(): State {
 *       return this.steady.of({ celsius: readCelsius() });
 *     }
 */
import type { State } from "./state.ts";

/** Remembers the last state of one noun. */
export class SteadyState {
  private readonly keys: readonly string[];
  /** The state that was returned last, or an empty one. Only this class sets it. */
  last: State = {};
  private isFrozen = false;

  /** @param keys the keys of every state of the noun. */
  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  /**
   * @param state the current state, made for this call or for one before.
   * @returns an equal state: the object returned by the last call, now frozen, if the state is still the same.
   */
  of(state: State): State {
    const { keys, last } = this;
    for (let index = 0; state !== last && index < keys.length; index++) {
      const key = keys[index] as string;
      if (state[key] !== last[key]) {
        this.last = state;
        this.isFrozen = false;
        return state;
      }
    }
    if (!this.isFrozen) {
      Object.freeze(last);
      this.isFrozen = true;
    }
    return last;
  }

  /** @returns what `of` would return for a state equal to the last one. */
  again(): State {
    return this.isFrozen ? this.last : this.of(this.last);
  }
}
