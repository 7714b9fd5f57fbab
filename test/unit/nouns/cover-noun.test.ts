import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { endSwitches, inner } from "../../../ts/core/noun/inner-noun.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { CoverNoun } from "../../../ts/hardware/nouns/cover-noun.ts";
import type { Level, Line } from "../../../ts/native/gpio.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

const times = { openTime: 20_000, closeTime: 10_000, pause: 500, overrun: 10 };

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

  constructor(position = 0, clock = new SimulatedClock(), levels: { [direction: string]: Level } = {}) {
    this.position = position;
    this.clock = clock;
    this.since = clock.now();
    Object.assign(this.levels, levels);
    const lines = { open: this.line("open"), close: this.line("close") };
    const stopAt = { open: { top: { on: 1 } }, close: { bottom: { on: 1 } } };
    this.cover = new CoverNoun({ lines, clock }, { ...times, stopAt });
  }

  /** An end switch reports. */
  reach(end: "open" | "close", isThere: boolean): void {
    inner(this.cover)[endSwitches]?.[end === "open" ? 0 : 1]?.reach(isThere);
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

  private line(name: string): Line {
    return {
      isGone: false,
      getValue: () => this.levels[name] ?? 0,
      setValue: (value: Level) => {
        if (this.isRefusing) throw new Error("refused");
        this.turn();
        if (this.levels[name] !== value) this.log.push(`${name} ${value} at ${this.clock.now()}`);
        this.levels[name] = value;
      },
      close: () => {},
    } as unknown as Line;
  }
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
    expect(bench.cover.setState({ moving: "closing" })).toEqual({ position: 15, moving: "stopped" });
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

  it("takes back the state that it gives, and refuses what it cannot do", () => {
    const bench = closed();
    expect(bench.cover.setState({ position: 0, moving: "stopped" })).toMatchObject({ moving: "closing" });
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

test("a cover knows how much further it went because its output became inactive late", () => {
  const bench = closed();
  bench.cover.setState({ position: 40 });
  bench.pass(7_900);
  bench.clock.turnTime = () => 400;
  bench.pass(100);
  expect(bench.cover.getState()).toEqual({ position: 42, moving: "stopped" });
});

describe("with end switches, a cover", () => {
  it("stops where a switch reports, and knows its position", () => {
    const bench = new Bench();
    bench.cover.setState({ position: 100 });
    bench.pass(3_000);
    bench.reach("open", true);
    expect(bench.cover.getState()).toEqual({ position: 100, moving: "stopped" });
    expect(bench.levels).toEqual({ open: 0, close: 0 });
  });

  it("goes on from an end to where it is wanted", () => {
    const bench = new Bench();
    bench.cover.setState({ position: 30 });
    bench.pass(1_000);
    bench.reach("close", true);
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    bench.pass(times.pause + 6_000);
    expect(bench.cover.getState()).toEqual({ position: 30, moving: "stopped" });
  });

  it("begins no move to an end that it is at, and leaves that end", () => {
    const bench = new Bench();
    bench.reach("open", true);
    expect(bench.cover.setState({ position: 100 })).toEqual({ position: 100, moving: "stopped" });
    expect(bench.levels).toEqual({ open: 0, close: 0 });
    bench.pass(times.pause);
    expect(bench.cover.setState({ position: 50 })).toEqual({ position: 100, moving: "closing" });
    bench.pass(1_000);
    bench.reach("open", false);
    bench.pass(4_000);
    expect(bench.cover.getState()).toEqual({ position: 50, moving: "stopped" });
  });

  it("stops by its times if no switch reports", () => {
    const bench = closed();
    bench.cover.setState({ position: 100 });
    bench.pass(22_000);
    expect(bench.cover.getState()).toEqual({ position: 100, moving: "stopped" });
  });

  it("does not reverse for a switch that reports while it leaves that end", () => {
    const bench = closed();
    bench.cover.setState({ position: 100 });
    bench.pass(100);
    bench.reach("close", false);
    bench.reach("close", true);
    expect(bench.cover.getState()).toMatchObject({ moving: "opening" });
  });
});
