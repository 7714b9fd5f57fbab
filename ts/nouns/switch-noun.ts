/**
 * A noun in memory with two states under one key; an update goes from one to the other.
 *
 *     server.register("led", new SwitchNoun({ key: "led" })); // {"led":0} or {"led":1}
 *     server.register("door", new SwitchNoun({ key: "door", off: "closed", on: "open" }));
 */

import { ChangeListeners } from "../noun/change-listeners.ts";
import type { NounDescription } from "../noun/description.ts";
import { leave } from "../noun/hand-over.ts";
import type { Noun } from "../noun/noun.ts";
import type { Shape, StateOf } from "../noun/shape.ts";
import { type Scalar, type State, toState } from "../noun/state.ts";

/**
 * What `switchNoun` makes a noun from.
 *
 * @example
 * const options: SwitchOptions = { key: "door", off: "closed", on: "open" };
 * server.register("door", switchNoun(options));
 */
export interface SwitchOptions extends NounDescription {
  /** The one key of the state, not empty. */
  readonly key: string;
  /** The value of one state; 0 if left out. */
  readonly off?: Scalar;
  /** The value of the other state; 1 if left out. Must differ from `off`. */
  readonly on?: Scalar;
  /** The value at the start and after a DELETE, `off` or `on`; `off` if left out. */
  readonly default?: Scalar;
}

function switchShape(key: string, off: Scalar, on: Scalar) {
  return { [key]: { type: "choice", values: [off, on] } } as const satisfies Shape;
}

type SwitchState = StateOf<ReturnType<typeof switchShape>>;

/**
 * Two states. PUT sets one of them. POST toggles, whether its body is `{}` or has the key with any of the two values.
 * The shape refuses any other body.
 */
export class SwitchNoun implements Noun {
  readonly shape: Shape;
  private readonly listeners = new ChangeListeners();
  private readonly key: string;
  private readonly off: SwitchState;
  private readonly on: SwitchState;
  private readonly defaultState: SwitchState;
  private state: SwitchState;

  /** @throws TypeError for an empty key, a value that no state can have, equal values, or another default. */
  constructor(options: SwitchOptions) {
    const { key, off = 0, on = 1 } = options;
    if (key === "") {
      throw new TypeError("A switch needs a key that is not empty.");
    }
    if (off === on) {
      throw new TypeError("The two values of a switch must differ.");
    }
    this.key = key;
    this.off = Object.freeze(toState({ [key]: off }));
    this.on = Object.freeze(toState({ [key]: on }));
    this.shape = switchShape(key, off, on);
    const { default: initial = off } = options;
    if (initial !== off && initial !== on) {
      throw new TypeError("The default of a switch must be one of its two values.");
    }
    this.defaultState = initial === on ? this.on : this.off;
    this.state = this.defaultState;
  }

  getState(): State {
    return this.state;
  }

  setState(state: State): State {
    return this.become(state[this.key] === this.on[this.key] ? this.on : this.off);
  }

  updateState(change: State): State {
    if (Object.hasOwn(change, this.key)) return this.setState(change);
    return this.become(this.state === this.on ? this.off : this.on);
  }

  deleteState(): State {
    return this.become(this.defaultState);
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  [leave](): State {
    return this.state;
  }

  private become(state: SwitchState): State {
    this.state = state;
    this.listeners.tell();
    return state;
  }
}
