/** The common part of nouns that control hardware: they hold a part of the device and release it. */
import { leave, takeOver } from "../../core/noun/left-state.ts";
import type { Noun } from "../../core/noun/noun.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { SteadyState } from "../../core/noun/steady-state.ts";
import { goneRefusal } from "./gone-refusal.ts";

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

/** What nouns on attributes of the kernel act on. */
interface Attributes {
  /** Whether its folder has gone from /sys. */
  readonly isGone: boolean;
}

/** The options of a noun on attributes, and who is told that its device is gone. */
export interface AttributesBehaviour {
  readonly exit?: ExitRule | undefined;
  readonly poll?: number | undefined;
  /** Called each time an operation finds the device gone. */
  readonly lose?: () => void;
  /** Called when the noun closes. */
  readonly onClose?: () => void;
}

/** What nouns on attributes of the kernel have in common: the kernel holds their state. */
export abstract class AttributesNoun implements HardwareNoun {
  readonly shape: Shape;
  readonly poll: number | undefined;
  /** The state after a DELETE. */
  abstract readonly defaultState: State;
  /** Only of a noun that keeps its state. */
  declare onSet?: (state: State) => void;
  /** What it was given last, if it keeps that. */
  declare private given: State | undefined;
  protected readonly steady: SteadyState;
  protected readonly exit: ExitRule;
  private readonly device: Attributes;
  private readonly lose: (() => void) | undefined;
  private readonly onClose: (() => void) | undefined;

  constructor(device: Attributes, shape: Shape, { exit = "default", poll, lose, onClose }: AttributesBehaviour) {
    this.device = device;
    this.shape = shape;
    this.exit = exit;
    this.poll = poll;
    this.lose = lose;
    this.onClose = onClose;
    this.steady = new SteadyState(Object.keys(shape));
  }

  /** @throws HttpError when the device is gone; Error when the kernel refuses. */
  getState(): State {
    try {
      return this.steady.of(this.read());
    } catch (error) {
      throw this.why(error, 500);
    }
  }

  /** @throws as `getState`; StateError for a state that the device cannot have. */
  setState(state: State): State {
    return this.changing(() => this.set(state));
  }

  /** @throws as `setState`. */
  updateState(change: State): State {
    return this.changing(() => this.set(this.changed(this.read(), change)));
  }

  /** @throws as `setState`. */
  deleteState(): State {
    return this.setState(this.defaultState);
  }

  /** An earlier process that had the device may have lost it. */
  [leave](): State {
    return { gone: this.device.isGone };
  }

  /** A device that has come back is set as at a start. @throws as `setState`. */
  [takeOver]({ gone }: State): void {
    if (gone === true && !this.device.isGone) this.set(this.given ?? this.defaultState);
  }

  close(): void {
    this.onClose?.();
    if (this.exit === "default" && !this.device.isGone) this.finish();
  }

  /** @returns the state of the device. @throws Error when the kernel refuses. */
  protected abstract read(): State;
  /** Sets the device. @returns the state. @throws Error when the kernel refuses, or StateError. */
  protected abstract set(state: State): State;
  /** Sets the default for the end. */
  protected finish(): void {
    this.set(this.defaultState);
  }

  /** @returns the state that a POST asks for. */
  protected abstract changed(state: State, change: State): State;

  private changing(change: () => State): State {
    try {
      const state = change();
      if (this.onSet !== undefined) {
        this.onSet(state);
        this.given = state;
      }
      return state;
    } catch (error) {
      throw this.why(error, 503);
    }
  }

  /** @returns the error of an operation that has failed. */
  private why(error: unknown, status: 500 | 503): unknown {
    if (!this.device.isGone) return error;
    this.lose?.();
    return goneRefusal("device", status);
  }
}
