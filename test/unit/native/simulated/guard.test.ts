import { expect, test } from "vitest";
import { SimulatedGuard } from "../../../../ts/native/simulated/guard.ts";

test("a guarded call has its arguments and its result", () => {
  expect(new SimulatedGuard().call((...by: number[]) => by.reduce((sum, term) => sum + term, 40), 1, 1)).toBe(42);
});

test("an exempt call has its arguments and its result", () => {
  expect(new SimulatedGuard().exempt((...by: number[]) => by.reduce((sum, term) => sum + term, 40), 1, 1)).toBe(42);
});

test("what a guarded call throws is thrown, and is no interruption", () => {
  const guard = new SimulatedGuard();
  const error = new Error("broken");
  const broken = () => {
    throw error;
  };
  expect(() => guard.call(broken)).toThrow(error);
  expect(guard.isInterruption(error)).toBe(false);
});
