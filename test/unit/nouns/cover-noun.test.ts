import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { comeToRest } from "../../../ts/core/feeds/driven-noun.ts";
import type { KeptText } from "../../../ts/core/noun/kept-text.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { endSwitches, traitsOf } from "../../../ts/core/noun/noun-traits.ts";
import { OneButtonMotor } from "../../../ts/hardware/nouns/cover-button.ts";
import { type MotorEvents, TwoWayMotor } from "../../../ts/hardware/nouns/cover-motor.ts";
import { CoverNoun } from "../../../ts/hardware/nouns/cover-noun.ts";
import type { CoverTimes } from "../../../ts/hardware/nouns/cover-options.ts";
import type { CoverOutput } from "../../../ts/hardware/nouns/cover-output.ts";
import type { Level } from "../../../ts/native/gpio.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

const times = { openTime: 20_000, closeTime: 10_000, pause: 500 };

/** Two lines, a motor between them, and what happened when. */
class Bench {
  readonly clock: SimulatedClock;
  readonly levels: { [direction: string]: Level } = { open: 0, close: 0 };
  readonly log: string[] = [];
  isRefusing = false;
  /** Where the motor really is. */
  position: number;
  private since = 0;
  readonly cover: CoverNoun;

  readonly reports: string[] = [];

  constructor(
    position = 0,
    clock = new SimulatedClock(),
    levels: { [direction: string]: Level } = {},
    { kept, ...more }: Partial<CoverTimes> & { readonly kept?: KeptText } = {},
  ) {
    this.position = position;
    this.clock = clock;
    this.since = clock.now();
    const outputs = { open: this.output("open"), close: this.output("close") };
    const wasMoving = Object.values(levels).includes(1);
    Object.assign(this.levels, { open: 0, close: 0 });
    const report = (sentence: string) => void this.reports.push(sentence);
    this.cover = new CoverNoun(
      {
        motor: (events, pause) => new TwoWayMotor(outputs, clock, pause, events),
        clock,
        wasMoving,
        report,
        ...(kept && { kept }),
      },
      { ...times, ...more },
    );
  }

  /** An end switch reports. */
  reach(end: "open" | "close", isThere: boolean): void {
    traitsOf(this.cover)[endSwitches]?.[end === "open" ? 0 : 1]?.reach(isThere);
  }

  /** Lets the motor come to where it is now. */
  turn(): void {
    const ms = this.clock.now() - this.since;
    this.since = this.clock.now();
    const { open = 0, close = 0 } = this.levels;
    const way = (100 * open * ms) / times.openTime - (100 * close * ms) / times.closeTime;
    this.position = Math.max(0, Math.min(100, this.position + way));
  }

  pass(ms: number): void {
    this.clock.advance(ms);
    this.turn();
  }

  private output(name: string): CoverOutput {
    const set = (value: Level) => {
      if (this.isRefusing) throw new Error("refused");
      this.turn();
      if (this.levels[name] !== value) this.log.push(`${name} ${value} at ${this.clock.now()}`);
      this.levels[name] = value;
    };
    return {
      set: (value, done) => {
        set(value);
        done();
      },
      stayInactive: () => set(0),
    };
  }
}

const stopAt = { open: { top: { on: 1 } }, close: { bottom: { on: 1 } } };

/** A cover with two end switches. */
function switched(position = 0): Bench {
  return new Bench(position, new SimulatedClock(), {}, { stopAt });
}

/** A cover that is closed and knows it. */
function closed(): Bench {
  const bench = new Bench();
  bench.cover.setState({ position: 0 });
  bench.pass(12_000);
  bench.log.splice(0);
  return bench;
}

describe("a cover", () => {
  it("moves to a position and stops there", () => {
    const bench = closed();
    const began = bench.clock.now();
    expect(bench.cover.setState({ position: 40 })).toEqual({ position: 0, moving: "opening" });
    bench.pass(4_000);
    expect(bench.cover.getState()).toEqual({ position: 20, moving: "opening" });
    bench.pass(4_000);
    expect(bench.cover.getState()).toEqual({ position: 40, moving: "stopped" });
    expect(bench.log).toEqual([`open 1 at ${began}`, `open 0 at ${began + 8_000}`]);
  });

  it("runs longer to an end, which makes its position right", () => {
    const bench = new Bench(63);
    bench.pass(500);
    expect(bench.cover.setState({ position: 0 })).toEqual({ position: null, moving: "closing" });
    bench.pass(10_999);
    expect(bench.cover.getState()).toEqual({ position: null, moving: "closing" });
    bench.pass(1);
    expect(bench.cover.getState()).toEqual({ position: 0, moving: "stopped" });
    expect(bench.position).toBe(0);
  });

  it("goes to the nearer end first while its position is unknown", () => {
    const bench = new Bench(63);
    bench.cover.setState({ position: 30 });
    bench.pass(60_000);
    expect(bench.cover.getState()).toEqual({ position: 30, moving: "stopped" });
    expect(bench.position).toBeCloseTo(30, 5);
    expect(bench.log.map((line) => line.slice(0, 7))).toEqual(["close 1", "close 0", "open 1 ", "open 0 "]);
  });

  it("waits with both outputs inactive before it turns round", () => {
    const bench = closed();
    bench.cover.setState({ moving: "opening" });
    bench.pass(3_000);
    const turned = bench.clock.now();
    expect(bench.cover.setState({ moving: "closing" })).toEqual({ position: 15, moving: "closing" });
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    bench.pass(5_000);
    expect(bench.log.slice(1, 3)).toEqual([`open 0 at ${turned}`, `close 1 at ${turned + 500}`]);
    expect(bench.cover.getState()).toEqual({ position: 0, moving: "stopped" });
  });

  it("is one button: open, stop, close, stop", () => {
    const bench = closed();
    const press = () => {
      const { moving } = bench.cover.updateState({});
      bench.pass(1_000);
      return moving;
    };
    expect([press(), press(), press(), press(), press()]).toEqual([
      "opening",
      "stopped",
      "closing",
      "stopped",
      "opening",
    ]);
  });

  it("stops by DELETE and by a word, wherever it is", () => {
    const bench = closed();
    bench.cover.setState({ position: 80 });
    bench.pass(5_000);
    expect(bench.cover.deleteState()).toEqual({ position: 25, moving: "stopped" });
    bench.cover.setState({ position: 80 });
    bench.pass(1_000);
    expect(bench.cover.updateState({ moving: "stopped" })).toEqual({ position: 30, moving: "stopped" });
    bench.pass(60_000);
    expect(bench.levels).toEqual({ open: 0, close: 0 });
  });

  it("moves nothing for the same position again, and for the state that it gives", () => {
    const bench = closed();
    expect(bench.cover.setState({ position: 0 })).toEqual({ position: 0, moving: "stopped" });
    expect(bench.cover.setState({ moving: "closing" })).toEqual({ position: 0, moving: "stopped" });
    bench.cover.setState({ moving: "opening" });
    bench.pass(3_050); // 15.25 %
    bench.cover.setState({ moving: "stopped" });
    bench.log.splice(0);
    for (const state of [{ position: 15 }, { position: 15, moving: "stopped" }, bench.cover.getState()]) {
      expect(bench.cover.setState(state)).toEqual({ position: 15, moving: "stopped" });
      expect(bench.cover.updateState(state)).toEqual({ position: 15, moving: "stopped" });
    }
    bench.pass(5_000);
    expect(bench.log).toEqual([]);
  });

  it("goes on when it gets the state back that it gives while it moves", () => {
    const bench = closed();
    bench.cover.setState({ position: 60 });
    bench.pass(3_000);
    const state = bench.cover.getState();
    expect(state).toEqual({ position: 15, moving: "opening" });
    expect(bench.cover.setState(state)).toEqual(state);
    bench.pass(20_000);
    expect(bench.cover.getState()).toEqual({ position: 60, moving: "stopped" });
  });

  it("does not run longer because the same command comes again and again", () => {
    const bench = closed();
    for (let second = 0; second < 60; second++) {
      bench.cover.setState({ moving: "opening" });
      bench.pass(1_000);
    }
    expect(bench.log.map((line) => line.slice(0, 6))).toEqual(["open 1", "open 0"]);
  });

  it("knows where it is while it is unknown, and takes that back, too", () => {
    const bench = new Bench(50);
    const state = bench.cover.getState();
    expect(state).toEqual({ position: null, moving: "stopped" });
    expect(bench.cover.setState(state)).toEqual(state);
    expect(bench.log).toEqual([]);
  });

  it("refuses what it cannot do", () => {
    const bench = closed();
    expect(() => bench.cover.setState({ position: 4, moving: "opening" })).toThrow("not both");
    expect(() => bench.cover.setState({ position: null })).toThrow("from 0 to 100");
  });

  it("stops at the start what an earlier process has left moving, and forgets where it is", () => {
    const bench = new Bench(50, new SimulatedClock(), { close: 1 });
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    expect(bench.cover.getState()).toEqual({ position: null, moving: "stopped" });
    bench.cover.setState({ moving: "opening" });
    bench.pass(499);
    expect(bench.levels["open"]).toBe(0);
    bench.pass(1);
    expect(bench.levels["open"]).toBe(1);
  });

  it("stops at a reload, and the next process knows where", () => {
    const bench = closed();
    bench.cover.setState({ position: 80 });
    bench.pass(5_000);
    const left = bench.cover[leave]();
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    const next = new Bench(bench.position, bench.clock);
    next.cover[takeOver](left);
    expect(next.cover.getState()).toEqual({ position: 25, moving: "stopped" });
  });

  it("is stopped later if the kernel refuses", () => {
    const bench = closed();
    bench.cover.setState({ position: 40 });
    bench.isRefusing = true;
    expect(() => bench.pass(8_000)).toThrow("refused");
    bench.isRefusing = false;
    bench.pass(1_000);
    expect(bench.levels).toEqual({ open: 0, close: 0 });
  });
});

test("whatever is asked, both outputs are never active, a reversal waits, and the position is right", () => {
  const command = fc.oneof(
    fc.record({ position: fc.nat(100) }),
    fc.record({ moving: fc.constantFrom("opening", "closing", "stopped") }),
    fc.constant({}),
  );
  const step = fc.record({ command, ms: fc.oneof(fc.nat(300), fc.nat(9_000)) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const bench = closed();
      for (const { command: change, ms } of steps) {
        bench.cover.updateState(change);
        bench.pass(ms);
        expect(bench.levels).not.toEqual({ open: 1, close: 1 });
      }
      bench.cover.deleteState();
      bench.turn();
      const { position } = bench.cover.getState();
      if (position !== null) expect(Math.abs(Number(position) - bench.position)).toBeLessThan(2);
      let last: { readonly name: string; readonly time: number } | undefined;
      for (const line of bench.log) {
        const [name = "", level, , time] = line.split(" ");
        if (level === "0") last = { name, time: Number(time) };
        else if (last !== undefined && last.name !== name) expect(Number(time) - last.time).toBeGreaterThanOrEqual(500);
      }
    }),
    { numRuns: 500 },
  );
});

test("the pause of a cover begins when the output is inactive, however long the turn has taken until then", () => {
  const bench = closed();
  bench.cover.setState({ position: 100 });
  bench.pass(3_000);
  bench.clock.turnTime = () => 90;
  bench.cover.deleteState();
  bench.clock.turnTime = () => 0;
  const stopped = bench.clock.now();
  bench.pass(450);
  bench.cover.setState({ position: 0 });
  bench.pass(1_000);
  expect(bench.log.at(-1)).toBe(`close 1 at ${stopped + 90 + times.pause}`);
});

test("a cover that stopped a moment late is where it was to be, and does not correct that", () => {
  const bench = closed();
  for (const late of [150, 400]) {
    bench.cover.setState({ position: 0 });
    bench.pass(60_000);
    bench.cover.setState({ position: 40 });
    bench.pass(7_900);
    bench.clock.turnTime = () => late;
    bench.pass(100);
    bench.clock.turnTime = () => 0;
    bench.pass(1_000);
    bench.log.splice(0);
    expect(bench.cover.getState()).toEqual({ position: late === 150 ? 40 : 42, moving: "stopped" });
    bench.cover.setState({ position: 40 });
    bench.cover.setState(bench.cover.getState());
    bench.pass(1_000);
    expect(bench.log).toEqual([]);
  }
});

test("a cover knows how much further it went because its output became inactive late", () => {
  const bench = closed();
  bench.cover.setState({ position: 40 });
  bench.pass(7_900);
  bench.clock.turnTime = () => 400;
  bench.pass(100);
  expect(bench.cover.getState()).toEqual({ position: 42, moving: "stopped" });
});

describe("with end switches, a cover", () => {
  const missing = "It did not reach its end switch in time.";
  const stuck = "An end switch reports where the cover cannot be.";

  it("stops where a switch reports, and knows its position", () => {
    const bench = switched();
    bench.cover.setState({ position: 100 });
    bench.pass(3_000);
    bench.reach("open", true);
    expect(bench.cover.getState()).toEqual({ position: 100, moving: "stopped", failure: null });
    expect(bench.levels).toEqual({ open: 0, close: 0 });
  });

  it("goes on from an end to where it is wanted", () => {
    const bench = switched();
    bench.cover.setState({ position: 30 });
    bench.pass(1_000);
    bench.reach("close", true);
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    expect(bench.cover.getState()).toMatchObject({ position: 0, moving: "opening" });
    bench.pass(times.pause + 100);
    bench.reach("close", false);
    bench.pass(5_900);
    expect(bench.cover.getState()).toEqual({ position: 30, moving: "stopped", failure: null });
  });

  it("begins no move to an end that it is at, and leaves that end", () => {
    const bench = switched();
    bench.reach("open", true);
    expect(bench.cover.setState({ position: 100 })).toMatchObject({ position: 100, moving: "stopped" });
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    bench.pass(times.pause);
    expect(bench.cover.setState({ position: 50 })).toMatchObject({ position: 100, moving: "closing" });
    bench.pass(400);
    bench.reach("open", false);
    bench.pass(4_600);
    expect(bench.cover.getState()).toEqual({ position: 50, moving: "stopped", failure: null });
  });

  it.each([
    ["open", "close", "opening"],
    ["close", "open", "closing"],
  ] as const)("that a hand has moved back after it ran to %s leaves its end by POST", (ran, end, moving) => {
    const bench = switched();
    bench.reach(end, true);
    bench.pass(times.pause);
    bench.cover.updateState({ moving });
    bench.pass(100);
    bench.reach(end, false);
    bench.pass(3_000);
    bench.reach(ran, true);
    bench.pass(60_000);
    bench.reach(ran, false);
    bench.reach(end, true);
    expect(bench.cover.updateState({})).toMatchObject({ moving });
  });

  it("is at nobody knows where once the switch of its end is released from outside", () => {
    const bench = switched();
    bench.reach("close", true);
    bench.pass(10_000);
    expect(bench.cover.getState()).toMatchObject({ position: 0 });
    bench.reach("close", false);
    expect(bench.cover.getState()).toEqual({ position: null, moving: "stopped", failure: null });
    bench.reach("close", true);
    expect(bench.cover.getState()).toEqual({ position: 0, moving: "stopped", failure: null });
    bench.pass(60_000);
    expect(bench.log).toEqual([]);
  });

  it("says that it is stuck if the time is over and no switch has reported", () => {
    const bench = switched();
    bench.reach("close", true);
    bench.pass(times.pause);
    bench.cover.setState({ position: 100 });
    bench.pass(100);
    bench.reach("close", false);
    bench.pass(21_900);
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    expect(bench.cover.getState()).toEqual({ position: null, moving: "stopped", failure: missing });
    expect(bench.reports).toEqual([missing]);
    // The state that it gives can be sent back.
    expect(bench.cover.setState(bench.cover.getState())).toMatchObject({ failure: missing });
    bench.cover.setState({ position: 0 });
    bench.pass(3_000);
    bench.reach("close", true);
    expect(bench.cover.getState()).toEqual({ position: 0, moving: "stopped", failure: null });
  });

  it("is never shown at an end whose switch does not report", () => {
    const bench = switched();
    bench.reach("close", true);
    bench.pass(times.pause);
    bench.cover.setState({ position: 100 });
    bench.pass(100);
    bench.reach("close", false);
    bench.pass(20_500);
    expect(bench.cover.getState()).toMatchObject({ position: 99, moving: "opening" });
    bench.cover.deleteState();
    expect(bench.cover.getState()).toMatchObject({ position: 99, moving: "stopped" });
  });

  it("knows no position while a switch still reports that it should have left", () => {
    const bench = switched();
    bench.reach("close", true);
    bench.pass(times.pause);
    bench.cover.setState({ position: 40 });
    bench.pass(500);
    expect(bench.cover.getState()).toMatchObject({ position: 3, moving: "opening" });
    bench.pass(1_500);
    expect(bench.cover.getState()).toMatchObject({ position: null, moving: "opening" });
    bench.pass(6_000);
    expect(bench.cover.getState()).toEqual({ position: null, moving: "stopped", failure: stuck });
    expect(bench.reports).toEqual([stuck]);
    bench.pass(60_000);
    expect(bench.levels).toEqual({ open: 0, close: 0 });
  });

  it("knows no position while both switches report", () => {
    const bench = switched();
    bench.reach("close", true);
    bench.reach("open", true);
    expect(bench.cover.getState()).toEqual({ position: null, moving: "stopped", failure: stuck });
    bench.cover.setState({ position: 50 });
    bench.pass(600_000);
    expect(bench.cover.getState()).toMatchObject({ position: null, moving: "stopped" });
  });

  it("does not reverse for a switch that reports while it leaves that end", () => {
    const bench = switched();
    bench.reach("close", true);
    bench.pass(times.pause);
    bench.cover.setState({ position: 100 });
    bench.pass(100);
    bench.reach("close", false);
    bench.reach("close", true);
    bench.reach("close", false);
    expect(bench.cover.getState()).toMatchObject({ position: 1, moving: "opening" });
  });

  it("does not believe after a restart that it is still at an end, unless the switch reports", () => {
    const clock = new SimulatedClock();
    const kept = (text: string) => ({ text, keep: () => {}, flush: () => {} }) as unknown as KeptText;
    expect(new Bench(0, clock, {}, { stopAt, kept: kept("0") }).cover.getState()).toMatchObject({ position: null });
    expect(new Bench(0, clock, {}, { kept: kept("0") }).cover.getState()).toMatchObject({ position: 0 });
    expect(new Bench(0, clock, {}, { stopAt, kept: kept("40") }).cover.getState()).toMatchObject({ position: 40 });
  });
});

/** An output whose orders are carried out at once, and answered when a test says so. */
class SlowOutput implements CoverOutput {
  level: Level = 0;
  onOutside?: (isActive: boolean) => void;
  private readonly unanswered: ((isRefused: boolean) => void)[] = [];

  set(level: Level, done: () => void, failed: (isDoubtful: boolean) => void): void {
    this.level = level;
    this.unanswered.push((isLost) => (isLost ? failed(true) : done()));
  }

  stayInactive(): void {
    if (this.level !== 0) throw new Error("active");
  }

  /** @param isLost whether the answer comes as a failure, after which nobody knows the level. */
  answer(isLost = false): void {
    this.unanswered.shift()?.(isLost);
  }
}

describe("at the end, a cover whose output answers late", () => {
  const forms = {
    "two outputs": (output: CoverOutput, clock: SimulatedClock) => (events: MotorEvents, pause: number) =>
      new TwoWayMotor({ open: output, close: new SlowOutput() }, clock, pause, events),
    "one button": (output: CoverOutput, clock: SimulatedClock) => (events: MotorEvents, pause: number) =>
      new OneButtonMotor(output, clock, { pulse: 300, pause }, events),
  };
  const answers = { "it is set": false, "nobody knows whether it is set": true };
  const cases = Object.entries(forms).flatMap(([form, motor]) =>
    Object.entries(answers).map(([answer, isLost]) => [form, answer, motor, isLost] as const),
  );

  it.each(cases)("rests only when nothing is active any more: %s, %s", async (_form, _answer, motor, isLost) => {
    const clock = new SimulatedClock();
    const output = new SlowOutput();
    const cover = new CoverNoun({ motor: motor(output, clock), clock }, times);
    clock.advance(times.pause);
    cover.setState({ moving: "opening" });
    expect(output.level).toBe(1);
    let isAtRest = false;
    const rest = cover[comeToRest](true).then(() => {
      isAtRest = true;
    });
    await Promise.resolve();
    expect(isAtRest).toBe(false);
    output.answer(isLost);
    for (let step = 0; step < 8; step++) {
      await Promise.resolve();
      expect(isAtRest && output.level === 1).toBe(false);
      clock.advance(300);
      output.answer();
    }
    await rest;
    expect(output.level).toBe(0);
  });

  it("rests when its output was refused", async () => {
    const clock = new SimulatedClock();
    const refusals: ((isDoubtful: boolean) => void)[] = [];
    const output = {
      set: (_: Level, _done: () => void, failed: (isDoubtful: boolean) => void) => void refusals.push(failed),
      stayInactive() {},
    };
    const cover = new CoverNoun({ motor: forms["two outputs"](output, clock), clock }, times);
    clock.advance(times.pause);
    cover.setState({ moving: "opening" });
    const rest = cover[comeToRest](true);
    refusals[0]?.(false);
    await rest;
    expect(refusals).toHaveLength(1);
  });

  it("makes an output inactive that something else has made active, although that failed first", () => {
    const clock = new SimulatedClock();
    const [open, close] = [new SlowOutput(), new SlowOutput()];
    const motor = (events: MotorEvents, pause: number) => new TwoWayMotor({ open, close }, clock, pause, events);
    const cover = new CoverNoun({ motor, clock }, times);
    clock.advance(times.pause);
    cover.setState({ moving: "opening" });
    open.answer();
    close.onOutside?.(true);
    close.answer(true);
    close.level = 1;
    open.answer();
    expect([open.level, close.level]).toEqual([0, 0]);
  });

  it("rests at once if nothing is active", async () => {
    await closed().cover[comeToRest](true);
  });
});
