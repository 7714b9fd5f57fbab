import { expect, test } from "vitest";
import { Deadlines, type Timed } from "../../../ts/core/time/deadlines.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

/** What a deadline may come late, in ms. */
const late = 20;

class Watched implements Timed {
  deadline: number;
  readonly told: number[] = [];
  private readonly next: () => number;

  constructor(deadline: number, next: () => number = () => Number.POSITIVE_INFINITY) {
    this.deadline = deadline;
    this.next = next;
  }

  onDeadline(now: number): void {
    this.told.push(now);
    this.deadline = this.next();
  }
}

function outOfMemory(): never {
  throw new Error("out of memory");
}

function watching(...timed: readonly Watched[]): { clock: SimulatedClock; deadlines: Deadlines<Watched> } {
  const clock = new SimulatedClock();
  const deadlines = new Deadlines<Watched>(clock);
  for (const each of timed) deadlines.add(each);
  return { clock, deadlines };
}

test("each deadline is called for, never early and at most a little late", () => {
  const watched = [100, 105, 1_000, 70].map((deadline) => new Watched(deadline));
  const { clock } = watching(...watched);
  clock.advance(2_000);
  for (const [index, deadline] of [100, 105, 1_000, 70].entries()) {
    const [told = 0, ...more] = watched[index]?.told ?? [];
    expect(told).toBeGreaterThanOrEqual(deadline);
    expect(told).toBeLessThanOrEqual(deadline + late);
    expect(more).toEqual([]);
  }
  expect(clock.running).toBe(0);
});

test("many deadlines share one timer, and before the first one there is no timer", () => {
  const { clock, deadlines } = watching();
  expect(clock.running).toBe(0);
  const watched = Array.from({ length: 50 }, (_, index) => new Watched(1_000 + index));
  for (const each of watched) deadlines.add(each);
  expect(clock.running).toBe(1);
});

test("when the last one has ended its watch, the timer runs on for the next one, and once at most", () => {
  const { clock, deadlines } = watching();
  const setTimer = clock.setTimer.bind(clock);
  let started = 0;
  clock.setTimer = (callback, delay) => {
    started += 1;
    return setTimer(callback, delay);
  };
  for (let count = 0; count < 50; count++) {
    const watched = new Watched(1_000 + count);
    deadlines.add(watched);
    deadlines.remove(watched);
  }
  expect([started, clock.running]).toEqual([1, 1]);
  clock.advance(1_000 + late);
  expect([started, clock.running]).toEqual([1, 0]);
});

test("at the end no timer runs on", () => {
  const [first, second] = [new Watched(100), new Watched(200)];
  const { clock, deadlines } = watching(first, second);
  deadlines.remove(first);
  deadlines.end();
  expect(clock.running).toBe(1);
  deadlines.remove(second);
  expect(clock.running).toBe(0);
});

test("without a deadline nothing ticks", () => {
  const { clock } = watching(new Watched(Number.POSITIVE_INFINITY));
  expect(clock.running).toBe(0);
});

test("a postponed deadline is called for at its new moment only", () => {
  const watched = new Watched(100);
  const { clock } = watching(watched);
  watched.deadline = 500;
  clock.advance(499);
  expect(watched.told).toEqual([]);
  clock.advance(1 + late);
  expect(watched.told).toHaveLength(1);
});

test("a deadline that becomes earlier is called for in time", () => {
  const watched = new Watched(10_000);
  const { clock, deadlines } = watching(watched, new Watched(5_000));
  watched.deadline = 100;
  deadlines.reschedule(watched);
  clock.advance(100 + late);
  expect(watched.told).toHaveLength(1);
});

test("what is no longer watched is not called", () => {
  const watched = new Watched(100);
  const { clock, deadlines } = watching(watched, new Watched(50));
  deadlines.remove(watched);
  clock.advance(1_000);
  expect(watched.told).toEqual([]);
});

test("a deadline set again after it has passed is called for again", () => {
  const clock = new SimulatedClock();
  const deadlines = new Deadlines<Watched>(clock);
  const watched = new Watched(100, () => clock.now() + 100);
  deadlines.add(watched);
  clock.advance(3 * (100 + late));
  expect(watched.told.length).toBe(3);
});

test("if one call fails, the others keep their deadlines", () => {
  const failing = new Watched(100, () => {
    throw new Error("broken");
  });
  const other = new Watched(200);
  const { clock, deadlines } = watching(failing, other);
  expect(() => clock.advance(150)).toThrow("broken");
  deadlines.remove(failing);
  clock.advance(150);
  expect(other.told).toHaveLength(1);
});

test("if one call fails, the others that are due have theirs at once", () => {
  const broken = () => {
    throw new Error("broken");
  };
  const [failing, other] = [new Watched(100, broken), new Watched(100)];
  const { clock } = watching(failing, other);
  expect(() => clock.advance(100 + late)).toThrow("broken");
  expect(other.told).toHaveLength(1);
});

test("a check that cannot be made to its end, because there is no memory, keeps nobody from a later one", () => {
  let isOutOfMemory = false;
  let moment = 100;
  const first: Timed = {
    get deadline() {
      return isOutOfMemory ? outOfMemory() : moment;
    },
    onDeadline: () => {
      isOutOfMemory = true;
      moment = Number.POSITIVE_INFINITY;
    },
  };
  const second = new Watched(300);
  const clock = new SimulatedClock();
  const deadlines = new Deadlines<Timed>(clock);
  deadlines.add(first);
  deadlines.add(second);
  expect(() => clock.advance(200)).toThrow("out of memory");
  isOutOfMemory = false;
  clock.advance(300);
  expect(second.told).toHaveLength(1);
});

test("one may end the watch over all, itself included", () => {
  const clock = new SimulatedClock();
  const deadlines = new Deadlines<Watched>(clock);
  const watched: Watched[] = Array.from(
    { length: 3 },
    () =>
      new Watched(100, () => {
        for (const each of watched) deadlines.remove(each);
        return 0;
      }),
  );
  for (const each of watched) deadlines.add(each);
  clock.advance(1_000);
  expect(watched.flatMap(({ told }) => told)).toHaveLength(1);
  expect(clock.running).toBe(0);
});

test("a timer that could not be made is tried again with the next deadline", () => {
  const clock = new SimulatedClock();
  const deadlines = new Deadlines<Watched>(clock);
  const setTimer = clock.setTimer.bind(clock);
  clock.setTimer = outOfMemory;
  const first = new Watched(100);
  expect(() => deadlines.add(first)).toThrow("out of memory");
  clock.setTimer = setTimer;
  const second = new Watched(200);
  deadlines.add(second);
  clock.advance(300);
  expect(first.told.length).toBe(1);
  expect(second.told.length).toBe(1);
});
