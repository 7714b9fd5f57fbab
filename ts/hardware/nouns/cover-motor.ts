/**
 * The motor of a cover with two outputs, one for each direction. Never both of them are active, and a reversal waits.
 *
 *     const motor = new TwoWayMotor(outputs, clock, 500, events);
 *     motor.run("open"); // now, or when the pause is over
 *     motor.run(undefined);
 */
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { Milliseconds } from "../../native/units.ts";
import type { CoverOutput } from "./cover-output.ts";
import { type Direction, directions, opposite } from "./cover-travel.ts";

/** What moves a cover. */
export interface Motor {
  /** Which way it runs, as far as can be known. */
  readonly running: Direction | undefined;
  /** Makes it run a way, as soon as it may, or stop. @throws Error when an output refuses at once. */
  run(direction: Direction | undefined): void;
  /** It has run to an end for longer than that takes. */
  endRun(): void;
  /** An end switch reports, or does not any more. */
  onSwitch?(end: Direction, isThere: boolean): void;
  /** Goes on as an earlier process has left it. @param last the direction of its last run. */
  resume?(last: Direction): void;
  /** Ends its alarms. Called when it stands still, or its hardware is gone. */
  close(): void;
}

/** What a motor tells its cover. */
export interface MotorEvents {
  /** It runs another way now, or has stopped. @param at ms by the clock, in the middle of a turn. */
  onRun(running: Direction | undefined, at: number): void;
  /** It does not begin the run that was asked for, or ends it. @param isDoubtful whether nobody knows if it has moved. */
  onRefused(isDoubtful: boolean): void;
  /** It is to stand, and does: none of its outputs is active or being set. May be called again. */
  onRest(): void;
}

/** ms after which an output that could not be made inactive is tried again. */
export const retryTime = 1_000;

/** @returns ms by the clock, which stands still in a turn. A turn may take long on a small device. */
export function instantOf(clock: Clock): number {
  return clock.now() + Math.ceil(clock.turnTime());
}

export class TwoWayMotor implements Motor {
  running: Direction | undefined;
  private readonly outputs: { readonly [direction in Direction]: CoverOutput };
  private readonly clock: Clock;
  private readonly pause: Milliseconds;
  private readonly events: MotorEvents;
  private asked: Direction | undefined;
  /** The direction of the last run, and until when the other output must stay inactive. */
  private last: Direction | undefined;
  private free: number;
  /** Whether an output is being set. */
  private isBusy = false;
  /** The output that something else has made active beside the running one, until it is inactive. */
  private foreign: Direction | undefined;
  private readonly alarm: Alarm;

  constructor(
    outputs: { readonly [direction in Direction]: CoverOutput },
    clock: Clock,
    pause: Milliseconds,
    events: MotorEvents,
  ) {
    this.outputs = outputs;
    this.clock = clock;
    this.pause = pause;
    this.events = events;
    this.free = instantOf(clock) + pause;
    this.alarm = new Alarm(clock, () => this.step());
    for (const direction of directions) outputs[direction].onOutside = (isActive) => this.seen(direction, isActive);
  }

  run(direction: Direction | undefined): void {
    this.asked = direction;
    this.step();
  }

  endRun(): void {
    this.run(undefined);
  }

  close(): void {
    this.alarm.stop();
  }

  private step(): void {
    const { asked, clock } = this;
    if (this.isBusy) return;
    if (this.running === undefined) {
      this.running = this.foreign;
      this.foreign = undefined;
    }
    const { running } = this;
    if (running !== undefined) {
      if (running !== asked) this.stop(running);
      return;
    }
    this.alarm.stop();
    if (asked === undefined) this.events.onRest();
    else if (asked !== this.last && clock.now() < this.free) this.alarm.set(this.free);
    else this.begin(asked);
  }

  private begin(direction: Direction): void {
    const { outputs, events, clock } = this;
    const fail = (isDoubtful: boolean) => {
      this.isBusy = false;
      this.asked = undefined;
      if (isDoubtful) this.running = direction; // perhaps
      events.onRefused(isDoubtful);
    };
    this.isBusy = true;
    try {
      outputs[opposite[direction]].stayInactive();
      outputs[direction].set(
        1,
        () => {
          this.isBusy = false;
          this.running = direction;
          this.last = direction;
          events.onRun(direction, instantOf(clock));
          this.step();
        },
        (isDoubtful) => {
          fail(isDoubtful);
          this.step();
        },
      );
    } catch (error) {
      fail(false);
      throw error;
    }
  }

  /** @throws Error when the output refuses; then it is tried again. */
  private stop(running: Direction): void {
    this.alarm.set(this.clock.now() + retryTime);
    this.isBusy = true;
    try {
      this.outputs[running].set(
        0,
        () => {
          this.isBusy = false;
          this.alarm.stop();
          this.stopped();
        },
        () => {
          this.isBusy = false;
          this.events.onRefused(true);
        },
      );
    } catch (error) {
      this.isBusy = false;
      throw error;
    }
  }

  private stopped(): void {
    const instant = instantOf(this.clock);
    this.running = undefined;
    this.free = instant + this.pause;
    this.events.onRun(undefined, instant);
    this.step();
  }

  /** An output has changed from outside, or was found active. Nobody knows where the cover is then. */
  private seen(direction: Direction, isActive: boolean): void {
    if (this.isBusy || isActive === (this.running === direction)) return;
    this.asked = undefined;
    this.events.onRefused(true);
    if (!isActive) this.stopped();
    else if (this.running === undefined) {
      this.running = direction;
      this.step();
    } else {
      this.foreign = direction;
      const cleared = () => {
        if (this.foreign === direction) this.foreign = undefined;
        this.step();
      };
      try {
        this.outputs[direction].set(0, cleared, () => {});
      } finally {
        this.step();
      }
    }
  }
}
