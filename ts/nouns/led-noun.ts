/**
 * A noun for a LED of the kernel's LED class (Documentation/leds/leds-class.rst).
 *
 *     server.register("status", new LedNoun(openDevice("leds", "green:status"), {}));
 *     // {"brightness":255,"trigger":"none"}
 */
import type { AttributeFolder } from "../native/sysfs.ts";
import { checkState, type Shape } from "../noun/shape.ts";
import type { Scalar, State } from "../noun/state.ts";
import { readNumber } from "./attribute-number.ts";
import type { ExitRule, HardwareNoun } from "./hardware-noun.ts";

/** What a LED can be told. */
export interface LedState {
  /** 0 to the LED's own maximum. */
  readonly brightness: number;
  /** One of the kernel's triggers; "none" if left out. A LED of a kernel without triggers has none to name. */
  readonly trigger?: string;
}

/** How a `LedNoun` behaves. */
export interface LedOptions {
  /** The state at the start and after a DELETE; if left out, the state the LED was found in. */
  readonly default?: LedState;
  /** What `close` does; "default" if left out. */
  readonly exit?: ExitRule;
}

function ledShape(maximum: number, triggers: readonly string[]): Shape {
  const brightness = { brightness: { type: "integer", minimum: 0, maximum } } as const;
  return triggers.length === 0 ? brightness : { ...brightness, trigger: { type: "choice", values: triggers } };
}

/**
 * PUT sets brightness and trigger. POST changes what it names, where a brightness without a trigger ends the trigger, and
 * with `{}` turns the LED off or, when it is off, full on. DELETE returns to the default. While a trigger other than "none"
 * is at work, GET shows the brightness of the moment.
 */
export class LedNoun implements HardwareNoun {
  readonly shape: Shape;
  private readonly led: AttributeFolder;
  private readonly exit: ExitRule;
  private readonly maximum: number;
  private readonly hasTrigger: boolean;
  private readonly defaultState: State;

  /** @throws Error when the LED cannot be read or written; StateError when it cannot have the default. */
  constructor(led: AttributeFolder, options: LedOptions) {
    this.led = led;
    this.exit = options.exit ?? "default";
    this.maximum = readNumber(led, "max_brightness");
    this.hasTrigger = led.has("trigger");
    this.shape = ledShape(
      this.maximum,
      this.triggers().map(({ name }) => name),
    );
    if (options.default === undefined) {
      this.defaultState = this.getState();
    } else {
      const initial = { ...(this.hasTrigger ? { trigger: "none" } : {}), ...options.default };
      checkState(this.shape, initial);
      this.defaultState = this.write(initial);
    }
  }

  /** @throws Error when the kernel refuses. */
  getState(): State {
    const brightness = readNumber(this.led, "brightness");
    return this.withTrigger(brightness, this.triggers().find(({ isActive }) => isActive)?.name ?? "none");
  }

  /** @throws Error when the kernel refuses; what it took before is then undone as far as it lets us. */
  setState(state: State): State {
    const before = this.getState();
    try {
      return this.write(state);
    } catch (error) {
      this.tryWrite(before);
      throw error;
    }
  }

  /** @throws as `setState`. */
  updateState(change: State): State {
    const { brightness = 0, trigger = "none" } = this.getState();
    if (Object.keys(change).length === 0) {
      const isLit = brightness !== 0 || trigger !== "none";
      return this.setState(this.withTrigger(isLit ? 0 : this.maximum, "none"));
    }
    return this.setState({ ...this.withTrigger(brightness, "none"), ...change });
  }

  /** @throws as `setState`. */
  deleteState(): State {
    return this.setState(this.defaultState);
  }

  close(): void {
    if (this.exit === "default") this.write(this.defaultState);
  }

  private withTrigger(brightness: Scalar, trigger: string): State {
    return this.hasTrigger ? { brightness, trigger } : { brightness };
  }

  /** The kernel lists all triggers there are and puts the active one in brackets: `none [heartbeat] timer`. */
  private triggers(): { readonly name: string; readonly isActive: boolean }[] {
    if (!this.hasTrigger) return [];
    const names = this.led
      .read("trigger")
      .split(" ")
      .filter((name) => name !== "");
    return names.map((name) => ({ name: name.replace(/^\[(.*)\]$/, "$1"), isActive: name.startsWith("[") }));
  }

  private write(state: State): State {
    const { brightness, trigger = "none" } = state;
    const writeTrigger = () => this.hasTrigger && this.led.write("trigger", String(trigger));
    // Ending a trigger makes the LED dark, brightness 0 ends the trigger, and a trigger blinks with the brightness it finds.
    if (trigger === "none") writeTrigger();
    this.led.write("brightness", String(brightness));
    if (trigger !== "none") writeTrigger();
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
