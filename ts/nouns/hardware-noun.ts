/** The common part of nouns that control hardware: they hold a part of the device and release it. */
import type { Noun } from "../noun/noun.ts";
import type { Shape } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { SteadyState } from "../noun/steady-state.ts";

/**
 * The level of an output when the program ends: its default, or the current one.
 *
 * @example
 * const exit: ExitRule = "as-is";
 * server.register("light", gpioOutputNoun({ line: "GPIO17", key: "light", exit }));
 */
export type ExitRule = "default" | "as-is";

export interface HardwareNoun extends Noun {
  /** Sets the hardware to its final state by the options, and releases it. Called once, after all operations. */
  close(): void;
}

/** What nouns on attributes of the kernel have in common: the kernel holds their state. */
export abstract class AttributesNoun implements HardwareNoun {
  readonly shape: Shape;
  readonly poll: number | undefined;
  /** The state after a DELETE. */
  abstract readonly defaultState: State;
  protected readonly steady: SteadyState;
  protected readonly exit: ExitRule;

  constructor(
    shape: Shape,
    { exit = "default", poll }: { readonly exit?: ExitRule; readonly poll?: number | undefined },
  ) {
    this.shape = shape;
    this.exit = exit;
    this.poll = poll;
    this.steady = new SteadyState(Object.keys(shape));
  }

  abstract getState(): State;
  abstract setState(state: State): State;
  abstract updateState(change: State): State;

  /** @throws as `setState`. */
  deleteState(): State {
    return this.setState(this.defaultState);
  }

  close(): void {
    if (this.exit === "default") this.deleteState();
  }
}
