import { expect, test, vi } from "vitest";
import { Alarm } from "../../../ts/core/time/alarm.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

function make() {
  const clock = new SimulatedClock();
  const rung: number[] = [];
  return { clock, rung, alarm: new Alarm(clock, () => void rung.push(clock.now())) };
}

test("it rings once, at its moment, or in another turn if that has passed", () => {
  const { clock, rung, alarm } = make();
  alarm.set(30);
  clock.advance(100);
  alarm.set(50);
  expect(rung).toEqual([30]);
  clock.advance(0);
  expect(rung).toEqual([30, 100]);
  expect(clock.running).toBe(0);
});

test("an earlier moment replaces a later one; a later one is looked at when the earlier one has come", () => {
  const { clock, rung, alarm } = make();
  alarm.set(30);
  alarm.set(20);
  alarm.set(40);
  expect(clock.running).toBe(1);
  clock.advance(100);
  expect(rung).toEqual([20]);
});

test("Infinity stops it", () => {
  const { clock, rung, alarm } = make();
  alarm.set(30);
  alarm.set(Number.POSITIVE_INFINITY);
  expect(clock.running).toBe(0);
  clock.advance(100);
  expect(rung).toEqual([]);
});

test("without memory for a timer it stays as it was", () => {
  const { clock, rung, alarm } = make();
  alarm.set(30);
  vi.spyOn(clock, "setTimer").mockImplementation(() => {
    throw new Error("out of memory");
  });
  for (const moment of [20, 40]) expect(() => alarm.move(moment)).toThrow("out of memory");
  clock.advance(100);
  expect(rung).toEqual([30]);
});

test("it is moved to a later moment", () => {
  const { clock, rung, alarm } = make();
  alarm.set(30);
  alarm.move(50);
  expect(clock.running).toBe(1);
  clock.advance(100);
  expect(rung).toEqual([50]);
});

test("it can be set from within its own ringing", () => {
  const clock = new SimulatedClock();
  let count = 0;
  const alarm: Alarm = new Alarm(clock, () => {
    count += 1;
    if (count < 3) alarm.set(clock.now() + 10);
  });
  alarm.set(10);
  clock.advance(100);
  expect([count, clock.running]).toEqual([3, 0]);
});
