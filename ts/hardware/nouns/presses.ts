/**
 * Counts the presses of a button by the moments of its edges. Each press counts once: as a long one, as a short one, or
 * with the press before it as a double one.
 *
 *     const tell = () => listeners.tell();
 *     const presses = new Presses(clock, { longPress: 500, doublePress: 300 }, line.getValue(), tell);
 *     line.onEdge = ({ value, timestamp }) => presses.edge(value, timestamp / 1_000);
 *     presses.counts; // {"short":3,"long":0,"double":1}
 */

import { checkDuration } from "../../core/noun/duration.ts";
import { isCount } from "../../core/noun/left-state.ts";
import type { Key, Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Level } from "../../native/gpio.ts";
import type { Clock } from "../../native/loop.ts";
import type { Milliseconds } from "../../native/units.ts";

/** What makes a press long, and two presses a double one. */
export interface PressTimes {
  /** ms that a long press lasts at least. */
  readonly longPress: Milliseconds;
  /** ms after a release within which the second press of a double press begins; 0 if there are no double presses. */
  readonly doublePress: Milliseconds;
}

/** @throws TypeError with a sentence for options that are no durations. */
export function checkPressTimes({ longPress, doublePress }: Partial<PressTimes>): void {
  checkDuration("longPress", longPress, 1);
  checkDuration("doublePress", doublePress, 0);
}

/** How many presses there were of each kind. */
export interface PressCounts {
  readonly short: number;
  readonly long: number;
  readonly double: number;
}

function pressKey(description: string): Key {
  return {
    type: "integer",
    minimum: 0,
    readOnly: true,
    counts: "events",
    description: `${description} since the last reset.`,
    homeAssistant: { device_class: "button" },
  };
}

/** @returns the keys of the counts. If no press can be a double one, Home Assistant does not have that key. */
export function pressShape({ doublePress }: Pick<PressTimes, "doublePress">): Shape {
  const double = pressKey("Double presses");
  return {
    short: pressKey("Short presses"),
    long: pressKey("Long presses"),
    double: doublePress > 0 ? double : { ...double, homeAssistant: false },
  };
}

/** The keys besides the level if presses are counted. */
export const pressKeys: readonly string[] = ["short", "long", "double"];

const none: PressCounts = { short: 0, long: 0, double: 0 };

export class Presses {
  counts = none;
  private readonly times: PressTimes;
  private readonly counted: () => void;
  private level: Level;
  /** Of the press that lasts. One that lasted at the start is not counted. */
  private isCounted = true;
  private began = 0;
  /** When the press before ended, if it is short or the first one of a double press. */
  private firstEnded: Milliseconds | undefined;
  /** Rings when the press is a long one, or the one before a short one. */
  private readonly alarm: Alarm;

  /**
   * @param level the level at the start.
   * @param counted called after `counts` has changed.
   */
  constructor(clock: Clock, times: PressTimes, level: Level, counted: () => void) {
    this.alarm = new Alarm(clock, () => (this.level === 1 ? this.countLong() : this.countFirst()));
    this.times = times;
    this.level = level;
    this.counted = counted;
  }

  /**
   * Takes an edge.
   * @param level the level after it.
   * @param moment when the kernel saw it, in ms on the clock. The loop fires a timer only after the edges before it.
   */
  edge(level: Level, moment: Milliseconds): void {
    // The edge between two of one direction was lost.
    if (level === this.level) this.take(level === 1 ? 0 : 1, moment);
    this.take(level, moment);
  }

  /**
   * Begins with another button, or the same one plugged in again.
   *
   * @param level its level; a press still held is not counted.
   */
  restart(level: Level): void {
    this.alarm.stop();
    if (this.firstEnded !== undefined) this.countFirst();
    this.level = level;
    this.isCounted = true;
  }

  reset(): void {
    this.counts = none;
  }

  /** Goes on with the counts that an earlier process has left, which is untrusted. */
  takeOver({ short, long, double }: State): void {
    if (isCount(short) && isCount(long) && isCount(double)) this.counts = { short, long, double };
  }

  /** Counts nothing more. */
  close(): void {
    this.alarm.stop();
  }

  private take(level: Level, moment: Milliseconds): void {
    this.alarm.stop();
    this.level = level;
    if (level === 1) this.begin(moment);
    else if (!this.isCounted) this.end(moment);
  }

  private begin(moment: Milliseconds): void {
    const { doublePress, longPress } = this.times;
    this.isCounted = false;
    this.began = moment;
    // The loop was late, or the timer would have counted it.
    if (this.firstEnded !== undefined && moment - this.firstEnded >= doublePress) this.countFirst();
    this.alarm.set(moment + longPress);
  }

  private end(moment: Milliseconds): void {
    const { doublePress, longPress } = this.times;
    if (moment - this.began >= longPress) this.countLong();
    else if (this.firstEnded !== undefined) {
      this.firstEnded = undefined;
      this.count({ double: this.counts.double + 1 });
    } else if (doublePress === 0) this.count({ short: this.counts.short + 1 });
    else {
      this.firstEnded = moment;
      this.alarm.set(moment + doublePress);
    }
  }

  private countLong(): void {
    if (this.firstEnded !== undefined) this.countFirst();
    this.isCounted = true;
    this.count({ long: this.counts.long + 1 });
  }

  private countFirst(): void {
    this.firstEnded = undefined;
    this.count({ short: this.counts.short + 1 });
  }

  private count(some: Partial<PressCounts>): void {
    this.counts = { ...this.counts, ...some };
    this.counted();
  }
}
