/** A cover, its motor, its switches and whoever moves it, as they really are, for tests with random hours. */
import { expect } from "vitest";
import type { KeptText } from "../../../ts/core/noun/kept-text.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { leadsToDefault } from "../../../ts/core/noun/noun-traits.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { OneButtonMotor } from "../../../ts/hardware/nouns/cover-button.ts";
import { TwoWayMotor } from "../../../ts/hardware/nouns/cover-motor.ts";
import { CoverNoun } from "../../../ts/hardware/nouns/cover-noun.ts";
import type { CoverTimes } from "../../../ts/hardware/nouns/cover-options.ts";
import type { CoverOutput } from "../../../ts/hardware/nouns/cover-output.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { reachOf } from "./end-switches.ts";

const ends = { open: 100, close: 0 } as const;
type End = keyof typeof ends;
const both = ["open", "close"] as const;

/** Numbers from 0 to 1 that look random. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A switch at an end: it works, reports no more, or does not stop to report. */
interface Switch {
  state: "works" | "dead" | "stuck";
  reports: boolean;
}

/** A cover, its motor and its switches as they really are. */
export class House {
  readonly clock = new SimulatedClock();
  readonly random: () => number;
  readonly times: CoverTimes;
  readonly isButton: boolean;
  readonly switches: { [end in End]?: Switch } = {};
  readonly levels: { [end in End]: number } = { open: 0, close: 0 };
  /** Where it really is, and which way the motor really runs. */
  position: number;
  /** Of the slats, if it has some. */
  tilt = 0;
  motor: End | undefined;
  isBlocked = false;
  /** Nothing tells how the slats are since then. */
  private wasBlocked = false;
  /** Whether something has moved it, or kept it from moving, that no switch tells. */
  isExcused = true;
  /** Whether people press the button of the motor. */
  isBusy = false;
  isBroken = false;
  /** Whether somebody has asked for a move, or a broken guard has. */
  mayMove = false;
  cover: CoverNoun;
  private text = "";
  private readonly speed: { readonly [end in End]: number };
  private readonly lateness: number;
  private readonly rolling: number;
  /** When the motor begins to move, and until when it moves. */
  private begins = 0;
  private endsAt = Number.NEGATIVE_INFINITY;
  private next: End | undefined;
  private pressed = false;

  constructor(seed: number, form: "outputs" | "button", more: Partial<CoverTimes> = {}) {
    const random = numbersFrom(seed);
    this.random = random;
    this.isButton = form === "button";
    const openTime = 10_000 + Math.floor(random() * 40_000);
    const closeTime = 10_000 + Math.floor(random() * 40_000);
    const hasSwitches = this.isButton || random() < 0.7;
    const hasSlats = more.tiltTime !== undefined || (!this.isButton && random() < 0.3);
    const startDelay = Math.floor(random() * 3) * 100;
    for (const end of both) if (hasSwitches) this.switches[end] = { state: "works", reports: false };
    this.times = {
      openTime,
      closeTime,
      startDelay,
      pause: 500,
      ...(hasSlats && { tiltTime: 1_500 }),
      ...(random() < 0.4 && !this.isButton && { default: { position: random() < 0.5 ? 0 : 100 } }),
      ...(hasSwitches && { stopAt: { open: { top: { on: 1 } }, close: { bottom: { on: 1 } } } }),
    };
    const drift = () => 1 + (random() - 0.5) * 0.006;
    this.speed = { open: (100 / openTime) * drift(), close: (100 / closeTime) * drift() };
    this.lateness = startDelay + random() * 10;
    this.rolling = random() * 10;
    this.position = random() < 0.3 ? 0 : random() < 0.5 ? 100 : random() * 100;
    this.next = this.position < 50 ? "open" : "close";
    this.cover = this.start();
    this.tellAll();
  }

  /** The program starts. */
  private start(left?: State): CoverNoun {
    const { clock } = this;
    const output = (name: End | "button"): CoverOutput => ({
      set: (level, done) => {
        if (name === "button") this.press(level === 1);
        else this.switchTo(name, level);
        done();
      },
      stayInactive: () => expect(this.levels[name === "open" ? "open" : "close"]).toBe(0),
    });
    const kept = {
      text: this.text,
      keep: (text: string) => {
        this.text = text;
      },
      flush: () => {},
    } as unknown as KeptText;
    this.mayMove = false;
    const cover = new CoverNoun(
      {
        motor: (events, pause) =>
          this.isButton
            ? new OneButtonMotor(output("button"), clock, { pulse: 300, pause }, events)
            : new TwoWayMotor({ open: output("open"), close: output("close") }, clock, pause, events),
        clock,
        ...(!this.isButton && { kept }),
      },
      this.times,
    );
    if (left !== undefined) cover[takeOver](left);
    return cover;
  }

  private switchTo(end: End, level: number): void {
    this.levels[end] = level;
    expect(this.levels).not.toEqual({ open: 1, close: 1 });
    if (level === 1) {
      expect(this.mayMove).toBe(true);
      this.drive(end);
    } else if (this.motor === end) this.halt();
  }

  /** Somebody presses the only button, or the program does. */
  press(isDown: boolean): void {
    if (isDown === this.pressed) return;
    this.pressed = isDown;
    if (!isDown) return;
    if (this.motor !== undefined) this.halt();
    else if (this.next !== undefined) this.drive(this.next);
  }

  private drive(end: End): void {
    this.motor = end;
    this.begins = Math.max(this.clock.now() + this.lateness, this.endsAt);
    this.endsAt = Number.POSITIVE_INFINITY;
  }

  private halt(): void {
    this.next = this.motor === "open" ? "close" : "open";
    const now = this.clock.now();
    this.endsAt = now < this.begins ? now : now + this.rolling;
    if (this.endsAt === now) this.motor = undefined;
  }

  /** Tells what the switches report, which bounce. */
  tellAll(): void {
    for (const end of both) {
      const one = this.switches[end];
      if (one === undefined) continue;
      const isThere = Math.abs(this.position - ends[end]) <= 0.3;
      const reports = one.state === "works" ? isThere : one.state === "stuck" ? one.reports || isThere : false;
      if (reports === one.reports) continue;
      one.reports = reports;
      for (const told of this.random() < 0.3 ? [reports, !reports, reports] : [reports]) reachOf(this.cover, end, told);
    }
  }

  /** Lets time pass, in steps while anything moves. */
  pass(ms: number): void {
    const until = this.clock.now() + ms;
    while (this.clock.now() < until) {
      const now = this.clock.now();
      const step =
        this.motor === undefined
          ? Math.max(1, Math.min(until, this.clock.nextMoment) - now)
          : Math.min(20, until - now);
      this.clock.advance(step);
      this.move(now, this.clock.now());
      this.tellAll();
      this.check();
    }
  }

  private move(from: number, to: number): void {
    const { motor } = this;
    if (motor === undefined) return;
    const ms = Math.min(to, this.endsAt) - Math.max(from, this.begins);
    const sign = motor === "open" ? 1 : -1;
    if (this.isBlocked) this.wasBlocked = true;
    if (ms > 0 && !this.isBlocked) {
      const { tiltTime = 0 } = this.times;
      const turning = Math.min(ms, (tiltTime * Math.abs(ends[motor] - this.tilt)) / 100);
      if (tiltTime > 0) this.tilt = Math.max(0, Math.min(100, this.tilt + (sign * 100 * turning) / tiltTime));
      this.position = Math.max(0, Math.min(100, this.position + sign * (ms - turning) * this.speed[motor]));
    }
    if (to >= this.endsAt) this.motor = undefined;
    // The motor of a garage door stops by itself.
    else if (this.isButton && this.position === ends[motor]) {
      this.motor = undefined;
      this.endsAt = to;
      this.next = motor === "open" ? "close" : "open";
    }
  }

  check(): void {
    const { position, tilt, moving } = this.cover.getState();
    // Where the cover knows nothing of its slats, or all agree that they are at an end, nothing is left to excuse.
    const isAtSlatEnd = this.tilt === 0 || this.tilt === 100;
    if (this.motor === undefined && (tilt === null || (isAtSlatEnd && tilt === this.tilt))) this.wasBlocked = false;
    if (moving === "stopped" && !(this.isBroken && this.times.default !== undefined)) this.mayMove = false;
    const areSlatsRight = this.times.tiltTime === undefined || Math.abs(Number(tilt ?? -100) - this.tilt) <= 5;
    if (position === null) {
      // A run that was blocked for a while ends too early, and nothing tells: not where it is, nor how its slats are.
      if (this.motor === undefined && (tilt === null || areSlatsRight)) this.isExcused = false;
      return;
    }
    const error = Math.abs(Number(position) - this.position);
    const end = both.find((one) => Math.abs(this.position - ends[one]) <= 0.3);
    // Wrong slats that nothing tells make the next position wrong, unless a switch tells when the cover moves.
    const isTold = end !== undefined && this.switches[end]?.state === "works";
    if (end !== undefined && error <= 1 && (isTold || areSlatsRight)) this.isExcused = false;
    if (!this.isExcused && !this.isBlocked && !this.isBusy) expect(error).toBeLessThanOrEqual(5);
    if (typeof tilt === "number" && !this.isExcused && !this.wasBlocked) {
      expect(Math.abs(tilt - this.tilt)).toBeLessThanOrEqual(5);
    }
    for (const end of both) {
      // An end is known only while its switch reports.
      if (position === ends[end] && this.switches[end] !== undefined) expect(this.switches[end].reports).toBe(true);
    }
  }

  /** Somebody moves it by hand while it stands. At once after a stop, no switch could tell that from rolling on. */
  hand(to: number): void {
    const { pause = 500 } = this.times;
    if (this.motor !== undefined || this.clock.now() - this.endsAt < pause) return;
    const told = both.some((end) => this.switches[end]?.state === "works" && this.switches[end].reports);
    this.position = to;
    if (!told) this.isExcused = true;
    this.tellAll();
    this.check();
  }

  ask(state: State): void {
    if (this.isBroken && !this.cover[leadsToDefault](state)) return;
    this.mayMove = true;
    try {
      const { moving } = this.cover.updateState(state);
      if (moving === "stopped" && !this.isBroken) this.mayMove = false;
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
    }
  }

  breakGuard(isBroken: boolean): void {
    this.isBroken = isBroken;
    if (isBroken) this.mayMove = this.times.default !== undefined;
    if (isBroken) this.cover.deleteState();
  }

  /** The program ends: by a power cut at this moment, or by a reload. */
  restart(isCut: boolean): void {
    const left = isCut ? undefined : this.cover[leave]();
    this.cover.lose(); // its alarms
    for (const end of both) {
      this.levels[end] = 0;
      if (this.motor === end && this.endsAt === Number.POSITIVE_INFINITY && !this.isButton) this.halt();
    }
    this.pressed = false;
    for (const end of both) if (this.switches[end] !== undefined) this.switches[end].reports = false;
    this.cover = this.start(left);
    this.tellAll();
    if (this.isBroken) this.breakGuard(true);
  }
}
