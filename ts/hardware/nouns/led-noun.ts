/** A noun for a LED of the kernel's LED class (Documentation/leds/leds-class.rst). */

import type { NounDescription } from "../../core/noun/description.ts";
import { checkState, type Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import type { AttributeFolder } from "../../native/sysfs.ts";
import type { Milliseconds } from "../../native/units.ts";
import type { AttributeTexts } from "../open/absent-folder.ts";
import { Led, type LedState } from "../open/led.ts";
import { type AttributesBehaviour, AttributesNoun, type ExitRule } from "./hardware-noun.ts";

/**
 * The options of `ledNoun`.
 *
 * @example
 * const options: LedOptions = { device: "green:status", default: { brightness: 0, trigger: "heartbeat" } };
 * server.register("status", ledNoun(options));
 */
export interface LedOptions extends NounDescription {
  /** The LED's folder in `/sys/class/leds`. */
  readonly device: string;
  /** The state at the start and after a DELETE; if left out, the state the LED was found in. */
  readonly default?: LedState;
  /** The state when the program ends; "default" if left out. */
  readonly exit?: ExitRule;
  /** ms between two readings while somebody watches; 1000 if left out. */
  readonly poll?: Milliseconds | undefined;
}

export interface LedBehaviour extends Pick<LedOptions, "default">, AttributesBehaviour {
  /** The default state of an earlier process that had the LED with the same options: the LED is not touched then. */
  readonly inherited?: State;
}

export function ledShape(maximum: number, triggers: readonly string[]): Shape {
  const homeAssistant = { platform: "light" } as const;
  const brightness = { brightness: { type: "integer", minimum: 0, maximum, homeAssistant } } as const;
  return triggers.length === 0 ? brightness : { ...brightness, trigger: { type: "choice", values: triggers } };
}

/** @returns the default of a LED, whole. @throws StateError when the LED cannot have it. */
export function checkedDefault({ maximum, triggers, hasTrigger }: Led, given: LedState): State {
  const initial = { ...(hasTrigger && { trigger: "none" }), ...given };
  checkState(ledShape(maximum, triggers), initial);
  return initial;
}

/**
 * PUT sets brightness and trigger. POST changes the keys that it names; a brightness without a trigger ends the
 * trigger. POST with `{}` turns the LED off, or fully on if it is off. DELETE returns to the default. While a trigger
 * other than "none" is active, GET shows the brightness of that moment.
 */
export class LedNoun extends AttributesNoun {
  readonly defaultState: State;
  private readonly led: Led;

  /** @throws Error when the LED cannot be read or written; StateError when it cannot have the default. */
  constructor(folder: AttributeFolder, options: LedBehaviour) {
    const led = new Led(folder);
    super(led, ledShape(led.maximum, led.triggers), options);
    this.led = led;
    const { inherited, default: initial } = options;
    if (inherited !== undefined) this.defaultState = inherited;
    else this.defaultState = initial === undefined ? this.getState() : this.write(checkedDefault(led, initial));
  }

  protected read(): State {
    return this.led.read() as LedState & State;
  }

  /** @throws Error when the kernel refuses; then changes made before are undone as far as possible. */
  protected set(state: State): State {
    const before = this.read();
    try {
      return this.write(state);
    } catch (error) {
      this.tryWrite(before);
      throw error;
    }
  }

  protected changed({ brightness = 0, trigger = "none" }: State, change: State): State {
    if (Object.keys(change).length === 0) {
      const isLit = brightness !== 0 || trigger !== "none";
      return this.withTrigger(isLit ? 0 : this.led.maximum, "none");
    }
    return { ...this.withTrigger(brightness, "none"), ...change };
  }

  /** Without a reading before: whatever the LED shows, it is set. */
  protected override finish(): void {
    this.write(this.defaultState);
  }

  /** The attributes that decide the shape, for a process that starts while the LED is gone: not all of its triggers. */
  get attributes(): AttributeTexts {
    const { maximum, hasTrigger } = this.led;
    const { trigger = "none" } = this.defaultState;
    return {
      max_brightness: String(maximum),
      ...(hasTrigger && { trigger: trigger === "none" ? "[none]" : `[none] ${trigger}` }),
    };
  }

  private withTrigger(brightness: Scalar, trigger: string): State {
    return this.led.hasTrigger ? { brightness, trigger } : { brightness };
  }

  private write(state: State): State {
    const { brightness, trigger = "none" } = state;
    this.led.write({ brightness: Number(brightness), trigger: String(trigger) });
    return state;
  }

  private tryWrite(state: State): void {
    try {
      this.write(state);
    } catch {
      // The first failure is the one to report.
    }
  }
}
