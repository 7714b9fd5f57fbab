/**
 * How a cover comes to its goal: the runs of its motor, one after the other, and what its end switches say meanwhile.
 *
 *     const motion = new CoverMotion(hardware, times, false, () => listeners.tell());
 *     motion.go({ position: 40 });
 */
import type { KeptText } from "../../core/noun/kept-text.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { Milliseconds } from "../../native/units.ts";
import { instantOf, type Motor, type MotorEvents } from "./cover-motor.ts";
import type { CoverTimes } from "./cover-options.ts";
import { CoverPlace, near, nowhere, type Parts } from "./cover-place.ts";
import { type Failure, failures } from "./cover-state.ts";
import { type Direction, directions, endOf, opposite } from "./cover-travel.ts";

/** What a cover moves by. */
export interface CoverDrive {
  /** Makes the motor, which stands still. @param pause of the options. */
  readonly motor: (events: MotorEvents, pause: Milliseconds) => Motor;
  readonly clock: Clock;
  /** Receives each failure, as a sentence. */
  readonly report?: (sentence: string) => void;
  /** Keeps the position while it stands, and "" while it moves. */
  readonly kept?: KeptText;
}

/** ms between two events while it moves. */
const tickTime = 1_000;

export class CoverMotion implements MotorEvents {
  readonly place: CoverPlace;
  readonly motor: Motor;
  failure: Failure | null = null;
  /** The direction of the last run. */
  last: Direction | undefined;
  /** The direction in which an update has stopped it, perhaps before its motor ran. */
  stopped: Direction | undefined;
  private readonly drive: CoverDrive;
  private readonly pause: Milliseconds;
  /** Whether the state shows what is wrong. */
  private readonly hasFailures: boolean;
  private readonly changed: () => void;
  private goal: Parts | undefined;
  /** When the run ends, in ms by the clock. */
  private ends = 0;
  /** The end switch that began to report last. */
  private latest: Direction | undefined;
  private isEnded = false;
  private readonly alarm: Alarm;
  /** Called when the motor stands, and none of its outputs is active. */
  private rests: (() => void)[] = [];

  /** @param changed called after each change that comes by itself, and while it moves. */
  constructor(drive: CoverDrive, times: CoverTimes, hasFailures: boolean, changed: () => void) {
    const { pause = 500 } = times;
    this.drive = drive;
    this.pause = pause;
    this.hasFailures = hasFailures;
    this.changed = changed;
    this.place = new CoverPlace(drive.clock, times);
    this.alarm = new Alarm(drive.clock, () => this.look());
    this.motor = drive.motor(this, pause);
  }

  /** Which way it moves, or will when it may. */
  get heading(): Direction | undefined {
    return this.place.running ?? (this.goal && this.place.runTo(this.goal)?.direction);
  }

  /** @param goal undefined to stop. @throws Error when an output refuses at once. A stop is tried again then. */
  go(goal: Parts | undefined): void {
    this.goal = goal;
    try {
      this.continue();
    } catch (error) {
      this.goal = undefined;
      throw error;
    }
  }

  /** Stops, and goes nowhere. @throws as `go`. */
  halt(): void {
    this.goal = undefined;
    this.motor.run(undefined);
    this.keep();
  }

  /** @returns a promise for the moment when it stands. */
  rested(): Promise<void> {
    return new Promise((resolve) => void this.rests.push(resolve));
  }

  /** Ends its alarms: its hardware is gone, or it stands and its noun closes. */
  end(): void {
    this.isEnded = true;
    this.alarm.stop();
    this.motor.close();
    this.onRest();
  }

  onRest(): void {
    for (const resolve of this.rests.splice(0)) resolve();
  }

  onRefused(isDoubtful: boolean): void {
    this.goal = undefined;
    if (isDoubtful) this.place.place = nowhere;
    if (isDoubtful || this.hasFailures) this.fail(failures.refused);
    this.keep();
    this.changed();
  }

  onRun(running: Direction | undefined, at: number): void {
    const { place, goal } = this;
    if (place.running !== undefined) this.comeToEnd(place.running, at);
    place.turn(running, at, goal);
    if (running !== undefined) {
      this.last = running;
      this.stopped = undefined;
      this.setAlarm();
    } else {
      const { run } = place;
      this.alarm.stop();
      place.run = undefined;
      if (run?.isOver && this.goal?.[run.part] === run.to) {
        place.arrive(run.part, run.to);
        this.goal = { ...this.goal, [run.part]: undefined };
      }
      // Where it is now may lead another way than was asked for.
      this.continue();
    }
    this.changed();
  }

  /** An end switch reports, or does not any more. At an end, the position is known, and nothing moves further. */
  reach(direction: Direction, isThere: boolean): void {
    const { place } = this;
    place.isAt[direction] = isThere;
    if (this.isEnded) return;
    this.motor.onSwitch?.(direction, isThere);
    const other = opposite[direction];
    if (isThere) this.latest = direction;
    if (!isThere) this.leaveEnd(direction);
    else if (place.running !== other) this.arrive(direction);
    // Of two that reported, the later one is right if it stays: the other one may be stuck.
    if (!isThere && place.isAt[other] && this.latest === other && place.running === undefined) this.arrive(other);
    this.changed();
  }

  /** An end switch does not report any more. */
  private leaveEnd(direction: Direction): void {
    const { place, drive, last } = this;
    const { running, run } = place;
    if (this.failure === failures.stuck) this.failure = null;
    const { position } = place.now;
    const isNear = position !== undefined && Math.abs(position - endOf[direction]) <= near;
    // Of itself, it leaves an end by its motor, also while that comes to rest.
    const isRolling = running === undefined && instantOf(drive.clock) - place.since <= this.pause;
    const isLeaving = (isRolling ? last : running) === opposite[direction];
    if (running !== undefined && isLeaving && (position === undefined || position === endOf[direction])) {
      // It moves only now, later than it was to: it was blocked, or its slats were not as they were taken to be.
      place.leaveEnd(running);
      if (this.goal === undefined) this.setAlarm();
      else this.continue();
      return;
    }
    if (position === undefined || (isNear && isLeaving)) return;
    // A switch that bounces while the cover comes to rest says nothing of the slats, which the run has turned.
    place.place = isRolling && last === direction ? { ...place.place, position: undefined } : nowhere;
    if (isLeaving) this.fail(failures.stuck);
    if (run?.isToEnd) this.setAlarm(); // it may need the whole time
    this.keep();
  }

  /** It is at an end: its switch says so. */
  private arrive(direction: Direction): void {
    const { goal, place } = this;
    this.halt();
    this.failure = null;
    if (place.isAt[opposite[direction]]) {
      place.place = nowhere;
      this.fail(failures.stuck);
    } else {
      place.place = { ...place.place, position: endOf[direction] };
      this.goal = goal;
    }
    this.continue();
  }

  /** Keeps the position while it stands. */
  private keep(): void {
    const { position, tilt } = this.place.place;
    const isKnown = this.place.running === undefined && this.goal === undefined && position !== undefined;
    const parts = tilt === undefined ? [position] : [position, tilt];
    const text = parts.map((value = 0) => Math.round(value * 10) / 10).join(" ");
    this.drive.kept?.keep(isKnown ? text : "");
  }

  /** Begins the run that leads to the goal, or stops there. */
  private continue(): void {
    const { goal, place } = this;
    const run = goal && place.runTo(goal);
    if (run === undefined) {
      this.halt();
      return;
    }
    place.run = run;
    this.drive.kept?.keep("");
    this.motor.run(run.direction);
    this.setAlarm();
  }

  /** Sets the alarm for the end of the run, or for the next event. */
  private setAlarm(): void {
    const { place, drive } = this;
    if (place.run === undefined || place.running !== place.run.direction) return;
    const now = drive.clock.now();
    this.ends = Math.max(now, place.end);
    this.alarm.move(Math.min(this.ends, now + tickTime));
  }

  /** Notes where it is after a run, or before it turns round. */
  private comeToEnd(direction: Direction, at: number): void {
    const { place, motor } = this;
    const { run, isAt } = place;
    place.comeToEnd(direction, at);
    if (run?.part === "position" && run.isToEnd && run.isOver) {
      this.failure = null;
      if (isAt[direction] === false) {
        place.place = nowhere;
        this.goal = undefined;
        this.fail(failures.missing);
      } else place.place = { ...place.place, position: run.to };
    }
    if (place.place.position === undefined) return;
    const only = isAt.open && isAt.close ? undefined : directions.find((one) => isAt[one]);
    const isRight = place.positionOf(place.place) !== undefined;
    // A hand may have pressed the only button, too: the door stands where its switch reports.
    const end = motor.onSwitch !== undefined && (isRight || run?.isOver) ? only : undefined;
    if (end !== undefined) place.place = { ...nowhere, position: endOf[end] };
    if (isRight) return;
    // What reports elsewhere is wrong, or the motor did not move.
    if (end === undefined) place.place = nowhere;
    else motor.resume?.(end);
    if (run?.isOver) this.goal = undefined;
    this.fail(failures.stuck);
  }

  private fail(failure: Failure): void {
    this.failure = failure;
    this.drive.report?.(failure);
  }

  /** Its time is over, or another event is due. */
  private look(): void {
    const { place, drive, motor } = this;
    const { run } = place;
    const now = drive.clock.now();
    if (run === undefined) return;
    if (now < this.ends) {
      this.alarm.set(Math.min(this.ends, now + tickTime));
      this.changed();
      return;
    }
    run.isOver = true;
    if (run.isToEnd) motor.endRun();
    else motor.run(undefined);
  }
}
