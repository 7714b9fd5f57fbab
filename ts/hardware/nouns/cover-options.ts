/** The options of a cover. */
import type { When } from "../../core/noun/condition.ts";
import type { NounDescription } from "../../core/noun/description.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import type { LineOptions } from "../open/line-options.ts";

/**
 * How a cover moves.
 *
 * @example
 * const times: CoverTimes = { openTime: 21_000, closeTime: 19_500, pause: 800 };
 */
export interface CoverTimes {
  /** ms from closed to open. */
  readonly openTime: Milliseconds;
  /** ms from open to closed. */
  readonly closeTime: Milliseconds;
  /** ms with both outputs inactive before the direction changes; 500 if left out. */
  readonly pause?: Milliseconds;
  /** ms from the output to the motor: it moves so much later; 0 if left out. */
  readonly startDelay?: Milliseconds;
  /** ms in which the motor turns the slats from closed to open, before it moves the cover; no slats if left out. */
  readonly tiltTime?: Milliseconds;
  /** Where a DELETE moves it, and a guard that ends; if left out, it stops where it is. */
  readonly default?: CoverGoal;
  /** End switches: conditions on other nouns that hold while the cover is open, and while it is closed. */
  readonly stopAt?: StopAt;
}

/**
 * Where a cover goes.
 *
 * @example
 * const goal: CoverGoal = { position: 40, tilt: 60 };
 */
export interface CoverGoal {
  /** 0 is closed, 100 is open. */
  readonly position?: number;
  /** Of the slats, after the position: 0 is closed, 100 is open. */
  readonly tilt?: number;
}

/**
 * The end switches of a cover.
 *
 * @example
 * const stopAt: StopAt = { open: { top: { pressed: 1 } }, close: { bottom: { pressed: 1 } } };
 */
export interface StopAt {
  /** What holds while it is open. */
  readonly open?: When;
  /** What holds while it is closed. */
  readonly close?: When;
}

/**
 * An output of a cover that is another noun with two values: a coil of a Modbus unit, or a noun of the application.
 * Only the cover makes it active.
 *
 * @example
 * const open: CoverNounOutput = { noun: "relay3" };
 */
export interface CoverNounOutput {
  /** The name of the noun. */
  readonly noun: string;
  /** Its key with two values, of which the second one is active; the only such key if left out. */
  readonly key?: string;
  /** Whether the first value is active; false if left out. */
  readonly activeLow?: boolean;
}

/**
 * The options of `coverNoun`: `open` and `close`, or one `button`.
 *
 * @example
 * const options: CoverOptions = {
 *   open: { line: "GPIO17" },
 *   close: { line: "GPIO18" },
 *   openTime: 21_000,
 *   closeTime: 19_500,
 * };
 * server.register("blind", coverNoun(options));
 */
export interface CoverOptions extends CoverTimes, NounDescription {
  /** The output that opens it. */
  readonly open?: LineOptions | CoverNounOutput;
  /** The output that closes it. */
  readonly close?: LineOptions | CoverNounOutput;
  /** The output for the only button of a motor: each press does the next of open, stop, close and stop. */
  readonly button?: LineOptions | CoverNounOutput;
  /** ms for which the button is pressed; 500 if left out. */
  readonly pulse?: Milliseconds;
  /** The store that keeps the position over a restart; without one it is unknown at the start. */
  readonly store?: Store;
  /** The name in the store; `cover` if left out. */
  readonly storedAs?: string;
}
