/** A noun for a PWM channel: in ns, or in percent of a fixed period. */

import type { NounDescription } from "../../core/noun/description.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import type { Milliseconds, Nanoseconds } from "../../native/units.ts";
import type { PwmChannel, PwmSignal } from "../open/pwm-channel.ts";
import { type AttributesBehaviour, AttributesNoun, type ExitRule } from "./hardware-noun.ts";

/**
 * The options of `pwmNoun`.
 *
 * @example
 * const options: PwmOptions = { chip: "pwmchip0", channel: 0, period: 40_000 };
 * server.register("fan", pwmNoun(options));
 */
export interface PwmOptions extends NounDescription {
  /** The chip's folder in `/sys/class/pwm`, or the path of its device on a bus: `/sys/bus/i2c/devices/1-0040`. */
  readonly chip: string;
  /** The channel's number on the chip, from 0. */
  readonly channel: number;
  /** ns of the fixed period, at least 1000; the state then has a whole percentage of it. */
  readonly period?: Nanoseconds;
  /** True if the signal is inverted: full at the low voltage. Another polarity that is found is corrected. */
  readonly inverted?: boolean;
  /** The state at the start and after a DELETE. If left out: 0 percent, disabled; without `period`, what was found. */
  readonly default?: State;
  /** The state when the program ends; "default" if left out. */
  readonly exit?: ExitRule;
  /** ms between two readings while somebody watches; 1000 if left out. */
  readonly poll?: Milliseconds | undefined;
}

export interface PwmBehaviour extends Pick<PwmOptions, "default" | "inverted" | "period">, AttributesBehaviour {
  /** The default state of an earlier process that had the channel with the same options: it is not touched then. */
  readonly inherited?: State;
}

/** ns of the longest period; the kernel's own bound is larger, its drivers' bounds are smaller. */
export const longestPeriod = 60_000_000_000;

/** The shape of a PWM noun's state. @param period the fixed period, if there is one. */
export function pwmShape(period: number | undefined): Shape {
  return period === undefined
    ? {
        period: { type: "integer", minimum: 1, maximum: longestPeriod, unit: "ns" },
        duty: {
          type: "integer",
          minimum: 0,
          maximum: longestPeriod,
          unit: "ns",
          description: "At most the period.",
          shareOf: "period",
        },
        enabled: { type: "boolean" },
      }
    : { percent: { type: "integer", minimum: 0, maximum: 100, unit: "%" }, enabled: { type: "boolean" } };
}

/**
 * Checks what the shape of a state cannot express.
 * @throws StateError when the duty is beyond the period.
 */
export function checkDuty({ period, duty }: State): void {
  if (Number(duty) > Number(period)) {
    throw new StateError(`The value of "duty" must be at most that of "period", which is ${period}.`, "duty");
  }
}

/** PUT sets the signal. POST changes the named keys; `{}` toggles "enabled". DELETE returns to the default. */
export class PwmNoun extends AttributesNoun {
  readonly defaultState: State;
  private readonly channel: PwmChannel;
  private readonly period: number | undefined;
  /** No attribute decides the shape. */
  readonly attributes = {};

  /** @throws Error if the kernel refuses or no period is set; StateError for an impossible default. */
  constructor(channel: PwmChannel, options: PwmBehaviour) {
    const { period, inverted, default: given, inherited } = options;
    super(channel, pwmShape(period), options);
    this.channel = channel;
    this.period = period;
    const initial = given ?? (period === undefined ? undefined : { percent: 0, enabled: false });
    // A channel whose signal stays as it was found keeps its polarity, too.
    const isOurs = inherited === undefined && (initial ?? inverted) !== undefined;
    if (isOurs) channel.setPolarity(inverted ?? false);
    this.defaultState = inherited ?? (initial === undefined ? this.findState() : this.setState(initial));
  }

  protected read(): State {
    const { period, duty, enabled } = this.channel.read();
    if (this.period === undefined) return { period, duty, enabled };
    return { percent: Math.round((100 * duty) / Math.max(1, period)), enabled };
  }

  /** @throws StateError when the duty is beyond the period. */
  protected set(state: State): State {
    checkDuty(state);
    this.channel.write(this.toSignal(state));
    return state;
  }

  protected changed(state: State, change: State): State {
    const { enabled } = state;
    return { ...state, ...(Object.keys(change).length === 0 ? { enabled: enabled !== true } : change) };
  }

  private findState(): State {
    const state = this.getState();
    const { period } = state;
    if (period === 0) {
      throw new Error(`${this.channel.path} has no period yet: give the noun a "default", or a "period"`);
    }
    return state;
  }

  private toSignal({ percent, period, duty, enabled }: State): PwmSignal {
    return this.period === undefined
      ? { period: Number(period), duty: Number(duty), enabled: enabled === true }
      : { period: this.period, duty: Math.round((this.period * Number(percent)) / 100), enabled: enabled === true };
  }
}
