import fc from "fast-check";
import { expect, test } from "vitest";
import { Presses, type PressTimes } from "../../../ts/hardware/nouns/presses.ts";
import type { Level } from "../../../ts/native/gpio.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

const longPress = 500;
const doublePress = 300;

function make({ level = 0, ...times }: Partial<PressTimes> & { level?: Level } = {}) {
  const clock = new SimulatedClock();
  let told = 0;
  const presses = new Presses(clock, { longPress, doublePress: 0, ...times }, level, () => {
    told += 1;
  });
  return { clock, presses, told: () => told };
}

type Button = ReturnType<typeof make>;

function press({ clock, presses }: Button, duration: number): void {
  presses.edge(1, clock.now());
  clock.advance(duration);
  presses.edge(0, clock.now());
}

test("a press is short at its release", () => {
  const button = make();
  button.presses.edge(1, 0);
  expect(button.presses.counts).toEqual({ short: 0, long: 0, double: 0 });
  button.clock.advance(499);
  button.presses.edge(0, 499);
  expect(button.presses.counts).toEqual({ short: 1, long: 0, double: 0 });
  expect(button.clock.running).toBe(0);
});

test("a press is long while it lasts, and its release counts nothing", () => {
  const button = make();
  button.presses.edge(1, 0);
  button.clock.advance(499);
  expect(button.presses.counts.long).toBe(0);
  button.clock.advance(1);
  expect(button.presses.counts).toEqual({ short: 0, long: 1, double: 0 });
  button.clock.advance(10_000);
  button.presses.edge(0, 10_500);
  expect(button.presses.counts).toEqual({ short: 0, long: 1, double: 0 });
});

test("a press whose release was lost ends with the next one", () => {
  const { presses } = make();
  presses.edge(1, 0);
  presses.edge(1, 100);
  expect(presses.counts.short).toBe(1);
  presses.edge(0, 200);
  expect(presses.counts.short).toBe(2);
  presses.edge(0, 300);
  expect(presses.counts).toEqual({ short: 3, long: 0, double: 0 });
});

test("a reset begins the counts again, and a press that lasts still counts", () => {
  const button = make();
  press(button, 10);
  button.presses.edge(1, 10);
  button.presses.reset();
  expect(button.presses.counts).toEqual({ short: 0, long: 0, double: 0 });
  button.presses.edge(0, 20);
  expect(button.presses.counts.short).toBe(1);
});

test("after its end nothing is counted", () => {
  const button = make();
  button.presses.edge(1, 0);
  button.presses.close();
  button.clock.advance(1_000);
  expect(button.presses.counts.long).toBe(0);
  expect(button.clock.running).toBe(0);
});

test("whatever the moments, each press counts once, in its kind, and each count is told", () => {
  const time = fc.oneof(fc.integer({ min: 1, max: 700 }), fc.constantFrom(299, 300, 301, 499, 500, 501));
  const property = fc.property(
    fc.array(fc.record({ pause: time, duration: time, isLate: fc.boolean() }), { maxLength: 20 }),
    fc.constantFrom(0, doublePress),
    (many, within) => {
      const { clock, presses, told } = make({ doublePress: within });
      const moments: { began: number; ended: number }[] = [];
      let moment = 0;
      for (const { pause, duration, isLate } of many) {
        const began = moment + pause;
        const ended = began + duration;
        moments.push({ began, ended });
        // A late loop reads both edges in one turn, before its timers.
        if (!isLate) clock.advance(Math.max(0, began - clock.now()));
        presses.edge(1, began);
        if (!isLate) clock.advance(Math.max(0, ended - clock.now()));
        presses.edge(0, ended);
        moment = ended;
      }
      clock.advance(10_000);
      const expected = { short: 0, long: 0, double: 0 };
      for (let index = 0; index < moments.length; index++) {
        const [one, next] = moments.slice(index, index + 2);
        if (one === undefined) break;
        const isLong = ({ began, ended }: { began: number; ended: number }) => ended - began >= longPress;
        if (isLong(one)) expected.long += 1;
        else if (within > 0 && next !== undefined && next.began - one.ended < within && !isLong(next)) {
          expected.double += 1;
          index += 1;
        } else expected.short += 1;
      }
      expect(presses.counts).toEqual(expected);
      expect(told()).toBe(expected.short + expected.long + expected.double);
      expect(clock.running).toBe(0);
    },
  );
  fc.assert(property, { numRuns: 500 });
});
