import { expect, test, vi } from "vitest";
import { type Postponed, Turns } from "../../../ts/core/time/turns.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { LoopTurns } from "./loop-turns.ts";

/** Takes so many turns, each of so many ms. */
function work(turns: LoopTurns, log: string[], name: string, milliseconds: number, count = 1): Postponed {
  let left = count;
  return {
    onTurn: () => {
      turns.time += milliseconds;
      log.push(name);
      left -= 1;
      return left === 0;
    },
  };
}

test("all that is postponed shares the time of a turn, in its order", () => {
  const clock = new SimulatedClock();
  const turns = new LoopTurns(clock);
  const log: string[] = [];
  const next = new Turns(clock);
  for (const name of ["a", "b", "c", "d"]) next.add(work(turns, log, name, 0.5));
  expect(log).toEqual([]);
  turns.next();
  expect(log).toEqual(["a", "b"]);
  turns.next();
  expect(log).toEqual(["a", "b", "c", "d"]);
  turns.all();
  expect(log).toHaveLength(4);
});

test("one of it has its turn, however long the turn has taken already", () => {
  const clock = new SimulatedClock();
  const turns = new LoopTurns(clock);
  const log: string[] = [];
  const next = new Turns(clock);
  next.add(work(turns, log, "a", 5));
  next.add(work(turns, log, "b", 5));
  turns.next();
  expect(log).toEqual(["a"]);
  turns.next();
  expect(log).toEqual(["a", "b"]);
});

test("what is not done is the first one in the next turn", () => {
  const clock = new SimulatedClock();
  const turns = new LoopTurns(clock);
  const log: string[] = [];
  const next = new Turns(clock);
  next.add(work(turns, log, "a", 2, 3));
  next.add(work(turns, log, "b", 2));
  turns.all();
  expect(log).toEqual(["a", "a", "a", "b"]);
});

test("when one fails, it is done, and the others have their turns", () => {
  const clock = new SimulatedClock();
  const turns = new LoopTurns(clock);
  const log: string[] = [];
  const next = new Turns(clock);
  const failing = () => {
    throw new Error("no");
  };
  next.add({ onTurn: failing });
  next.add(work(turns, log, "b", 0));
  expect(() => turns.next()).toThrow("no");
  turns.all();
  expect(log).toEqual(["b"]);
});

test("without memory for another turn, all of it goes on in this one", () => {
  const clock = new SimulatedClock();
  const turns = new LoopTurns(clock);
  const log: string[] = [];
  const next = new Turns(clock);
  const error = new Error("out of memory");
  next.add({
    onTurn: () => {
      turns.time += 2;
      throw error;
    },
  });
  next.add(work(turns, log, "b", 2, 2));
  next.add(work(turns, log, "c", 2));
  vi.spyOn(clock, "setTimer").mockImplementation(() => {
    throw error;
  });
  expect(() => turns.all()).toThrow(error);
  expect(log).toEqual(["b", "b", "c"]);
});
