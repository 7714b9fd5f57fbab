import { expect, test } from "vitest";
import { SimulatedInterruption } from "../../../../ts/native/simulated/interruption.ts";

test("a guarded call has its arguments and its result", () => {
  expect(new SimulatedInterruption().call((...by: number[]) => by.reduce((sum, term) => sum + term, 40), 1, 1)).toBe(
    42,
  );
});

test("an exempt call has its arguments and its result", () => {
  expect(new SimulatedInterruption().exempt((...by: number[]) => by.reduce((sum, term) => sum + term, 40), 1, 1)).toBe(
    42,
  );
});

test("what a guarded call throws is thrown, and is no interruption", () => {
  const interruption = new SimulatedInterruption();
  const error = new Error("broken");
  const broken = () => {
    throw error;
  };
  expect(() => interruption.call(broken)).toThrow(error);
  expect(interruption.isInterruption(error)).toBe(false);
});
