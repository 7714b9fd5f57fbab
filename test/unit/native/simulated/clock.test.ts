import { expect, test } from "vitest";
import { SimulatedClock } from "../../../../ts/native/simulated/clock.ts";

test("time passes when it is told to", () => {
  const clock = new SimulatedClock();
  expect(clock.now()).toBe(0);
  clock.advance(15);
  expect(clock.now()).toBe(15);
});

test("timers are called once, in the order of their moments, each at its own", () => {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  clock.setTimer(() => void calls.push(`b ${clock.now()}`), 20);
  clock.setTimer(() => void calls.push(`a ${clock.now()}`), 10);
  clock.setTimer(() => void calls.push(`c ${clock.now()}`), 20);
  clock.advance(19);
  expect(calls).toEqual(["a 10"]);
  clock.advance(1);
  clock.advance(100);
  expect(calls).toEqual(["a 10", "b 20", "c 20"]);
  expect(clock.running).toBe(0);
});

test("a timer set by a timer is called when its moment lies within the time that passes", () => {
  const clock = new SimulatedClock();
  const calls: number[] = [];
  const tick = (): void => {
    calls.push(clock.now());
    clock.setTimer(tick, 10);
  };
  clock.setTimer(tick, 10);
  clock.advance(35);
  expect(calls).toEqual([10, 20, 30]);
  expect(clock.running).toBe(1);
});

test("a timer that is cleared, also by another one, is not called", () => {
  const clock = new SimulatedClock();
  const calls: string[] = [];
  const second = clock.setTimer(() => void calls.push("second"), 10);
  clock.setTimer(() => clock.clearTimer(second), 5);
  clock.advance(10);
  clock.clearTimer(second);
  expect(calls).toEqual([]);
  expect(clock.running).toBe(0);
});

test("a timer of no or a negative delay is called as soon as time passes, and time does not step back", () => {
  const clock = new SimulatedClock();
  clock.advance(10);
  const moments: number[] = [];
  clock.setTimer(() => void moments.push(clock.now()), -5);
  clock.advance(0);
  expect(moments).toEqual([10]);
});
