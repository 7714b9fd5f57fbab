/**
 * A noun for a shutter, an awning or a gate: two outputs, one to open and one to close, that are never active together.
 */

import { comeToRest, type DrivenNoun, drivenNouns } from "../../core/feeds/driven-noun.ts";
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import type { When } from "../../core/noun/condition.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { checkDuration } from "../../core/noun/duration.ts";
import type { HomeAssistantOptions } from "../../core/noun/home-assistant.ts";
import type { KeptText } from "../../core/noun/kept-text.ts";
import { leave, takeOver } from "../../core/noun/left-state.ts";
import type { Noun } from "../../core/noun/noun.ts";
import {
  byItself,
  type Changing,
  type EndSwitch,
  endSwitches,
  foresee,
  leadsToDefault,
} from "../../core/noun/noun-traits.ts";
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
import { openOutputLeftAt, openOutputPairLeftAt } from "../open/lines.ts";
import { OneButtonMotor } from "./cover-button.ts";
import { instantOf, type Motor, type MotorEvents, TwoWayMotor } from "./cover-motor.ts";
import { type CoverOutput, lineOutput, NounOutput } from "./cover-output.ts";
import {
  type Direction,
  endOf,
  opposite,
  type Place,
  type TravelTimes,
  timeToPosition,
  timeToTilt,
  travelled,
} from "./cover-travel.ts";
import { goneRefusal } from "./gone-refusal.ts";
import type { HardwareNoun } from "./hardware-noun.ts";
import { type Keeping, keptText } from "./keeping.ts";

/** What `CoverNoun` needs. */
export interface CoverHardware {
  /** Makes the motor, which stands still. @param pause of the options. */
  readonly motor: (events: MotorEvents, pause: Milliseconds) => Motor;
  readonly clock: Clock;
  /** Whether an earlier process has left it moving. */
  readonly wasMoving?: boolean;
  /** The nouns that the motor sets. */
  readonly driven?: readonly DrivenNoun[];
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

/** ms between two events while it moves. */
const tickTime = 1_000;

/** How far a position may be from an end whose switch reports, or from where it was to be, in percent. */
const near = 5;

/** What is no difference, in percent: a motor stops a moment too late. */
const rest = 1;

/** How often slats are turned by time alone. Then they are turned to an end first, because moments add up. */
const mostTurns = 4;

const words: { readonly [direction in Direction]: string } = { open: "opening", close: "closing" };

const directions = ["open", "close"] as const;

/** What is wrong with a cover, in sentences that its state shows. */
const failures = {
  missing: "It did not reach its end switch in time.",
  stuck: "An end switch reports where the cover cannot be.",
  refused: "An output was not set, or something else has set it.",
} as const;

type Failure = (typeof failures)[keyof typeof failures];

function shapeOf(hasSlats: boolean, hasFailures: boolean): Shape {
  const share = { type: "integer", minimum: 0, maximum: 100, unit: "%", nullable: true, optional: true } as const;
  const description = "0 is closed, 100 is open; null while nobody knows.";
  return {
    position: { ...share, description },
    ...(hasSlats && { tilt: { ...share, description: `Of the slats: ${description}` } }),
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
        description: "Why the position is unknown; null if nothing is wrong. A PUT may repeat it.",
      },
    }),
  };
}

const inHomeAssistant = {
  component: "cover",
  position: "position",
  state: "moving",
  payload_stop: '{"moving":"stopped"}',
} as const;

/** Where a word leads. */
const ends: { readonly [moving: string]: number } = { opening: 100, closing: 0 };

const nowhere: Place = { position: undefined, tilt: undefined };

type Part = "position" | "tilt";

/** A goal, or what is left of it. */
type Parts = { readonly [part in Part]?: number | undefined };

/** One run of the motor towards a goal. */
interface Run {
  readonly direction: Direction;
  readonly part: Part;
  /** The position or the tilt where it ends. */
  readonly to: number;
  /** Whether it runs longer, to an end, which makes the position or the tilt right. */
  readonly isToEnd: boolean;
  /** Whether its time is over. */
  isOver: boolean;
}

function runTo(part: Part, direction: Direction, to: number, isToEnd: boolean): Run {
  return { part, direction, to, isToEnd, isOver: false };
}

/** @returns the direction of an end. */
function towards(end: number): Direction {
  return end === 100 ? "open" : "close";
}

function share(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 100 ? value : undefined;
}

/**
 * PUT and POST of a position move there, `{"moving":"opening"}` and `{"moving":"closing"}` to an end;
 * `{"moving":"stopped"}` stops; POST of `{}` is one button for everything: open, stop, close, stop. A move to an end
 * runs longer, so the position is right again afterwards. Without a known position it goes to an end first.
 */
export class CoverNoun implements HardwareNoun {
  readonly shape: Shape;
  readonly updateShape?: Shape;
  /** A move is a change of whoever has begun it. */
  readonly [byItself] = "nothing";
  readonly action = "Open, stop, close";
  readonly [endSwitches]?: readonly EndSwitch[];
  readonly [drivenNouns]?: readonly DrivenNoun[];
  readonly homeAssistant: HomeAssistantOptions;
  private readonly hardware: CoverHardware;
  private readonly times: TravelTimes & { readonly overrun: number; readonly pause: Milliseconds };
  /** Where a DELETE leads; undefined to stop. */
  private readonly home: CoverGoal | undefined;
  private readonly motor: Motor;
  private readonly listeners = new ChangeListeners();
  /** Where it stands, or stood when the motor began to run. */
  private place = nowhere;
  /** Which way the motor runs, and since when it does that, or stands. */
  private running: Direction | undefined;
  private since: number;
  private goal: Parts | undefined;
  /** What it has come to of the last goal, and not left. */
  private reached: Parts = {};
  /** How often the slats were turned since they were at an end for sure. */
  private turns = 0;
  private run: Run | undefined;
  /** When the run ends, in ms by the clock. */
  private ends = 0;
  private last: Direction | undefined;
  /** The direction in which an update has stopped it, perhaps before its motor ran. */
  private stopped: Direction | undefined;
  private isGone = false;
  /** Whether it moves no more, because the program ends. */
  private isEnding = false;
  /** Whether the end switch of a direction reports; undefined without one. */
  private readonly isAt: { [direction in Direction]: boolean | undefined } = { open: undefined, close: undefined };
  /** The end switch that began to report last. */
  private latest: Direction | undefined;
  private failure: Failure | null = null;
  private readonly alarm: Alarm;
  /** Called when the motor stands, and none of its outputs is active. */
  private rests: (() => void)[] = [];

  constructor(hardware: CoverHardware, times: CoverTimes) {
    this.hardware = hardware;
    const { motor, clock, kept, driven, wasMoving = false } = hardware;
    const { stopAt = {}, default: home, pause = 500, overrun = 10, startDelay = 0, tiltTime = 0 } = times;
    const { openTime, closeTime } = times;
    this.times = { openTime, closeTime, pause, overrun, startDelay, tiltTime };
    this.home = home;
    const switches = directions.flatMap((direction) => {
      const when = stopAt[direction];
      if (when === undefined) return [];
      this.isAt[direction] = false;
      const reach = (isThere: boolean) => this.reach(direction, isThere);
      return [{ option: ["stopAt", direction], when, reach }];
    });
    if (switches.length > 0) this[endSwitches] = switches;
    if (driven !== undefined) this[drivenNouns] = driven;
    this.shape = shapeOf(tiltTime > 0, switches.length > 0 || driven !== undefined);
    if (this.shape["failure"] !== undefined) this.updateShape = shapeOf(tiltTime > 0, false);
    this.homeAssistant = { ...inHomeAssistant, ...(tiltTime > 0 && { tilt: "tilt" }) };
    this.alarm = new Alarm(clock, () => this.look());
    const [position, tilt] = wasMoving ? [] : (kept?.text || "-").split(" ").map(Number);
    this.restore(position, tilt);
    this.since = instantOf(clock);
    const events: MotorEvents = {
      onRun: (running, at) => this.turned(running, at),
      onRefused: (isDoubtful) => this.refused(isDoubtful),
      onRest: () => this.rest(),
    };
    this.motor = motor(events, pause);
  }

  getState(): State {
    if (this.isGone) throw goneRefusal("line", 500);
    const { now, heading, shape } = this;
    return {
      position: this.shown(now) ?? null,
      ...(this.times.tiltTime > 0 && { tilt: this.shownTilt(now) ?? null }),
      moving: heading === undefined ? "stopped" : words[heading],
      ...(shape["failure"] && { failure: this.failure }),
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
    const { heading } = this;
    if (heading !== undefined) {
      this.stopped = heading;
      return this.setState({ moving: "stopped" });
    }
    const last = this.stopped ?? this.last;
    const isOpen = last === "open" || (last === undefined && this.shown(this.now) === 100);
    return this.setState({ moving: isOpen ? "closing" : "opening" });
  }

  /** Stops where it is, or moves to its default. */
  deleteState(): State {
    if (this.isGone) throw goneRefusal("line", 503);
    return this.home === undefined ? this.stop() : this.go(this.home);
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  [foresee](verb: Changing): State | undefined {
    if (verb !== "DELETE") return undefined;
    const heading = this.home && (this.running ?? this.nextRun(this.home)?.direction);
    return { ...this.getState(), moving: heading === undefined ? "stopped" : words[heading] };
  }

  [leadsToDefault](state: State): boolean {
    if (this.isAsItIs(state)) return true;
    const { home } = this;
    let goal: CoverGoal | undefined;
    try {
      goal = this.goalOf(state);
    } catch {
      return false;
    }
    if (goal === undefined) return home === undefined;
    if (home === undefined) return this.heading === undefined && this.nextRun(goal) === undefined;
    return goal.position === home.position && (goal.tilt ?? home.tilt) === home.tilt;
  }

  /** A move does not go on in the next process; the position does, if the motor stands already. */
  [leave](): State {
    this.halt();
    this.hardware.kept?.flush();
    const { position = null, tilt = null } = this.running === undefined ? this.place : {};
    return { position, tilt, last: this.last ?? null };
  }

  [takeOver]({ position, tilt, last }: State): void {
    this.restore(position, tilt);
    if (last !== "open" && last !== "close") return;
    this.last = last;
    this.motor.resume?.(last);
  }

  async [comeToRest](isForGood: boolean): Promise<void> {
    if (this.isGone) return;
    this.isEnding ||= isForGood;
    const rested = new Promise<void>((resolve) => void this.rests.push(resolve));
    try {
      this.halt();
    } catch (error) {
      this.hardware.report?.(`It does not stop: ${error instanceof Error ? error.message : ""}`);
    }
    await rested;
  }

  /** The chip of a line is gone. */
  lose(): void {
    this.isGone = true;
    this.alarm.stop();
    this.motor.close();
    this.rest();
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

  /** It was there when an earlier process ended. Where a switch must report, only that counts. */
  private restore(position: unknown, tilt: unknown): void {
    const isAtSwitch = directions.some((end) => this.isAt[end] !== undefined && endOf[end] === position);
    this.place = { position: isAtSwitch ? undefined : share(position), tilt: share(tilt) };
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
    const now = travelled(place, running, time, this.times);
    const value = run && now[run.part];
    if (run === undefined || value === undefined || run.isToEnd || run.isOver) return now;
    return { ...now, [run.part]: running === "open" ? Math.min(value, run.to) : Math.max(value, run.to) };
  }

  /** @returns the position that is known for sure, as a whole number; undefined if nobody knows. */
  private shown({ position }: Place): number | undefined {
    if (position === undefined || (this.isAt.open && this.isAt.close)) return undefined;
    const reporting = directions.find((direction) => this.isAt[direction]);
    if (reporting !== undefined && Math.abs(position - endOf[reporting]) > near) return undefined;
    if (reporting !== undefined && this.running === undefined) return endOf[reporting];
    const whole = this.reachedNear("position", position, rest) ?? Math.round(position);
    const end = directions.find((direction) => endOf[direction] === whole);
    // An end is known only while its switch reports.
    return end !== undefined && this.isAt[end] === false ? Math.abs(whole - 1) : whole;
  }

  private shownTilt({ tilt }: Place): number | undefined {
    return tilt === undefined ? undefined : (this.reachedNear("tilt", tilt, rest) ?? Math.round(tilt));
  }

  /** @returns what it has come to of the last goal, if it still is there, but for a difference in percent. */
  private reachedNear(part: Part, value: number | undefined, difference: number): number | undefined {
    const reached = this.reached[part];
    return Math.abs((value ?? Number.NaN) - (reached ?? Number.NaN)) <= difference ? reached : undefined;
  }

  /** @returns whether a state is the one that GET gives, which can be sent back: nothing moves, and nothing stops. */
  private isAsItIs(state: State): boolean {
    const now = this.getState();
    return ["position", "tilt", "moving"].every((key) => state[key] === now[key]);
  }

  /** @returns where a state leads; undefined to stop. @throws StateError when it leads nowhere, or to two places. */
  private goalOf({ position = null, tilt = null, moving }: State): CoverGoal | undefined {
    const end = ends[String(moving)];
    const parts = Object.entries({ position, tilt }).filter(([, value]) => value !== null);
    if (parts.length > 0 && end !== undefined) {
      throw new StateError("A cover moves to a position or to an end, not both.", "moving");
    }
    if (parts.length > 0) return Object.fromEntries(parts) as CoverGoal;
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

  private go(goal: CoverGoal): State {
    if (this.isEnding) return this.stop();
    this.goal = goal;
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

  private rest(): void {
    for (const resolve of this.rests.splice(0)) resolve();
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
    this.motor.onSwitch?.(direction, isThere);
    const other = opposite[direction];
    if (isThere) this.latest = direction;
    if (!isThere) this.leaveEnd(direction);
    else if (this.running !== other) this.arrive(direction);
    // Of two that reported, the later one is right if it stays: the other one may be stuck.
    if (!isThere && this.isAt[other] && this.latest === other && this.running === undefined) this.arrive(other);
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
    this.place = nowhere;
    if (isLeaving) this.fail(failures.stuck);
    if (run?.isToEnd) this.setAlarm(); // it may need the whole time
    this.keep();
  }

  /** It is at an end: its switch says so. */
  private arrive(direction: Direction): void {
    const { goal } = this;
    this.halt();
    const isSure = !this.isAt[opposite[direction]];
    this.place = isSure ? { ...this.place, position: endOf[direction] } : nowhere;
    this.failure = null;
    this.goal = isSure ? goal : undefined;
    if (!isSure) this.fail(failures.stuck);
    this.continue();
  }

  /** Keeps the position while it stands. */
  private keep(): void {
    const { position, tilt } = this.place;
    const isKnown = this.running === undefined && this.goal === undefined && position !== undefined;
    const parts = tilt === undefined ? [position] : [position, tilt];
    const text = parts.map((value = 0) => Math.round(value * 10) / 10).join(" ");
    this.hardware.kept?.keep(isKnown ? text : "");
  }

  /** Begins the run that leads to the goal, or stops there. */
  private continue(): void {
    const { goal, hardware } = this;
    const run = goal && this.nextRun(goal);
    if (run === undefined) {
      this.halt();
      return;
    }
    this.run = run;
    hardware.kept?.keep("");
    this.motor.run(run.direction);
    this.setAlarm();
  }

  /** @returns what the motor has to do next; undefined if it is at its goal. */
  private nextRun({ position, tilt }: Parts): Run | undefined {
    const { now, run } = this;
    const isRunning = run !== undefined && this.running === run.direction && run.isToEnd && !run.isOver;
    // A run to an end goes on until its time is over.
    if (isRunning && run.part === "position" && run.to === position) return run;
    const shown = this.shown(now);
    const hasSlats = this.times.tiltTime > 0;
    if (position !== undefined && shown !== position && this.reachedNear("position", shown, near) !== position) {
      // The slats say how long it takes until the cover moves.
      if (hasSlats && shown !== undefined && now.tilt === undefined) return this.turnToEnd(shown);
      // From anywhere, it goes to the nearer end first.
      const to = shown !== undefined ? position : position > 50 ? 100 : 0;
      const isToEnd = to === 0 || to === 100;
      return runTo("position", isToEnd ? towards(to) : to > (shown ?? 0) ? "open" : "close", to, isToEnd);
    }
    const turned = this.shownTilt(now);
    const isTurned = turned === tilt || this.reachedNear("tilt", turned, near) === tilt;
    if (tilt === undefined || !hasSlats || isTurned) return undefined;
    if (turned === undefined || this.turns >= mostTurns) return this.turnToEnd(shown ?? tilt);
    return runTo("tilt", tilt > turned ? "open" : "close", tilt, false);
  }

  /** @returns a run after which it is known how the slats are. At an end of the way, the cover does not move in it. */
  private turnToEnd(nearer: number): Run {
    const to = nearer > 50 ? 100 : 0;
    return runTo("tilt", towards(to), to, true);
  }

  /** Sets the alarm for the end of the run, or for the next event. */
  private setAlarm(): void {
    const { run, running, place, since, times, hardware } = this;
    if (run === undefined || running !== run.direction) return;
    const { part, to, isToEnd } = run;
    const whole = part === "tilt" ? times.tiltTime : running === "open" ? times.openTime : times.closeTime;
    const time = (part === "tilt" ? timeToTilt : timeToPosition)(place, running, to, times);
    const now = hardware.clock.now();
    this.ends = Math.max(now, since + time + (isToEnd ? (whole * times.overrun) / 100 : 0));
    this.alarm.move(Math.min(this.ends, now + tickTime));
  }

  /** The motor runs another way, or has stopped. */
  private turned(running: Direction | undefined, at: number): void {
    const { running: before, goal } = this;
    if (before !== undefined) this.comeToEnd(before, at);
    this.running = running;
    this.since = at;
    const { run } = this;
    if (running !== undefined) {
      // The slats are turned beside a position that stays.
      this.reached = goal && run?.part === "tilt" ? { ...this.reached, tilt: undefined } : {};
      this.last = running;
      this.stopped = undefined;
      // Somebody else has begun it.
      if (goal === undefined) this.run = runTo("position", running, endOf[running], true);
      this.setAlarm();
    } else {
      this.alarm.stop();
      if (run?.isOver && this.goal?.[run.part] === run.to) {
        this.reached = { ...this.reached, [run.part]: run.to };
        this.goal = { ...this.goal, [run.part]: undefined };
      }
      this.run = undefined;
      // Where it is now may lead another way than was asked for.
      this.continue();
    }
    this.listeners.tell();
  }

  /** The motor does not begin to run, or something else has moved it. */
  private refused(isDoubtful: boolean): void {
    this.goal = undefined;
    if (isDoubtful) this.place = nowhere;
    if (isDoubtful || this.shape["failure"] !== undefined) this.fail(failures.refused);
    this.keep();
    this.listeners.tell();
  }

  /** Notes where it is after a run. */
  private comeToEnd(direction: Direction, at: number): void {
    const { run, isAt, times, motor } = this;
    this.place = travelled(this.place, direction, at - this.since, times);
    const isTurned = this.place.tilt === endOf[direction] && (run?.part === "position" || run?.isToEnd);
    this.turns = isTurned ? 0 : this.turns + 1;
    if (run?.part === "position" && run.isToEnd && run.isOver) {
      const isThere = isAt[direction] !== false;
      this.place = isThere ? { ...this.place, position: run.to } : nowhere;
      this.failure = null;
      if (!isThere) {
        this.goal = undefined;
        this.fail(failures.missing);
      }
    }
    // What reports elsewhere is wrong, or the motor did not move.
    if (this.place.position === undefined || this.shown(this.place) !== undefined) return;
    const only = isAt.open === isAt.close ? undefined : isAt.open ? "open" : "close";
    const isButton = motor.onSwitch !== undefined && only !== undefined && run?.isOver === true;
    this.place = isButton ? { ...nowhere, position: endOf[only] } : nowhere;
    if (run?.isOver) this.goal = undefined;
    this.fail(failures.stuck);
    if (isButton) motor.resume?.(only);
  }

  private fail(failure: Failure): void {
    this.failure = failure;
    this.hardware.report?.(failure);
  }

  /** Its time is over, or another event is due. */
  private look(): void {
    const { run, hardware, motor } = this;
    const now = hardware.clock.now();
    if (run === undefined) return;
    if (now < this.ends) {
      this.alarm.set(Math.min(this.ends, now + tickTime));
      this.listeners.tell();
      return;
    }
    run.isOver = true;
    if (run.isToEnd) motor.endRun();
    else motor.run(undefined);
  }
}

/** The outputs of a cover, as they are opened. */
interface Opened {
  readonly outputs: readonly CoverOutput[];
  readonly driven: readonly NounOutput[];
  readonly lines: readonly Line[];
}

/** @throws as `openOutput`. */
function openOutputs(
  all: readonly (readonly [option: string, output: LineOptions | CoverNounOutput])[],
  report: (sentence: string) => void,
): Opened {
  const ofLines = all.flatMap(([, output]) => ("noun" in output ? [] : [output]));
  const [one, other] = ofLines;
  const lines =
    one === undefined
      ? []
      : other === undefined
        ? [openOutputLeftAt(one, { exit: 0 })]
        : openOutputPairLeftAt(one, other, { exit: 0 });
  const driven: NounOutput[] = [];
  const left = lines.map(lineOutput);
  const outputs = all.map(([option, output]) => {
    if (!("noun" in output)) return left.shift() as CoverOutput;
    const noun = new NounOutput(option, output, report);
    driven.push(noun);
    return noun;
  });
  return { outputs, driven, lines };
}

/** Makes what an earlier process has left active inactive. @returns whether there was such a line. */
function stopLines(lines: readonly Line[]): boolean {
  const moving = lines.filter((line) => !line.isGone && line.getValue() === 1);
  for (const line of moving) line.setValue(0);
  return moving.length > 0;
}

/** @returns what Home Assistant is told: what the options say of the whole cover is added. */
function announced(noun: CoverNoun, { homeAssistant, deviceClass }: CoverOptions): HomeAssistantOptions {
  if (homeAssistant === false || homeAssistant?.component !== undefined) return homeAssistant;
  const { component: _, ...said } = { component: undefined, ...homeAssistant };
  const all = { ...noun.homeAssistant, ...(deviceClass !== undefined && { device_class: deviceClass }), ...said };
  return all as HomeAssistantOptions;
}

/** Makes a noun as `coverNoun` does, with a name of its own in the store. */
export function coverNounKeptAs(keeping: Keeping, options: CoverOptions): Noun {
  const { open, close, button, store, overrun = 10, pulse = 500 } = options;
  for (const time of ["openTime", "closeTime", "pause", "pulse", "tiltTime"] as const) {
    checkDuration(time, options[time], 1);
  }
  checkDuration("startDelay", options.startDelay, 0);
  if (!(overrun >= 0 && overrun <= 100)) throw new RangeError("The overrun of a cover is 0 to 100 percent.");
  const isPair = open !== undefined && close !== undefined;
  if ((button === undefined) !== isPair) throw new TypeError('A cover has "open" and "close", or a "button".');
  const kept = store && button === undefined ? keptText("cover", keeping, store, 1) : undefined;
  const report = (sentence: string) => logFailure(keeping.name, sentence);
  const named = button === undefined ? { open, close } : { button };
  const all = Object.entries(named) as [string, LineOptions | CoverNounOutput][];
  const { outputs, driven, lines } = openOutputs(all, report);
  const [first, second] = outputs as [CoverOutput, CoverOutput];
  const lose = (line: Line) => () => {
    keeping.report(goneError(line));
    noun.lose();
  };
  const unfollow = lines.map((line) => followChip(line, lose(line)));
  const onClose = () => {
    for (const end of unfollow) end();
    for (const line of lines) line.close();
  };
  const hardware: CoverHardware = {
    motor: (events, pause) =>
      button === undefined
        ? new TwoWayMotor({ open: first, close: second }, nounClock, pause, events)
        : new OneButtonMotor(first, nounClock, { pulse, pause }, events),
    clock: nounClock,
    wasMoving: stopLines(lines),
    ...(driven.length > 0 && { driven }),
    report,
    onClose,
    ...(kept && { kept }),
  };
  const noun = new CoverNoun(hardware, options);
  return describeNoun(noun, { ...options, homeAssistant: announced(noun, options) });
}

/**
 * A noun for a shutter, an awning, a gate or a garage door: on two outputs, which are never active together, or on the
 * one button of its motor.
 * @throws as `openOutput`; RangeError for a time or an overrun out of range; TypeError for too many outputs or too few.
 *
 * @example
 * const blind = { open: { line: "GPIO17" }, close: { line: "GPIO18" }, openTime: 21_000, closeTime: 19_500 };
 * server.register("blind", coverNoun(blind));
 */
export function coverNoun(options: CoverOptions): Noun {
  const { storedAs: name = "cover" } = options;
  return coverNounKeptAs({ name, report: (error) => logError(name, error) }, options);
}
