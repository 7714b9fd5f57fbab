/**
 * What is known of where a cover is, by the time for which its motor has run and by its end switches; and which run of
 * the motor leads from there to a goal.
 *
 *     const place = new CoverPlace(clock, times);
 *     place.restore(40, undefined);
 *     place.runTo({ position: 60 }); // opens
 */
import type { Clock } from "../../native/loop.ts";
import type { Milliseconds } from "../../native/units.ts";
import type { CoverTimes } from "./cover-options.ts";
import {
  type Direction,
  directions,
  endOf,
  type Place,
  type TravelTimes,
  timeToPosition,
  timeToTilt,
  travelled,
} from "./cover-travel.ts";

type Part = "position" | "tilt";

/** A goal, or what is left of it. */
export type Parts = { readonly [part in Part]?: number | undefined };

/** One run of the motor towards a goal. */
export interface Run {
  readonly part: Part;
  readonly direction: Direction;
  /** The position or the tilt where it ends. */
  readonly to: number;
  /** Whether it runs longer, to an end, which makes the position or the tilt right. */
  readonly isToEnd: boolean;
  /** Whether its time is over. */
  isOver: boolean;
}

/**
 * How far a position may be from an end whose switch reports, or from where it was to be, in percent. That is 5 with
 * the errors of time and rounding.
 */
export const near = 4;

/** How much longer a stroke to an end runs, as a part of the whole time. */
const overrun = 0.1;

/** How far it may be from an end whose switch reports to stand there. The next move counts the difference twice. */
const beside = 3;

/** What is no difference, in percent: a motor stops a moment too late. */
const rest = 1;

/** How often slats are turned by time alone. Then they are turned to an end first, because moments add up. */
const mostTurns = 4;

export const nowhere: Place = { position: undefined, tilt: undefined };

function run(part: Part, direction: Direction, to: number, isToEnd: boolean): Run {
  return { part, direction, to, isToEnd, isOver: false };
}

/** @returns a run to the end that is nearer to a place. */
function toEnd(part: Part, nearer: number): Run {
  return nearer > 50 ? run(part, "open", 100, true) : run(part, "close", 0, true);
}

function share(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 100 ? value : undefined;
}

export class CoverPlace {
  readonly clock: Clock;
  readonly times: TravelTimes;
  /** Where it stands, or stood when the motor began to run. */
  place = nowhere;
  /** Which way the motor runs, and since when it does that, or stands. */
  running: Direction | undefined;
  since: Milliseconds = Number.NEGATIVE_INFINITY;
  run: Run | undefined;
  /** Whether the end switch of a direction reports; undefined without one. */
  readonly isAt: { [direction in Direction]: boolean | undefined } = { open: undefined, close: undefined };
  /** What it has come to of the last goal, and not left. */
  private reached: Parts = {};
  /** How often the slats were turned since they were at an end for sure. */
  private turns = 0;

  constructor(clock: Clock, { openTime, closeTime, startDelay = 0, tiltTime = 0, stopAt }: CoverTimes) {
    this.clock = clock;
    this.times = { openTime, closeTime, startDelay, tiltTime };
    for (const end of directions) if (stopAt?.[end] !== undefined) this.isAt[end] = false;
  }

  /** It was there when an earlier process ended. Where a switch must report, only that counts. */
  restore(position: unknown, tilt: unknown): void {
    const isAtSwitch = directions.some((end) => this.isAt[end] !== undefined && endOf[end] === position);
    this.place = { position: isAtSwitch ? undefined : share(position), tilt: share(tilt) };
  }

  get hasSlats(): boolean {
    return this.times.tiltTime > 0;
  }

  /** Where it is now, as far as the time tells. */
  get now(): Place {
    const { running, place, since, run } = this;
    if (running === undefined) return place;
    const now = travelled(place, running, Math.max(0, this.clock.now() - since), this.times);
    const value = run && now[run.part];
    if (run === undefined || value === undefined || run.isToEnd || run.isOver) return now;
    return { ...now, [run.part]: running === "open" ? Math.min(value, run.to) : Math.max(value, run.to) };
  }

  /** @returns the position of a place that is known for sure, as a whole number; undefined if nobody knows. */
  positionOf({ position }: Place): number | undefined {
    const { isAt } = this;
    if (position === undefined || (isAt.open && isAt.close)) return undefined;
    const reporting = directions.find((direction) => isAt[direction]);
    const off = reporting === undefined ? 0 : Math.abs(position - endOf[reporting]);
    if (off > near) return undefined;
    if (reporting !== undefined && this.running === undefined && off <= beside) return endOf[reporting];
    const whole = this.reachedNear("position", position, rest) ?? Math.round(position);
    const end = directions.find((direction) => endOf[direction] === whole);
    // An end is known only while its switch reports.
    return end !== undefined && isAt[end] === false ? Math.abs(whole - 1) : whole;
  }

  /** @returns the tilt of the slats, as a whole number; undefined if nobody knows. */
  tiltOf({ tilt }: Place): number | undefined {
    return tilt === undefined ? undefined : (this.reachedNear("tilt", tilt, rest) ?? Math.round(tilt));
  }

  /** @returns what the motor has to do next; undefined if it is at its goal. */
  runTo({ position, tilt }: Parts): Run | undefined {
    const { run: current, now, hasSlats } = this;
    const shown = this.positionOf(now);
    const turned = this.tiltOf(now);
    const isRunning = current !== undefined && this.running === current.direction && current.isToEnd && !current.isOver;
    // A run to an end goes on until its time is over.
    if (isRunning && current.part === "position" && current.to === position) return current;
    if (position !== undefined && shown !== position && this.reachedNear("position", shown, near) !== position) {
      // The slats say how long it takes until the cover moves.
      if (hasSlats && shown !== undefined && turned === undefined) return toEnd("tilt", shown);
      // From anywhere, it goes to the nearer end first.
      if (shown === undefined || position === 0 || position === 100) return toEnd("position", position);
      return run("position", position > shown ? "open" : "close", position, false);
    }
    const isTurned = turned === tilt || this.reachedNear("tilt", turned, near) === tilt;
    if (tilt === undefined || !hasSlats || isTurned) return undefined;
    // At an end of the way, the cover does not move while its slats are turned there.
    if (turned === undefined || this.turns >= mostTurns) return toEnd("tilt", shown ?? tilt);
    return run("tilt", tilt > turned ? "open" : "close", tilt, false);
  }

  /** When the run ends, in ms by the clock. */
  get end(): Milliseconds {
    const { run, running, place, since, times } = this;
    if (run === undefined || running === undefined) return since;
    const { part, to, isToEnd } = run;
    const whole = part === "tilt" ? times.tiltTime : running === "open" ? times.openTime : times.closeTime;
    const time = (part === "tilt" ? timeToTilt : timeToPosition)(place, running, to, times);
    return since + time + (isToEnd ? whole * overrun : 0);
  }

  /** The motor runs another way, or has stopped. @param goal where it goes; undefined if nobody has asked it to. */
  turn(running: Direction | undefined, at: Milliseconds, goal: Parts | undefined): void {
    this.running = running;
    this.since = at;
    if (running === undefined) return;
    // The slats are turned beside a position that stays.
    this.reached = goal && this.run?.part === "tilt" ? { ...this.reached, tilt: undefined } : {};
    // Somebody else has begun it.
    if (goal === undefined) this.run = toEnd("position", endOf[running]);
  }

  /** It leaves an end now, as its switch says. Where nobody knew where it is, that does not change. */
  leaveEnd(running: Direction): void {
    const { position } = this.now;
    this.place = { position, tilt: this.hasSlats ? endOf[running] : undefined };
    this.since = this.clock.now() - this.times.startDelay;
    if (!this.run?.isToEnd) this.run = undefined;
  }

  /** The motor has run for its time. Then that is where it is. */
  arrive(part: Part, to: number): void {
    this.reached = { ...this.reached, [part]: to };
  }

  /** The motor ends its run, or turns round: it is where that has led. */
  comeToEnd(direction: Direction, at: Milliseconds): void {
    const { run } = this;
    this.place = travelled(this.place, direction, at - this.since, this.times);
    const isTurned = this.place.tilt === endOf[direction] && (run?.part === "position" || run?.isToEnd);
    this.turns = isTurned ? 0 : this.turns + 1;
  }

  /** @returns what it has come to of the last goal, if it still is there, but for a difference in percent. */
  private reachedNear(part: Part, value: number | undefined, difference: number): number | undefined {
    const reached = this.reached[part];
    return Math.abs((value ?? Number.NaN) - (reached ?? Number.NaN)) <= difference ? reached : undefined;
  }
}
