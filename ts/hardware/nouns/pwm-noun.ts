/** A noun for a PWM channel: in percent, or in µs of each pulse, as a servo takes them. */

import type { NounDescription } from "../../core/noun/description.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import type { Milliseconds } from "../../native/units.ts";
import type { PwmChannel, PwmSignal } from "../open/pwm-channel.ts";
import { type AttributesBehaviour, AttributesNoun, type ExitRule } from "./hardware-noun.ts";

/**
 * The options of `pwmNoun`.
 *
 * @example
 * const options: PwmOptions = { chip: "pwmchip0", channel: 0, frequency: 25_000 };
 * server.register("fan", pwmNoun(options));
 */
export interface PwmOptions extends NounDescription {
  /** The chip's folder in `/sys/class/pwm`, or the path of its device on a bus: `/sys/bus/i2c/devices/1-0040`. */
  readonly chip: string;
  /** The channel's number on the chip, from 0. */
  readonly channel: number;
  /** Hz, 0.02 to 1000000. If left out: 50 with `pulse`; otherwise that which the channel has. */
  readonly frequency?: number;
  /** True if the state has the length of a pulse in `microseconds`, as for a servo, instead of `percent`. */
  readonly pulse?: boolean;
  /** True if the signal is inverted: full at the low voltage. Another polarity that is found is corrected. */
  readonly inverted?: boolean;
  /** The state at the start and after a DELETE. If left out: 0, disabled; without a `frequency`, what was found. */
  readonly default?: State;
  /** The state when the program ends; "default" if left out. */
  readonly exit?: ExitRule;
  /** ms between two readings while somebody watches; 1000 if left out. */
  readonly poll?: Milliseconds | undefined;
}

export interface PwmBehaviour
  extends Pick<PwmOptions, "default" | "inverted" | "frequency" | "pulse">,
    AttributesBehaviour {
  /** The default state of an earlier process that had the channel with the same options: it is not touched then. */
  readonly inherited?: State;
}

/** Hz. The kernel's bounds are further apart, its drivers' bounds are closer. */
export const frequencyRange = { minimum: 0.02, maximum: 1_000_000 };

/** Hz of a servo. */
const usualServo = 50;

/** @returns ns of a period. */
const periodOf = (frequency: number) => Math.round(1e9 / frequency);

/** The shape of a PWM noun's state. */
export function pwmShape({ frequency = usualServo, pulse = false }: Pick<PwmOptions, "frequency" | "pulse">): Shape {
  const enabled = { type: "boolean" } as const;
  if (!pulse) return { percent: { type: "number", minimum: 0, maximum: 100, unit: "%" }, enabled };
  return { microseconds: { type: "number", minimum: 0, maximum: periodOf(frequency) / 1_000, unit: "us" }, enabled };
}

/** @param period ns. @returns ns for which the signal is on in each. */
const dutyOf = (percent: number, period: number) => Math.round((period * percent) / 100);

/** @returns the shortest decimal number of percent that makes this duty. */
function percentOf(duty: number, period: number): number {
  for (const parts of [1, 10, 100]) {
    const percent = Math.round((100 * parts * duty) / period) / parts;
    if (dutyOf(percent, period) === duty) return percent;
  }
  return (100 * duty) / Math.max(1, period);
}

/** PUT sets the signal. POST changes the named keys; `{}` toggles "enabled". DELETE returns to the default. */
export class PwmNoun extends AttributesNoun {
  readonly defaultState: State;
  private readonly channel: PwmChannel;
  /** ns; undefined if the channel keeps the one that it has. */
  private readonly period: number | undefined;
  private readonly pulse: boolean;
  /** No attribute decides the shape. */
  readonly attributes = {};

  /** @throws Error if the kernel refuses or no frequency is set; StateError for an impossible default. */
  constructor(channel: PwmChannel, options: PwmBehaviour) {
    const { inverted, default: given, inherited } = options;
    const { pulse = inherited !== undefined && "microseconds" in inherited } = options;
    const { frequency = pulse ? usualServo : undefined } = options;
    super(channel, pwmShape({ ...options, pulse }), options);
    this.channel = channel;
    this.pulse = pulse;
    this.period = frequency === undefined ? undefined : periodOf(frequency);
    if (frequency === undefined && inherited === undefined && channel.read().period === 0)
      throw new Error(`${channel.path} has no frequency yet: give the noun a "frequency"`);
    const still = pulse ? { microseconds: 0, enabled: false } : { percent: 0, enabled: false };
    const initial = given ?? (frequency === undefined ? undefined : still);
    // A channel whose signal stays as it was found keeps its polarity, too.
    const isOurs = inherited === undefined && (initial ?? inverted) !== undefined;
    if (isOurs) channel.setPolarity(inverted ?? false);
    this.defaultState = inherited ?? (initial === undefined ? this.getState() : this.setState(initial));
  }

  protected read(): State {
    const { period, duty, enabled } = this.channel.read();
    return this.pulse ? { microseconds: duty / 1_000, enabled } : { percent: percentOf(duty, period), enabled };
  }

  protected set(state: State): State {
    this.channel.write(this.toSignal(state));
    return state;
  }

  protected changed(state: State, change: State): State {
    const { enabled } = state;
    return { ...state, ...(Object.keys(change).length === 0 ? { enabled: enabled !== true } : change) };
  }

  private toSignal({ percent, microseconds, enabled }: State): PwmSignal {
    const { period = this.channel.read().period } = this;
    const duty = this.pulse ? Math.round(1_000 * Number(microseconds)) : dutyOf(Number(percent), period);
    return { period, duty, enabled: enabled === true };
  }
}
