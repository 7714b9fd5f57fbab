/**
 * A noun for a shutter, an awning or a gate: two outputs, one to open and one to close, that are never active together.
 */

import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import type { When } from "../../core/noun/condition.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { checkDuration } from "../../core/noun/duration.ts";
import {
  byItself,
  type Changing,
  type EndSwitch,
  endSwitches,
  foresee,
  leadsToDefault,
} from "../../core/noun/inner-noun.ts";
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
import { logError, logFailure } from "../../platform/log.ts";
import { nounClock } from "../../platform/noun-clock.ts";
import { followChip, goneError } from "../open/gone-lines.ts";
import type { LineOptions } from "../open/line-options.ts";
import { openOutputPairLeftAt } from "../open/lines.ts";
import { instantOf, lineOutput, type Motor, type Output, TwoWayMotor } from "./cover-motor.ts";
import {
  type Direction,
  endOf,
  opposite,
  type Place,
  type TravelTimes,
  timeToPosition,
  travelled,
} from "./cover-travel.ts";
import { goneRefusal } from "./gone-refusal.ts";
import type { HardwareNoun } from "./hardware-noun.ts";
import { type Keeping, keptText } from "./keeping.ts";

/** What `CoverNoun` needs. */
export interface CoverHardware {
  /** Both are inactive. */
  readonly outputs: { readonly [direction in Direction]: Output };
  readonly clock: Clock;
  /** Receives each failure, as a sentence. */
  readonly report?: (sentence: string) => void;
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

/** How far a position may be from an end whose switch reports, or from where it was to be, in percent. */
const near = 5;

/** What is no difference, in percent: a motor stops a moment too late. */
const rest = 1;

const words: { readonly [direction in Direction]: string } = { open: "opening", close: "closing" };

const directions = ["open", "close"] as const;

/** What is wrong with a cover, in sentences that its state shows. */
const failures = {
  missing: "It did not reach its end switch in time.",
  stuck: "An end switch reports where the cover cannot be.",
} as const;

type Failure = (typeof failures)[keyof typeof failures];

function shapeOf(hasFailures: boolean): Shape {
  return {
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
      description: "Which way it moves, or will move when the pause is over.",
    },
    ...(hasFailures && {
      failure: {
        type: "choice",
        values: Object.values(failures),
        nullable: true,
        optional: true,
        diagnostic: true,
        homeAssistant: { platform: "sensor" },
        description: "Why the position is unknown; null if nothing is wrong. A request may repeat it.",
      },
    }),
  };
}

/** Where a word leads. */
const ends: { readonly [moving: string]: number } = { opening: 100, closing: 0 };

/** Where it goes. */
interface Goal {
  readonly position: number;
}

/** One run of the motor towards a goal. */
interface Run {
  readonly direction: Direction;
  /** The position where it ends. */
  readonly to: number;
  /** Whether it ends beyond an end of the way, which makes the position right. */
  readonly isToEnd: boolean;
  /** Whether its time is over. */
  isOver: boolean;
}

/**
 * PUT and POST of a position move there, `{"moving":"opening"}` and `{"moving":"closing"}` to an end;
 * `{"moving":"stopped"}` and DELETE stop; POST of `{}` is one button for everything: open, stop, close, stop. A move to
 * an end runs longer, so the position is right again afterwards. Without a known position it goes to an end first.
 */
export class CoverNoun implements HardwareNoun {
  readonly shape: Shape;
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
  private readonly times: TravelTimes & { readonly overrun: number; readonly pause: Milliseconds };
  private readonly motor: Motor;
  private readonly listeners = new ChangeListeners();
  /** Where it stands, or stood when the motor began to run. */
  private place: Place = { position: undefined, tilt: undefined };
  /** Which way the motor runs, and since when it does that, or stands. */
  private running: Direction | undefined;
  private since: number;
  private goal: Goal | undefined;
  /** The position of a goal that it has come to and not left. */
  private reached: number | undefined;
  private run: Run | undefined;
  private last: Direction | undefined;
  private isGone = false;
  /** Whether the end switch of a direction reports; undefined without one. */
  private readonly isAt: { [direction in Direction]: boolean | undefined } = { open: undefined, close: undefined };
  private failure: Failure | null = null;
  /** When the run ends, in ms by the clock. */
  private ends = 0;
  private readonly alarm: Alarm;

  constructor(hardware: CoverHardware, times: CoverTimes) {
    this.hardware = hardware;
    const { outputs, clock, kept } = hardware;
    const { stopAt = {}, ...durations } = times;
    this.times = { pause: 500, overrun: 10, startDelay: 0, tiltTime: 0, ...durations };
    const switches = directions.flatMap((direction) => {
      const when = stopAt[direction];
      if (when === undefined) return [];
      this.isAt[direction] = false;
      const reach = (isThere: boolean) => this.reach(direction, isThere);
      return [{ option: ["stopAt", direction], when, reach }];
    });
    if (switches.length > 0) this[endSwitches] = switches;
    this.shape = shapeOf(switches.length > 0);
    this.alarm = new Alarm(clock, () => this.look());
    this.restore(Number(kept?.text || Number.NaN));
    // What an earlier process has left moving stops now, somewhere.
    for (const output of Object.values(outputs)) {
      if (!output.isLeftActive) continue;
      this.place = { ...this.place, position: undefined };
      output.set(0);
    }
    this.since = instantOf(clock);
    this.motor = new TwoWayMotor(outputs, clock, this.times.pause, {
      onRun: (running, at) => this.turned(running, at),
      onRefused: () => this.refused(),
    });
  }

  getState(): State {
    if (this.isGone) throw goneRefusal("line", 500);
    const direction = this.heading;
    return {
      position: this.shown(this.now) ?? null,
      moving: direction === undefined ? "stopped" : words[direction],
      ...(this[endSwitches] && { failure: this.failure }),
    };
  }

  setState(state: State): State {
    if (this.isGone) throw goneRefusal("line", 503);
    if (this.isAsItIs(state)) return this.getState();
    const goal = this.goalOf(state);
    return goal === undefined ? this.stop() : this.go(goal);
  }

  updateState(change: State): State {
    if (Object.keys(change).length > 0) return this.setState(change);
    if (this.heading !== undefined) return this.stop();
    const isOpen = this.last === "open" || (this.last === undefined && this.shown(this.now) === 100);
    return this.setState({ moving: isOpen ? "closing" : "opening" });
  }

  /** Stops where it is. */
  deleteState(): State {
    if (this.isGone) throw goneRefusal("line", 503);
    return this.stop();
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  [foresee](verb: Changing): State | undefined {
    return verb === "DELETE" ? { ...this.getState(), moving: "stopped" } : undefined;
  }

  [leadsToDefault](state: State): boolean {
    const { position, moving } = state;
    if (typeof position === "number") return position === this.shown(this.now) && ends[String(moving)] === undefined;
    return moving === "stopped";
  }

  /** A move does not go on in the next process; the position does. */
  [leave](): State {
    this.halt();
    this.hardware.kept?.flush();
    return { position: this.place.position ?? null, last: this.last ?? null };
  }

  [takeOver]({ position, last }: State): void {
    if (typeof position === "number") this.restore(position);
    if (last === "open" || last === "close") this.last = last;
  }

  /** The chip of a line is gone. */
  lose(): void {
    this.isGone = true;
    this.alarm.stop();
    this.motor.close();
    this.listeners.tell();
  }

  close(): void {
    const { kept, onClose } = this.hardware;
    try {
      if (!this.isGone) this.halt();
    } finally {
      this.alarm.stop();
      this.motor.close();
      kept?.flush();
      onClose?.();
    }
  }

  /** It was at a position when an earlier process ended. Where a switch must report, only that counts. */
  private restore(position: number): void {
    const isAtSwitch = directions.some((end) => this.isAt[end] !== undefined && endOf[end] === position);
    if (position >= 0 && position <= 100 && !isAtSwitch) this.place = { ...this.place, position };
  }

  /** Which way it moves, or will when it may. */
  private get heading(): Direction | undefined {
    return this.running ?? (this.goal && this.nextRun(this.goal)?.direction);
  }

  /** Where it is now. */
  private get now(): Place {
    const { running, place, since, run } = this;
    if (running === undefined) return place;
    const time = Math.max(0, this.hardware.clock.now() - since);
    const { position } = travelled(place, running, time, this.times);
    if (position === undefined || run === undefined || run.isToEnd || run.isOver) return { ...place, position };
    return { ...place, position: running === "open" ? Math.min(position, run.to) : Math.max(position, run.to) };
  }

  /** @returns the position that is known for sure, as a whole number; undefined if nobody knows. */
  private shown({ position }: Place): number | undefined {
    if (position === undefined || (this.isAt.open && this.isAt.close)) return undefined;
    const reporting = directions.find((direction) => this.isAt[direction]);
    if (reporting !== undefined && Math.abs(position - endOf[reporting]) > near) return undefined;
    const whole = this.reachedNear(position, rest) ?? Math.round(position);
    const end = directions.find((direction) => endOf[direction] === whole);
    // An end is known only while its switch reports.
    return end !== undefined && this.isAt[end] === false ? Math.abs(whole - 1) : whole;
  }

  /** @returns the position of the last goal, if the cover came there and still is, but for a difference in percent. */
  private reachedNear(position: number, difference: number): number | undefined {
    const { reached } = this;
    return reached !== undefined && Math.abs(position - reached) <= difference ? reached : undefined;
  }

  /** @returns whether a state is the one that GET gives, which can be sent back: nothing moves, and nothing stops. */
  private isAsItIs({ position, moving }: State): boolean {
    const now = this.getState();
    return position === now["position"] && moving === now["moving"];
  }

  /** @returns where a state leads; undefined to stop. @throws StateError when it leads nowhere, or to two places. */
  private goalOf({ position = null, moving }: State): Goal | undefined {
    const end = ends[String(moving)];
    if (typeof position === "number" && end === undefined) return { position };
    if (position !== null) throw new StateError("A cover moves to a position or to an end, not both.", "moving");
    if (moving === undefined) throw new StateError("A cover moves to a position from 0 to 100.", "position");
    return end === undefined ? undefined : { position: end };
  }

  private stop(): State {
    try {
      this.halt();
    } finally {
      this.listeners.tell();
    }
    return this.getState();
  }

  private go(goal: Goal): State {
    // What is on its way there goes on.
    if (goal.position !== this.goal?.position) this.goal = goal;
    try {
      this.continue();
    } catch (error) {
      this.goal = undefined;
      throw error;
    } finally {
      this.listeners.tell();
    }
    return this.getState();
  }

  /** Stops, and goes nowhere. */
  private halt(): void {
    this.goal = undefined;
    this.motor.run(undefined);
    this.keep();
  }

  /** An end switch reports, or does not any more. At an end, the position is known, and nothing moves further. */
  private reach(direction: Direction, isThere: boolean): void {
    this.isAt[direction] = isThere;
    if (this.isGone) return;
    const isLeaving = this.running === opposite[direction];
    if (!isThere) this.leaveEnd(direction);
    else if (!isLeaving) this.arrive(direction);
    this.listeners.tell();
  }

  /** An end switch does not report any more. */
  private leaveEnd(direction: Direction): void {
    const { running, hardware, run } = this;
    if (this.failure === failures.stuck) this.failure = null;
    const { position } = this.now;
    if (position === undefined) return;
    const isNear = Math.abs(position - endOf[direction]) <= near;
    // Of itself, it leaves an end by its motor, also while that comes to rest.
    const isRolling = running === undefined && instantOf(hardware.clock) - this.since <= this.times.pause;
    const isLeaving = running === opposite[direction] || (isRolling && this.last === opposite[direction]);
    if (isNear && isLeaving) return;
    this.place = { ...this.place, position: undefined };
    if (isLeaving) this.fail(failures.stuck);
    if (run?.isToEnd) this.setAlarm(); // it may need the whole time
    this.keep();
  }

  /** It is at an end: its switch says so. */
  private arrive(direction: Direction): void {
    const { goal } = this;
    this.motor.run(undefined);
    const isSure = !this.isAt[opposite[direction]];
    this.place = { ...this.place, position: isSure ? endOf[direction] : undefined };
    this.failure = null;
    this.goal = isSure && goal?.position !== endOf[direction] ? goal : undefined;
    if (!isSure) this.fail(failures.stuck);
    this.continue();
  }

  /** Keeps the position while it stands. */
  private keep(): void {
    const { position } = this.place;
    const isKnown = this.running === undefined && this.goal === undefined && position !== undefined;
    this.hardware.kept?.keep(isKnown ? String(Math.round(position * 10) / 10) : "");
  }

  /** Begins the run that leads to the goal, or stops there. */
  private continue(): void {
    const { goal, hardware } = this;
    this.run = goal && this.nextRun(goal);
    if (this.run === undefined) {
      this.halt();
      return;
    }
    hardware.kept?.keep("");
    this.motor.run(this.run.direction);
    this.setAlarm();
  }

  /** @returns what the motor has to do next; undefined if it is at its goal. */
  private nextRun({ position }: Goal): Run | undefined {
    const now = this.shown(this.now);
    // From anywhere, it goes to the nearer end first.
    const to = now === undefined ? (position > 50 ? 100 : 0) : position;
    const isToEnd = to === 0 || to === 100;
    // A run to an end goes on until its time is over.
    const { run } = this;
    if (isToEnd && run?.isToEnd && run.to === to && this.running === run.direction && !run.isOver) return run;
    if (now === to || (now !== undefined && this.reachedNear(now, near) === to)) return undefined;
    return {
      direction: isToEnd ? (to === 100 ? "open" : "close") : (now ?? 0) < to ? "open" : "close",
      to,
      isToEnd,
      isOver: false,
    };
  }

  /** Sets the alarm for the end of the run, or for the next event. */
  private setAlarm(): void {
    const { run, running, place, since, times, hardware } = this;
    if (run === undefined || running !== run.direction) return;
    const whole = running === "open" ? times.openTime : times.closeTime;
    const time = timeToPosition(place, running, run.to, times) + (run.isToEnd ? (whole * times.overrun) / 100 : 0);
    const now = hardware.clock.now();
    this.ends = Math.max(now, since + time);
    this.alarm.move(Math.min(this.ends, now + tickTime));
  }

  /** The motor runs another way, or has stopped. */
  private turned(running: Direction | undefined, at: number): void {
    const { running: before, run } = this;
    if (before !== undefined) this.settle(before, at);
    this.running = running;
    this.since = at;
    if (running !== undefined) {
      this.reached = undefined;
      this.last = running;
      this.setAlarm();
    } else {
      this.alarm.stop();
      if (run?.isOver) {
        if (this.goal?.position === run.to) {
          this.goal = undefined;
          this.reached = run.to;
        }
        this.continue();
      } else this.keep();
    }
    this.listeners.tell();
  }

  /** The motor does not begin to run. */
  private refused(): void {
    this.goal = undefined;
    this.keep();
    this.listeners.tell();
  }

  /** Notes where it is after a run. */
  private settle(direction: Direction, at: number): void {
    const { run, isAt, times } = this;
    this.place = { ...this.place, ...travelled(this.place, direction, at - this.since, times) };
    if (run?.isToEnd && run.isOver) {
      const isThere = isAt[direction] !== false;
      this.place = { ...this.place, position: isThere ? run.to : undefined };
      this.failure = null;
      if (!isThere) this.giveUp(failures.missing);
    }
    // What reports elsewhere is wrong, or the motor did not move.
    if (this.place.position === undefined || this.shown(this.place) !== undefined) return;
    this.place = { ...this.place, position: undefined };
    this.giveUp(failures.stuck);
  }

  private giveUp(failure: Failure): void {
    this.goal = undefined;
    this.fail(failure);
  }

  private fail(failure: Failure): void {
    this.failure = failure;
    this.hardware.report?.(failure);
  }

  /** Its time is over, or another event is due. */
  private look(): void {
    const { run, hardware } = this;
    const now = hardware.clock.now();
    if (run === undefined) return;
    if (now < this.ends) {
      this.alarm.set(Math.min(this.ends, now + tickTime));
      this.listeners.tell();
      return;
    }
    run.isOver = true;
    this.motor.run(undefined);
  }
}

/** Makes a noun as `coverNoun` does, with a name of its own in the store. */
export function coverNounKeptAs(keeping: Keeping, options: CoverOptions): Noun {
  const { open, close, store, overrun = 10 } = options;
  for (const time of ["openTime", "closeTime", "pause"] as const) checkDuration(time, options[time], 1);
  if (!(overrun >= 0 && overrun <= 100)) throw new RangeError("The overrun of a cover is 0 to 100 percent.");
  const kept = store && keptText("cover", keeping, store, 1);
  const [opening, closing] = openOutputPairLeftAt(open, close, { exit: 0 });
  const lose = (line: Line) => () => {
    keeping.report(goneError(line));
    noun.lose();
  };
  const unfollow = [opening, closing].map((line) => followChip(line, lose(line)));
  const onClose = () => {
    for (const end of unfollow) end();
    opening.close();
    closing.close();
  };
  const outputs = { open: lineOutput(opening), close: lineOutput(closing) };
  const report = (sentence: string) => logFailure(keeping.name, sentence);
  const noun = new CoverNoun({ outputs, clock: nounClock, report, onClose, ...(kept && { kept }) }, options);
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
