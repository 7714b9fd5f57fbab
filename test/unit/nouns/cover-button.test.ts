/** The button of a motor, as a program that ends leaves it. */
import { expect, test } from "vitest";
import { OneButtonMotor } from "../../../ts/hardware/nouns/cover-button.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

test("a program that ends while it presses the button lets it go", () => {
  const clock = new SimulatedClock();
  const levels: number[] = [];
  const output = {
    set: (level: number, done: () => void) => {
      levels.push(level);
      done();
    },
    stayInactive: () => {},
  };
  const nothing = () => {};
  const events = { onRun: nothing, onRefused: nothing, onRest: nothing };
  const motor = new OneButtonMotor(output, clock, { pulse: 300, pause: 100 }, events);
  motor.run("open");
  clock.advance(150);
  expect(levels).toEqual([1]);
  motor.close();
  expect(levels).toEqual([1, 0]);
});
