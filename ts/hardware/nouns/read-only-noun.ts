/** A noun that only measures: PUT and POST are refused with a sentence (422). */

import type { Awaitable } from "../../core/noun/noun.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import type { HardwareNoun } from "./hardware-noun.ts";

/** A noun whose keys are read-only, unless its class overrides what this one refuses. */
export abstract class ReadOnlyNoun implements HardwareNoun {
  abstract readonly shape: Shape;
  readonly settable: boolean = false;
  /** The sentence that tells the client why it cannot set the noun. */
  protected abstract readonly refusal: string;

  abstract getState(): Awaitable<State>;
  abstract deleteState(): Awaitable<State>;
  abstract close(): void;

  /** @throws StateError always. */
  setState(_state?: State): Awaitable<State> {
    throw new StateError(this.refusal);
  }

  /** @throws StateError always. */
  updateState(_change?: State): Awaitable<State> {
    throw new StateError(this.refusal);
  }
}
