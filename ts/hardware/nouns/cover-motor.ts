/**
 * The motor of a cover with two outputs, one for each direction. Never both of them are active, and a reversal waits.
 *
 *     const motor = new TwoWayMotor(outputs, clock, 500, { onRun: (running, at) => settle(running, at), onRefused });
 *     motor.run("open"); // now, or when the pause is over
 *     motor.run(undefined);
 */
import { Alarm } from "../../core/time/alarm.ts";
import type { Level, Line } from "../../native/gpio.ts";
import type { Clock } from "../../native/loop.ts";
import type { Milliseconds } from "../../native/units.ts";
import { type Direction, opposite } from "./cover-travel.ts";
import { setLevel } from "./gone-refusal.ts";

/** What moves a cover. */
export interface Motor {
  /** Which way it runs. */
  readonly running: Direction | undefined;
  /** Makes it run a way, as soon as it may, or stop. @throws Error when the kernel refuses. */
  run(direction: Direction | undefined): void;
  /** Ends its alarms. Called when it stands still, or its hardware is gone. */
  close(): void;
}

/** What a motor tells its cover. */
export interface MotorEvents {
  /** It runs another way now, or has stopped. @param at ms by the clock, in the middle of a turn. */
  onRun(running: Direction | undefined, at: number): void;
  /** It does not begin the run that was asked for. */
  onRefused(): void;
}

/** An output of a motor. */
export interface Output {
  /** Whether an earlier process has left it active. */
  readonly isLeftActive: boolean;
  /** @throws Error when it cannot be set. */
  set(level: Level): void;
}

/** ms after which an output that could not be made inactive is tried again. */
const retryTime = 1_000;

/** @returns ms by the clock, which stands still in a turn. A turn may take long on a small device. */
export function instantOf(clock: Clock): number {
  return clock.now() + Math.ceil(clock.turnTime());
}

/** An output on a line. */
export function lineOutput(line: Line): Output {
  const isLeftActive = !line.isGone && line.getValue() === 1;
  return { isLeftActive, set: (level) => setLevel(line, level) };
}

export class TwoWayMotor implements Motor {
  running: Direction | undefined;
  private readonly outputs: { readonly [direction in Direction]: Output };
  private readonly clock: Clock;
  private readonly pause: Milliseconds;
  private readonly events: MotorEvents;
  private asked: Direction | undefined;
  /** The direction of the last run, and until when the other output must stay inactive. */
  private last: Direction | undefined;
  private free: number;
  private readonly alarm: Alarm;

  constructor(
    outputs: { readonly [direction in Direction]: Output },
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
  }

  run(direction: Direction | undefined): void {
    this.asked = direction;
    this.step();
  }

  close(): void {
    this.alarm.stop();
  }

  private step(): void {
    const { running, asked, clock } = this;
    if (running !== undefined) {
      if (running !== asked) this.stop(running);
      return;
    }
    this.alarm.stop();
    if (asked === undefined) return;
    if (asked !== this.last && clock.now() < this.free) {
      this.alarm.set(this.free);
      return;
    }
    this.begin(asked);
  }

  private begin(direction: Direction): void {
    const { outputs, events, clock } = this;
    try {
      // The other one is inactive already; it is said again, because this is what must never fail. In one request of
      // the kernel, the next call says it, too.
      outputs[opposite[direction]].set(0);
      outputs[direction].set(1);
    } catch (error) {
      this.asked = undefined;
      events.onRefused();
      throw error;
    }
    this.running = direction;
    this.last = direction;
    events.onRun(direction, instantOf(clock));
  }

  /** @throws Error when the kernel refuses; then it is tried again. */
  private stop(running: Direction): void {
    const { clock } = this;
    this.alarm.set(clock.now() + retryTime);
    this.outputs[running].set(0);
    this.alarm.stop();
    this.running = undefined;
    const instant = instantOf(clock);
    this.free = instant + this.pause;
    this.events.onRun(undefined, instant);
    this.step();
  }
}
