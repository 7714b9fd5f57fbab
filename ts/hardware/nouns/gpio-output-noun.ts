/** A noun for a GPIO line that is an output. */

import { HttpError } from "../../core/http/http-error.ts";
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { checkDuration } from "../../core/noun/duration.ts";
import type { KeptText } from "../../core/noun/kept-text.ts";
import { leave, takeOver } from "../../core/noun/left-state.ts";
import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import { byItself, type Changing, foresee, type OwnCause } from "../../core/noun/noun-traits.ts";
import type { Key, Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Level, Line } from "../../native/gpio.ts";
import type { Clock } from "../../native/loop.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logError } from "../../platform/log.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { followChip, goneError, type LineHolder, unfollowChip } from "../open/gone-lines.ts";
import type { OutputOptions } from "../open/line-options.ts";
import { openOutputLeftAt } from "../open/lines.ts";
import { goneRefusal, setLevel } from "./gone-refusal.ts";
import type { ExitRule, HardwareNoun } from "./hardware-noun.ts";
import { type Keeping, keptText } from "./keeping.ts";
import { type TwoStates, twoStates } from "./two-states.ts";

/** The line, the store and the clock of a `GpioOutputNoun`. */
export interface GpioOutputHardware {
  /** It has been requested as an output, with its first level. */
  readonly line: Line;
  readonly clock: Clock;
  /** Keeps each new level, "0" or "1", for the next process. */
  readonly kept?: KeptText;
}

/**
 * The options of `gpioOutputNoun`.
 *
 * @example
 * const options: GpioOutputOptions = { chip: "gpiochip0", offset: 17, key: "valve", pulse: 500 };
 * server.register("valve", gpioOutputNoun(options));
 */
export interface GpioOutputOptions extends Omit<OutputOptions, "keepValue" | "value">, NounDescription {
  /** The one key of the state. */
  readonly key: string;
  /** The level after a DELETE, and at the start unless `boot` says otherwise; 0 if left out. */
  readonly default?: Level;
  /** The level at the start: `default`; `as-is`, that of a line that is an output; `restore`, that in `store`. */
  readonly boot?: "default" | "as-is" | "restore";
  /** The store that keeps each new level for `boot: "restore"`, under the name `output-` plus the key. */
  readonly store?: Store;
  /** The shortest time between two writes to the store, in ms, because flash memory wears out. 1000 if left out. */
  readonly interval?: Milliseconds;
  /** ms after which the other level falls back to the default. Setting it again does not extend the pulse. */
  readonly pulse?: Milliseconds;
  /**
   * ms after which the other level falls back to the default. Each PUT or POST of that level begins it again. `asked`:
   * no time by itself, but a client may ask for one, with the key `remaining` beside the other level.
   */
  readonly lease?: Milliseconds | "asked";
  /**
   * ms for which the line stays at its default after it went there, and after the start, as a compressor needs. Until
   * then, the other level is refused with 409 and `Retry-After`.
   */
  readonly rest?: Milliseconds;
  /** The level when the program ends. If left out: "default", or "as-is" if `boot` is not "default". */
  readonly exit?: ExitRule;
}

export type GpioOutputBehaviour = Pick<GpioOutputOptions, "default" | "exit" | "key" | "lease" | "pulse" | "rest">;

/** @returns the kept level; undefined for any other text, which this noun did not write. */
export function keptLevel(kept: KeptText | undefined): Level | undefined {
  return kept?.text === "0" ? 0 : kept?.text === "1" ? 1 : undefined;
}

/** ms after which a failed return to the default is tried again. */
const retryTime = 1_000;

/** The key of a lease that a client asks for. */
const remaining: Key = {
  type: "integer",
  minimum: 1,
  maximum: 86_400,
  optional: true,
  timeDependent: true,
  unit: "s",
  description: "Seconds until it returns to its default. Without them, it stays.",
};

/**
 * PUT sets the level; POST toggles it, and with a pulse starts one; DELETE returns to the default. GET shows the level
 * that was last set, also during a pulse or a lease. If the line has a level other than the default at the start, the
 * pulse or lease begins then.
 */
export class GpioOutputNoun implements HardwareNoun, LineHolder {
  readonly line: Line;
  declare readonly action?: string;
  declare readonly [byItself]: OwnCause;
  /** Its name in the log, if the end of its chip belongs there. */
  declare name: string | undefined;
  /** Made for the first one. */
  declare private listeners: ChangeListeners | undefined;
  /** Only of a noun with times. */
  declare private readonly clock: Clock;
  /** Keeps each new level, "0" or "1", for the next process. */
  declare private readonly kept: KeptText | undefined;
  declare private readonly defaultLevel: Level;
  declare private readonly pulse: Milliseconds | undefined;
  declare private readonly lease: GpioOutputOptions["lease"];
  declare private readonly rest: Milliseconds | undefined;
  declare private readonly exit: ExitRule | undefined;
  /** The level that was last set. */
  private level: Level;
  /** The key and the two states. They are the same objects each time, so their answers are written once. */
  private readonly two: TwoStates;
  /** Only where it says more than the two states. */
  declare private ownShape: Shape | undefined;
  /** The chip of the line is gone. Then all operations fail, until another process has the line. */
  declare private isGone: boolean;
  /** ms of a pulse or a lease; undefined without one. */
  declare private readonly after: Milliseconds | undefined;
  /** Runs during a pulse or a lease; undefined without one. */
  declare private readonly fallBack: Alarm | undefined;
  /** When it ends, in ms on the clock. */
  declare private fallBackTime: number;
  /** Until when the line rests, in ms on the clock. */
  declare private restTime: number;

  // A device may have many outputs. So a field that most of them never set is on the prototype until it is set.
  static {
    const absent = { name: undefined, listeners: undefined, kept: undefined, ownShape: undefined, exit: undefined };
    const timeless = { pulse: undefined, lease: undefined, rest: undefined, after: undefined, fallBack: undefined };
    const begin = { defaultLevel: 0, isGone: false, fallBackTime: 0, restTime: Number.NEGATIVE_INFINITY };
    Object.assign(GpioOutputNoun.prototype, { [byItself]: "nothing", ...absent, ...timeless, ...begin });
  }

  /** @throws Error when the line cannot be read. */
  constructor({ line, clock, kept }: GpioOutputHardware, options: GpioOutputBehaviour) {
    this.line = line;
    const { key, pulse, lease, rest, exit } = options;
    this.two = twoStates(key, 0, 1);
    if (kept !== undefined) this.kept = kept;
    if (exit === "as-is") this.exit = exit;
    if (options.default === 1) this.defaultLevel = 1;
    if ((pulse ?? lease ?? rest) !== undefined) this.setTimes(clock, options);
    this.level = this.readLevel();
    this.startFallBack();
    this.startRest();
  }

  private setTimes(clock: Clock, { key, pulse, lease, rest }: GpioOutputBehaviour): void {
    const isAsked = lease === "asked";
    const after = pulse ?? (isAsked ? undefined : lease);
    const fallBack = (pulse ?? lease) === undefined ? undefined : new Alarm(clock, () => this.fallBackNow());
    const cause: OwnCause = pulse !== undefined ? "pulse" : lease !== undefined ? "lease" : "nothing";
    Object.assign(this, { clock, pulse, lease, rest, after, fallBack, [byItself]: cause });
    if (isAsked) this.ownShape = { ...this.two.shape, remaining };
    if (after !== undefined) {
      const fallsBack = { to: this.defaultLevel, after, renewed: pulse === undefined };
      // What falls back by itself is not switched, but pressed.
      const pressed = pulse !== undefined && { homeAssistant: { platform: "button" as const } };
      this.ownShape = { [key]: { type: "choice", values: [0, 1], fallsBack, ...pressed } };
    }
    if (pulse !== undefined) Object.assign(this, { action: "Press" });
  }

  get shape(): Shape {
    return this.ownShape ?? this.two.shape;
  }

  /** Its keys are described. */
  set shape(shape: Shape) {
    this.ownShape = shape;
  }

  /** The chip of the line is gone. */
  lose(): void {
    if (this.name !== undefined) logError(this.name, goneError(this.line));
    if (this.isGone) return;
    this.isGone = true;
    this.fallBack?.stop();
    this.listeners?.tell();
  }

  /** @throws Error when the line is gone. */
  getState(): State {
    if (this.isGone) throw goneRefusal("line", 500);
    return this.shown();
  }

  /** @throws Error when the kernel refuses; then the level and a running pulse or lease do not change. */
  setState(state: State): State {
    return this.setLevel(state[this.two.key] === 1 ? 1 : 0, state["remaining"]);
  }

  /** @throws as `setState`. */
  updateState(change: State): State {
    if (Object.hasOwn(change, this.two.key)) return this.setState(change);
    return this.setLevel(this[foresee]("POST", change) === this.two.on ? 1 : 0, change["remaining"]);
  }

  /** @throws as `setState`. */
  deleteState(): State {
    return this.setLevel(this.defaultLevel);
  }

  /** Also reports the end of a pulse or a lease. */
  watch(changed: () => void): () => void {
    this.listeners ??= new ChangeListeners();
    return this.listeners.add(changed);
  }

  close(): void {
    const { line, kept } = this;
    unfollowChip(this);
    this.fallBack?.stop();
    kept?.flush();
    try {
      if (this.exit !== "as-is" && !this.isGone) line.setValue(this.defaultLevel);
    } finally {
      line.close();
    }
  }

  [foresee](verb: Changing, change: State): State {
    const { pulse } = this;
    const { key, off, on } = this.two;
    if (verb === "DELETE") return { [key]: this.defaultLevel };
    if (Object.hasOwn(change, key)) return change;
    // With a pulse, the noun itself returns to the default. So an update always starts a pulse, as it does a lease.
    const isBegun = pulse !== undefined || Object.hasOwn(change, "remaining");
    return (isBegun ? this.defaultLevel : this.level) === 1 ? off : on;
  }

  [leave](): State {
    this.kept?.flush();
    const { rest } = this;
    return {
      until: this.fallBack?.isSet ? this.fallBackTime : null,
      ...(rest !== undefined && this.level === this.defaultLevel && { restsUntil: this.restTime }),
    };
  }

  /** The level is that of the line. */
  [takeOver]({ until, restsUntil }: State): void {
    // No later than a rest that begins now.
    if (typeof restsUntil === "number") this.restTime = Math.min(this.restTime, restsUntil);
    if (typeof until !== "number" || this.fallBack === undefined) return;
    // No later than a pulse or a lease that begins now.
    this.fallBack.stop();
    this.startFallBack(until - this.moment);
  }

  /** Whole ms on the clock. The start of a process is one long turn, from whose end timers run. */
  private get moment(): number {
    const { clock } = this;
    return clock.now() + Math.floor(clock.turnTime());
  }

  private readLevel(): Level {
    const { line } = this;
    try {
      return line.getValue();
    } catch (error) {
      if (!line.isGone) throw error;
      this.isGone = true;
      return this.defaultLevel;
    }
  }

  /** The state, with the time that is left of a lease that a client has asked for. */
  private shown(): State {
    const state = this.level === 0 ? this.two.off : this.two.on;
    if (this.lease !== "asked" || !this.fallBack?.isSet) return state;
    return { ...state, remaining: Math.max(1, Math.ceil((this.fallBackTime - this.moment) / 1_000)) };
  }

  /** @param asked s of the lease that a client asks for; undefined for none. */
  private setLevel(level: Level, asked?: Scalar): State {
    if (this.isGone) throw goneRefusal("line", 503);
    const { rest, clock } = this;
    if (rest !== undefined && level !== this.defaultLevel && this.level === this.defaultLevel) {
      const left = Math.ceil((this.restTime - clock.now()) / 1_000);
      if (left > 0)
        throw HttpError.keeping(409, `${this.two.key} rests for another ${left} s.`, `Retry-After: ${left}\r\n`);
    }
    const before = this.level;
    setLevel(this.line, level);
    this.level = level;
    if (rest !== undefined && level !== before) this.startRest();
    // After a power cut, nobody would end a lease that has been asked for.
    this.kept?.keep(String(asked === undefined ? level : this.defaultLevel));
    if (this.fallBack !== undefined) {
      if (level === this.defaultLevel || this.lease !== undefined) this.fallBack.stop();
      this.startFallBack(asked === undefined ? undefined : Number(asked) * 1_000);
    }
    if (this.listeners !== undefined) this.listeners.tell();
    return this.shown();
  }

  private startRest(): void {
    const { rest } = this;
    if (rest !== undefined && this.level === this.defaultLevel) this.restTime = this.moment + rest;
  }

  /** @param rest ms that are left of a pulse or a lease that has begun earlier, or that a client has asked for. */
  private startFallBack(rest = Number.POSITIVE_INFINITY): void {
    const { after = rest, fallBack } = this;
    if (this.level === this.defaultLevel || fallBack === undefined || fallBack.isSet) return;
    const time = Math.max(0, Math.min(after, rest));
    if (time === Number.POSITIVE_INFINITY) return;
    fallBack.set(this.clock.now() + time);
    this.fallBackTime = this.moment + time;
  }

  private fallBackNow(): void {
    // The alarm is set first: if the kernel refuses, the loop reports the error, and the pump must still be stopped
    // later.
    this.fallBack?.set(this.clock.now() + retryTime);
    // By the method that others call, because guards may name this noun. If they refuse, it is tried again.
    const fallen: Awaitable<State> = this.deleteState();
    if (fallen instanceof Promise) fallen.catch((error: unknown) => logError(this.two.key, error));
  }
}

function keepLevel({ pulse, store, interval = 1_000 }: GpioOutputOptions, keeping: Keeping): KeptText {
  if (store === undefined) throw new TypeError('"boot": "restore" needs a store: openStore("/var/lib/my-device").');
  if (pulse !== undefined) throw new TypeError('"boot": "restore" would repeat a pulse after each restart.');
  return keptText("output", keeping, store, interval);
}

/** Makes a noun as `gpioOutputNoun` does, with a name of its own in the store. */
export function gpioOutputNounKeptAs(keeping: Keeping, options: GpioOutputOptions): Noun {
  const { default: initial = 0, boot = "default", exit = boot === "default" ? "default" : "as-is" } = options;
  for (const name of ["pulse", "lease", "interval", "rest"] as const) {
    const time = options[name];
    if (time !== "asked") checkDuration(name, time, 1);
  }
  const kept = boot === "restore" ? keepLevel(options, keeping) : undefined;
  const line = openOutputLeftAt(
    { ...options, value: keptLevel(kept) ?? initial, keepValue: boot === "as-is" },
    { ...(boot === "restore" && { restored: true }), ...(exit === "default" && { exit: initial }) },
  );
  const noun = new GpioOutputNoun({ line, clock: nounClock, ...(kept && { kept }) }, { ...options, exit });
  noun.name = keeping.name;
  followChip(noun);
  return describeNoun(noun, options);
}

/**
 * A noun for an output line. PUT sets the level, and so does a POST that names the key. A POST with `{}` toggles it.
 * @throws as `openOutput`; TypeError for `boot: "restore"` without a store, or with a pulse.
 *
 * @example
 * server.register("pump", gpioOutputNoun({ line: "GPIO17", key: "pump", lease: 30_000 }));
 */
export function gpioOutputNoun(options: GpioOutputOptions): Noun {
  const { key } = options;
  return gpioOutputNounKeptAs({ name: key, report: (error) => logError(key, error) }, options);
}
