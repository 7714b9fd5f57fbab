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
  /** The largest number of key and value pairs; 64 if left out. Without a bound, a client could fill the memory. */
  readonly pairs?: number;
}

/** Holds a state; an update merges the keys it names into the state and leaves the others as they are. */
export class ValueNoun<S extends Shape = Shape> extends HeldState implements NounFace {
  readonly shape?: Shape;
  private readonly pairs: number;

  /**
   * @throws TypeError for a default that is not a flat state; StateError for one that is not of the shape; RangeError
   *   for a limit of pairs that is not a whole number, or that the default exceeds.
   */
  constructor({ shape, pairs = 64, ...options }: ValueOptions<S> = {}) {
    const state = Object.freeze(toState(options.default ?? {}));
    if (!Number.isSafeInteger(pairs) || pairs < Object.keys(state).length) {
      throw new RangeError("The limit of pairs must be a whole number, at least the number of keys of the default.");
    }
    if (shape !== undefined) checkState(shape, state);
    super(state);
    this.pairs = pairs;
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
    if (count > this.pairs && count > Object.keys(this.state).length) {
      throw new StateError(`The state would have ${count} keys; this noun holds at most ${this.pairs}.`);
    }
    return Object.freeze(merged);
  }
}

/**
 * A noun in memory that holds any state; with a shape, only states of that shape.
 * @throws TypeError, StateError or RangeError for options that do not fit together.
 *
 * @example
 * server.register("greeting", valueNoun({ default: { text: "hello" } }));
 */
export function valueNoun<const S extends Shape = Shape>(options: ValueOptions<S> = {}): Noun {
  return describeNoun(new ValueNoun(options), options);
}
