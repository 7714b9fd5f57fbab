/**
 * A noun in memory that holds any state. With a shape it holds only states of that shape, and the compiler checks
 * the default against the same declaration.
 */
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import type { Noun } from "../../core/noun/noun.ts";
import { merge, type NounFace } from "../../core/noun/noun-face.ts";
import { checkState, type Shape, type StateOf } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { toState } from "../../core/noun/state-writer.ts";
import { HeldState } from "./held-state.ts";

/**
 * The options of `valueNoun`.
 *
 * @example
 * const shape = { level: { type: "integer", minimum: 0, maximum: 100 } } as const satisfies Shape;
 * const options: ValueOptions<typeof shape> = { shape, default: { level: 30 } };
 * server.register("volume", valueNoun(options));
 */
export interface ValueOptions<S extends Shape = Shape> extends NounDescription {
  /** The keys of a state. If left out, every flat object is accepted. */
  readonly shape?: S;
  /** The state at the start and after a DELETE; `{}` if left out. */
  readonly default?: Shape extends S ? State : StateOf<S>;
}

/** The keys of a state: without a bound, a client could fill the memory. */
export const mostKeys = 64;

/** Holds a state; an update merges the keys it names into the state and leaves the others as they are. */
export class ValueNoun<S extends Shape = Shape> extends HeldState implements NounFace {
  readonly shape?: Shape;

  /**
   * @throws TypeError for a default that is not a flat state; StateError for one that is not of the shape.
   */
  constructor({ shape, ...options }: ValueOptions<S> = {}) {
    const state = Object.freeze(toState(options.default ?? {}));
    if (shape !== undefined) checkState(shape, state);
    super(state);
    if (shape !== undefined) this.shape = shape;
  }

  setState(state: State): State {
    return this.become(Object.isFrozen(state) ? state : Object.freeze({ ...state }));
  }

  /** @throws StateError when the state would have more keys than the noun holds. */
  updateState(change: State): State {
    return this.become(this[merge](change));
  }

  /** @throws as `updateState`. */
  [merge](change: State): State {
    const merged = { ...this.state, ...change };
    const count = Object.keys(merged).length;
    // The server's own limits apply to a PUT with more keys than the bound. After it, an update may change keys but not
    // add any.
    if (count > mostKeys && count > Object.keys(this.state).length) {
      throw new StateError(`The state would have ${count} keys; this noun holds at most ${mostKeys}.`);
    }
    return Object.freeze(merged);
  }
}

/**
 * A noun in memory that holds any state; with a shape, only states of that shape.
 * @throws TypeError or StateError for options that do not fit together.
 *
 * @example
 * server.register("greeting", valueNoun({ default: { text: "hello" } }));
 */
export function valueNoun<const S extends Shape = Shape>(options: ValueOptions<S> = {}): Noun {
  return describeNoun(new ValueNoun(options), options);
}
