/**
 * A noun for a shutter, an awning or a gate: two outputs, one to open and one to close, that are never active together.
 */

import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import type { When } from "../../core/noun/condition.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { checkDuration } from "../../core/noun/duration.ts";
import { byItself, type Changing, type EndSwitch, endSwitches, foresee } from "../../core/noun/inner-noun.ts";
import type { KeptText } from "../../core/noun/kept-text.ts";
import { leave, takeOver } from "../../core/noun/left-state.ts";
import type { Noun } from "../../core/noun/noun.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Line } from "../../native/gpio.ts";
import type { Clock } from "../../native/loop.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logError } from "../../platform/log.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { followChip, goneError } from "../open/gone-lines.ts";
import type { LineOptions } from "../open/line-options.ts";
import { openOutputPairLeftAt } from "../open/lines.ts";
import { goneRefusal, setLevel } from "./gone-refusal.ts";
import type { HardwareNoun } from "./hardware-noun.ts";
import { type Keeping, keptText } from "./keeping.ts";

/** The way from the present position to another one. */
type Direction = "open" | "close";

/** What `CoverNoun` needs. */
export interface CoverHardware {
  /** Both have been requested as outputs and are inactive. */
  readonly lines: { readonly [direction in Direction]: Line };
  readonly clock: Clock;
  /** Called when the noun closes. */
  readonly onClose?: () => void;
  /** Keeps the position while it stands, and "" while it moves. */
  readonly kept?: KeptText;
}

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
  /** How much longer a stroke to an end runs, in percent of the whole time; 10 if left out. */
  readonly overrun?: number;
  /** End switches: conditions on other nouns that hold while the cover is open, and while it is closed. */
  readonly stopAt?: StopAt;
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
 * The options of `coverNoun`.
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
  readonly open: LineOptions;
  /** The output that closes it. */
  readonly close: LineOptions;
  /** The store that keeps the position over a restart; without one it is unknown at the start. */
  readonly store?: Store;
  /** The name in the store; `cover` if left out. */
  readonly storedAs?: string;
}

/** ms between two events while it moves. */
const tickTime = 1_000;

/** ms after which an output that could not be made inactive is tried again. */
const retryTime = 1_000;

const opposite: { readonly [direction in Direction]: Direction } = { open: "close", close: "open" };

/** The position at the end of each direction. */
const endOf = { open: 100, close: 0 } as const;

const words: { readonly [direction in Direction]: string } = { open: "opening", close: "closing" };

const shape: Shape = {
  position: {
    type: "integer",
    minimum: 0,
    maximum: 100,
    unit: "%",
    nullable: true,
    optional: true,
    description: "0 is closed, 100 is open; null while nobody knows.",
  },
  moving: {
    type: "choice",
    values: ["opening", "closing", "stopped"],
    optional: true,
    description: "Which way it moves.",
  },
};

/** Where a word leads. */
const ends: { readonly [moving: string]: number } = { opening: 100, closing: 0 };

/** A move: where it ends, and since when it runs. */
interface Move {
  readonly direction: Direction;
  /** 0 to 100. */
  readonly target: number;
  /** Where it began; undefined if nobody knows. */
  readonly from: number | undefined;
  readonly began: number;
  /** When the output became active, or a move that runs already got this end: later in the same turn. */
  readonly active: number;
  /** When the output becomes inactive. */
  readonly end: number;
}

/**
 * PUT and POST of a position move there, `{"moving":"opening"}` and `{"moving":"closing"}` to an end;
 * `{"moving":"stopped"}` and DELETE stop; POST of `{}` is one button for everything: open, stop, close, stop. A move to
 * an end runs longer, so the position is right again afterwards. Without a known position it goes to an end first.
 */
export class CoverNoun implements HardwareNoun {
  readonly shape = shape;
  /** A move is a change of whoever has begun it. */
  readonly [byItself] = "nothing";
  readonly action = "Open, stop, close";
  readonly [endSwitches]?: readonly EndSwitch[];
  readonly homeAssistant = {
    component: "cover",
    position: "position",
    state: "moving",
    payload_stop: '{"moving":"stopped"}',
  } as const;
  private readonly hardware: CoverHardware;
  private readonly times: Required<Omit<CoverTimes, "stopAt">>;
  private readonly listeners = new ChangeListeners();
  /** Where it stands, or stood before it moved; undefined if nobody knows. */
  private position: number | undefined;
  private move: Move | undefined;
  /** Where it goes once it may. */
  private wanted: number | undefined;
  /** The direction of the last move, and until when the other output must stay inactive. */
  private last: Direction | undefined;
  private free = Number.NEGATIVE_INFINITY;
  private isGone = false;
  /** Whether the end switch of a direction is reached. */
  private readonly isAt = { open: false, close: false };
  private readonly alarm: Alarm;

  constructor(hardware: CoverHardware, times: CoverTimes) {
    this.hardware = hardware;
    const { stopAt = {}, ...durations } = times;
    this.times = { pause: 500, overrun: 10, ...durations };
    const switches = (["open", "close"] as const).flatMap((direction) => {
      const when = stopAt[direction];
      const reach = (isThere: boolean) => this.reach(direction, isThere);
      return when === undefined ? [] : [{ option: ["stopAt", direction], when, reach }];
    });
    if (switches.length > 0) this[endSwitches] = switches;
    this.alarm = new Alarm(hardware.clock, () => this.look());
    const kept = Number(hardware.kept?.text || Number.NaN);
    if (kept >= 0 && kept <= 100) this.position = kept;
    // What an earlier process has left moving stops now, somewhere.
    for (const line of Object.values(hardware.lines)) {
      if (line.isGone || line.getValue() === 0) continue;
      this.position = undefined;
      line.setValue(0);
    }
    this.free = this.instant + this.times.pause;
  }

  getState(): State {
    if (this.isGone) throw goneRefusal("line", 500);
    const { now } = this;
    const moving = this.move === undefined ? "stopped" : words[this.move.direction];
    return { position: now === undefined ? null : Math.round(now), moving };
  }

  setState(state: State): State {
    const { position = null, moving } = state;
    const end = ends[String(moving)];
    // The state that GET gives can be sent back.
    if (typeof position === "number" && end === undefined) return this.go(position);
    if (position !== null) throw new StateError("A cover moves to a position or to an end, not both.", "moving");
    if (moving === undefined) throw new StateError("A cover moves to a position from 0 to 100.", "position");
    return end === undefined ? this.deleteState() : this.go(end);
  }

  updateState(change: State): State {
    if (Object.keys(change).length > 0) return this.setState(change);
    if (this.move !== undefined || this.wanted !== undefined) return this.deleteState();
    return this.go(this.last === "open" || (this.last === undefined && this.position === 100) ? 0 : 100);
  }

  /** Stops where it is. */
  deleteState(): State {
    if (this.isGone) throw goneRefusal("line", 503);
    this.wanted = undefined;
    this.stop();
    this.listeners.tell();
    return this.getState();
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  [foresee](verb: Changing): State | undefined {
    return verb === "DELETE" ? { ...this.getState(), moving: "stopped" } : undefined;
  }

  /** A move does not go on in the next process; the position does. */
  [leave](): State {
    this.wanted = undefined;
    this.stop();
    this.hardware.kept?.flush();
    return { position: this.position ?? null, last: this.last ?? null };
  }

  [takeOver]({ position, last }: State): void {
    if (typeof position === "number" && position >= 0 && position <= 100) this.position = position;
    if (last === "open" || last === "close") this.last = last;
  }

  /** The chip of a line is gone. */
  lose(): void {
    this.isGone = true;
    this.alarm.stop();
    this.listeners.tell();
  }

  close(): void {
    const { lines, kept, onClose } = this.hardware;
    onClose?.();
    this.wanted = undefined;
    try {
      if (!this.isGone) this.stop();
    } finally {
      this.alarm.stop();
      kept?.flush();
      lines.open.close();
      lines.close.close();
    }
  }

  /** An end switch is reached, or not any more. At an end, the position is known, and nothing moves further. */
  private reach(direction: Direction, isThere: boolean): void {
    this.isAt[direction] = isThere;
    if (!isThere || this.isGone) return;
    if (this.move !== undefined && this.move.direction !== direction) return; // it is just leaving that end
    const wanted = this.wanted;
    try {
      this.stop();
    } finally {
      this.listeners.tell();
    }
    this.arrive(direction);
    this.wanted = wanted === endOf[direction] ? undefined : wanted;
    this.continue();
    this.listeners.tell();
  }

  /** It is at an end: an end switch says so. */
  private arrive(direction: Direction): void {
    this.position = endOf[direction];
    this.hardware.kept?.keep(String(this.position));
  }

  /** Where it is now; undefined if nobody knows. */
  private get now(): number | undefined {
    const { move } = this;
    if (move === undefined) return this.position;
    const { direction, target, from, began, end } = move;
    const time = this.hardware.clock.now();
    // Only its end tells where a move ends that began anywhere.
    if (from === undefined) return time >= end && (target === 0 || target === 100) ? target : undefined;
    const way = (100 * (time - began)) / this.timeOf(direction);
    return direction === "open" ? Math.min(target, from + way) : Math.max(target, from - way);
  }

  private timeOf(direction: Direction): number {
    return direction === "open" ? this.times.openTime : this.times.closeTime;
  }

  private go(position: number): State {
    if (this.isGone) throw goneRefusal("line", 503);
    this.wanted = position;
    this.continue();
    this.listeners.tell();
    return this.getState();
  }

  /** Begins the move that is wanted, or makes the way free for it. */
  private continue(): void {
    const { wanted, hardware } = this;
    if (wanted === undefined) return;
    const { now } = this;
    // From anywhere, it goes to the nearer end first.
    const target = now === undefined ? (wanted > 50 ? 100 : 0) : wanted;
    const direction: Direction =
      now === undefined ? (target === 100 ? "open" : "close") : now < target ? "open" : "close";
    if (now === target && target !== 0 && target !== 100) {
      this.stop();
      this.wanted = undefined;
      return;
    }
    const towards = target === 100 ? "open" : target === 0 ? "close" : direction;
    if (this.isAt[towards]) {
      this.stop();
      this.arrive(towards);
      this.wanted = target === wanted || wanted === endOf[towards] ? undefined : wanted;
      // From an end that was not known as such, there is one way.
      if (this.isAt[opposite[towards]]) this.wanted = undefined;
      this.continue();
      return;
    }
    if (this.move !== undefined && this.move.direction !== towards) this.stop();
    const time = hardware.clock.now();
    if (this.move === undefined && towards !== this.last && time < this.free) {
      this.alarm.set(this.free);
      return;
    }
    this.begin(towards, target, now);
    if (target === wanted) this.wanted = undefined;
  }

  private begin(direction: Direction, target: number, from: number | undefined): void {
    const { lines, clock, kept } = this.hardware;
    const whole = this.timeOf(direction);
    const way = from === undefined ? 100 : Math.abs(target - from);
    const isEnd = target === 0 || target === 100;
    const time = clock.now();
    const end = time + (whole * way) / 100 + (isEnd ? (whole * this.times.overrun) / 100 : 0);
    if (this.move === undefined) {
      kept?.keep("");
      // The other one is inactive already; it is said again, because this is what must never fail. In one request, the
      // next call says it, too.
      setLevel(lines[opposite[direction]], 0);
      setLevel(lines[direction], 1);
    }
    this.move = { direction, target, from, began: time, active: this.instant, end };
    this.last = direction;
    this.alarm.move(Math.min(end, time + tickTime));
  }

  /** Makes both outputs inactive. @throws Error when the kernel refuses; then it is tried again. */
  private stop(): void {
    const { move, hardware } = this;
    if (move === undefined) return;
    const { lines, clock, kept } = hardware;
    this.alarm.set(clock.now() + retryTime);
    let position = this.now;
    setLevel(lines[move.direction], 0);
    this.alarm.stop();
    this.free = this.instant + this.times.pause;
    const { direction, target, from, active } = move;
    if (from !== undefined && target !== endOf[direction]) {
      // It ran for a moment longer than it was to, or shorter. These moments would add up.
      const way = (100 * (this.instant - active)) / this.timeOf(direction);
      position = Math.max(0, Math.min(100, direction === "open" ? from + way : from - way));
    }
    this.position = position;
    this.move = undefined;
    kept?.keep(position === undefined ? "" : String(Math.round(position * 10) / 10));
  }

  /** ms by the clock, which stands still in a turn. A turn may take long on a small device. */
  private get instant(): number {
    const { clock } = this.hardware;
    return clock.now() + Math.ceil(clock.turnTime());
  }

  private look(): void {
    const time = this.hardware.clock.now();
    const { move } = this;
    if (move !== undefined && time < move.end) {
      this.alarm.set(Math.min(move.end, time + tickTime));
      this.listeners.tell();
      return;
    }
    this.stop();
    this.continue();
    this.listeners.tell();
  }
}

/** Makes a noun as `coverNoun` does, with a name of its own in the store. */
export function coverNounKeptAs(keeping: Keeping, options: CoverOptions): Noun {
  const { open, close, store, overrun = 10 } = options;
  for (const time of ["openTime", "closeTime", "pause"] as const) checkDuration(time, options[time], 1);
  if (!(overrun >= 0 && overrun <= 100)) throw new RangeError("The overrun of a cover is 0 to 100 percent.");
  const kept = store && keptText("cover", keeping, store, 1);
  const [opening, closing] = openOutputPairLeftAt(open, close, { exit: 0 });
  const lines = { open: opening, close: closing };
  const lose = (line: Line) => () => {
    keeping.report(goneError(line));
    noun.lose();
  };
  const ends = Object.values(lines).map((line) => followChip(line, lose(line)));
  const onClose = () => {
    for (const end of ends) end();
  };
  const noun = new CoverNoun({ lines, clock: nounClock, onClose, ...(kept && { kept }) }, options);
  return describeNoun(noun, options);
}

/**
 * A noun for a shutter, an awning or a gate on two output lines, which are never active together.
 * @throws as `openOutput`; RangeError for a time or an overrun out of range.
 *
 * @example
 * const blind = { open: { line: "GPIO17" }, close: { line: "GPIO18" }, openTime: 21_000, closeTime: 19_500 };
 * server.register("blind", coverNoun(blind));
 */
export function coverNoun(options: CoverOptions): Noun {
  const { storedAs: name = "cover" } = options;
  return coverNounKeptAs({ name, report: (error) => logError(name, error) }, options);
}
