/** The common part of inputs: they may count presses and meter pulses, and DELETE resets their counters. */

import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import type { KeptText } from "../../core/noun/kept-text.ts";
import type { Awaitable } from "../../core/noun/noun.ts";
import type { State } from "../../core/noun/state.ts";
import type { Clock } from "../../native/loop.ts";
import { Meter, type MeterOptions } from "./meter.ts";
import { ReadOnlyNoun } from "./read-only-noun.ts";

/** The clock of an input, and where its total is kept. */
export interface InputContext {
  readonly clock: Clock;
  readonly kept?: KeptText | undefined;
}

/** With a total, PUT and POST set it. Without one, they are refused. */
export abstract class CountingInput extends ReadOnlyNoun {
  protected readonly refusal = "This noun is an input, and cannot be set; GET reads it, DELETE resets its counters.";
  override readonly settable: boolean;
  protected readonly listeners = new ChangeListeners();
  protected readonly meter: Meter | undefined;

  /** @param span as of a `Meter`. */
  constructor({ clock, kept }: InputContext, options: MeterOptions, span: 1 | 2) {
    super();
    const { total, rate } = options;
    this.settable = total !== undefined;
    if (total === undefined && rate === undefined) return;
    this.meter = new Meter({ clock, kept, changed: () => this.listeners.tell() }, options, span);
  }

  /** @throws StateError without a total; as `getState`. */
  override setState(state: State = {}): Awaitable<State> {
    if (!this.settable) return super.setState(state);
    this.meter?.set(state);
    this.listeners.tell();
    return this.getState();
  }

  /** @throws as `setState`. */
  override updateState(change: State = {}): Awaitable<State> {
    return this.settable ? this.setState(change) : super.updateState(change);
  }
}
