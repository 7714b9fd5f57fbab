/** A noun in memory with two states under one key; an update goes from one to the other. */

import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import type { Noun } from "../../core/noun/noun.ts";
import { type Changing, foresee } from "../../core/noun/noun-traits.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { HeldState } from "./held-state.ts";
import { twoStates } from "./two-states.ts";

/**
 * The options of `switchNoun`.
 *
 * @example
 * const options: SwitchOptions = { key: "door", values: ["closed", "open"] };
 * server.register("door", switchNoun(options));
 */
export interface SwitchOptions extends NounDescription {
  /** The one key of the state, not empty. */
  readonly key: string;
  /** The two values, which differ: first that of off; `[0, 1]` if left out. */
  readonly values?: readonly [off: Scalar, on: Scalar];
  /** The value at the start and after a DELETE; that of off if left out. */
  readonly default?: Scalar;
}

/**
 * Two states. PUT sets one of them. POST toggles, whether its body is `{}` or has the key with any of the two values.
 * The shape refuses any other body.
 */
export class SwitchNoun extends HeldState implements Noun {
  readonly shape: Shape;
  private readonly key: string;
  private readonly off: State;
  private readonly on: State;

  /** @throws TypeError for an empty key, a value that no state can have, equal values, or another default. */
  constructor({ key, values = [0, 1], default: initial = values[0] }: SwitchOptions) {
    const [off, on] = values;
    if (key === "") throw new TypeError("A switch needs a key that is not empty.");
    if (off === on) throw new TypeError("The two values of a switch must differ.");
    if (initial !== off && initial !== on) {
      throw new TypeError("The default of a switch must be one of its two values.");
    }
    const two = twoStates(key, off, on);
    super(initial === on ? two.on : two.off);
    this.key = key;
    this.off = two.off;
    this.on = two.on;
    this.shape = two.shape;
  }

  setState(state: State): State {
    return this.become(state[this.key] === this.on[this.key] ? this.on : this.off);
  }

  override [foresee](verb: Changing, change: State): State {
    if (verb !== "POST" || Object.hasOwn(change, this.key)) return super[foresee](verb, change);
    return this.state === this.on ? this.off : this.on;
  }

  updateState(change: State): State {
    if (Object.hasOwn(change, this.key)) return this.setState(change);
    return this.become(this.state === this.on ? this.off : this.on);
  }
}

/**
 * A noun in memory with two states under one key; POST toggles.
 * @throws TypeError for options that do not fit together.
 *
 * @example
 * server.register("door", switchNoun({ key: "door", values: ["closed", "open"] }));
 */
export function switchNoun(options: SwitchOptions): Noun {
  return describeNoun(new SwitchNoun(options), options);
}
