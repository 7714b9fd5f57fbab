import { expect, test } from "vitest";
import { SimulatedGuard } from "../../../../ts/native/simulated/guard.ts";

test("a guarded call has its object, its arguments and its result", () => {
  const counter = {
    count: 40,
    add(...by: number[]) {
      return by.reduce((sum, term) => sum + term, this.count);
    },
  };
  expect(new SimulatedGuard().invoke(counter, "add", 1, 1)).toBe(42);
});

test("what a guarded call throws is thrown, and is no interruption", () => {
  const guard = new SimulatedGuard();
  const error = new Error("broken");
  const broken = {
    run: () => {
      throw error;
    },
  };
  expect(() => guard.invoke(broken, "run")).toThrow(error);
  expect(guard.isInterruption(error)).toBe(false);
});
