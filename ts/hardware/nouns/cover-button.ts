/**
 * The motor of a cover with one button, as most garage doors have: each press does the next of open, stop, close and
 * stop. Somebody may press it by hand, too; then the end switches tell.
 */
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { Milliseconds } from "../../native/units.ts";
import { instantOf, type Motor, type MotorEvents, retryTime } from "./cover-motor.ts";
import type { CoverOutput } from "./cover-output.ts";
import { type Direction, opposite } from "./cover-travel.ts";

/** ms in which a switch may bounce when the cover comes to it, or leaves it. */
const bounceTime = 1_000;

export class OneButtonMotor implements Motor {
  running: Direction | undefined;
  private readonly output: CoverOutput;
  private readonly clock: Clock;
  private readonly pulse: Milliseconds;
  private readonly pause: Milliseconds;
  private readonly events: MotorEvents;
  private asked: Direction | undefined;
  /** Where the next press leads if it stands; undefined if nobody knows. */
  private next: Direction | undefined;
  /** Since when it runs, or stands, and when a switch has reported last. */
  private since = Number.NEGATIVE_INFINITY;
  private leftAt = Number.NEGATIVE_INFINITY;
  /** Whether the button is pressed, or being released. */
  private isPressed = false;
  /** When the next press may begin. */
  private free: number;
  private readonly alarm: Alarm;

  constructor(
    output: CoverOutput,
    clock: Clock,
    { pulse, pause }: { readonly pulse: Milliseconds; readonly pause: Milliseconds },
    events: MotorEvents,
  ) {
    this.output = output;
    this.clock = clock;
    this.pulse = pulse;
    this.pause = pause;
    this.events = events;
    this.free = instantOf(clock) + pause;
    this.alarm = new Alarm(clock, () => (this.isPressed ? this.release() : this.step()));
    output.onOutside = (isActive) => {
      // Somebody else has pressed it.
      if (!isActive || this.isPressed) return;
      this.isPressed = true;
      this.alarm.set(this.clock.now() + this.pulse);
      this.take();
    };
  }

  run(direction: Direction | undefined): void {
    this.asked = direction;
    this.step();
  }

  /** It stands by itself. After a run that did not come to its end, the next press most likely leads there. */
  endRun(): void {
    const { running } = this;
    this.asked = undefined;
    if (running !== undefined) this.turn(undefined, opposite[running]);
  }

  onSwitch(end: Direction, isThere: boolean): void {
    const now = instantOf(this.clock);
    if (isThere) {
      const isBouncing = this.running === opposite[end] && now - this.leftAt < bounceTime;
      if (isBouncing) return;
      this.free = now + this.pause; // until the motor stands
      this.turn(undefined, opposite[end]);
      this.since = now;
      return;
    }
    this.leftAt = now;
    if (this.running === undefined && now - this.since >= bounceTime) this.turn(opposite[end], undefined);
  }

  resume(last: Direction): void {
    this.next = opposite[last];
  }

  /** The button does not stay pressed. */
  close(): void {
    this.alarm.stop();
    if (!this.isPressed) return;
    const nothing = () => {};
    try {
      this.output.set(0, nothing, nothing);
    } catch {
      // The line is gone, and nobody presses it any more.
    }
  }

  private turn(running: Direction | undefined, next: Direction | undefined): void {
    const wasRunning = this.running;
    this.next = next;
    if (running === wasRunning) return;
    this.running = running;
    this.since = instantOf(this.clock);
    this.events.onRun(running, this.since);
  }

  private step(): void {
    const { clock, running, asked } = this;
    if (this.isPressed) return;
    this.alarm.stop();
    if (running === asked) {
      if (running === undefined) this.events.onRest();
      return;
    }
    if (clock.now() < this.free) this.alarm.set(this.free);
    else this.press();
  }

  private press(): void {
    this.isPressed = true;
    const fail = (isDoubtful: boolean) => {
      this.isPressed = isDoubtful;
      this.asked = undefined;
      this.events.onRefused(isDoubtful);
      if (isDoubtful) this.release();
      else if (this.running === undefined) this.step();
      else this.alarm.set(this.clock.now() + retryTime); // it is to stop
    };
    try {
      this.output.set(
        1,
        () => {
          this.alarm.set(this.clock.now() + this.pulse);
          this.take();
        },
        fail,
      );
    } catch (error) {
      fail(false);
      throw error;
    }
  }

  /** A press has begun. */
  private take(): void {
    const { running, next, asked } = this;
    if (running !== undefined) this.turn(undefined, opposite[running]);
    else this.turn(next ?? asked, undefined);
  }

  private release(): void {
    this.alarm.set(this.clock.now() + retryTime);
    this.output.set(
      0,
      () => {
        this.isPressed = false;
        this.free = instantOf(this.clock) + this.pause;
        this.step();
      },
      () => {},
    );
  }
}
