/** A line on a simulated pin, for the tests of the nouns that have one. */
import type { LineSettings } from "../../../ts/native/gpio.ts";
import type { Clock } from "../../../ts/native/loop.ts";
import { SimulatedGpio } from "../../../ts/native/simulated/gpio.ts";

const address = { chip: "gpiochip0", offset: 17 };

/** Settings of an output without anything special. */
export const output: LineSettings = {
  consumer: "nound:it",
  direction: "output",
  value: 0,
  keepValue: false,
  activeLow: false,
  bias: "as-is",
  drive: "push-pull",
  edges: "none",
  debounce: 0,
};

/** Settings of an input without anything special. */
export const input: LineSettings = { ...output, direction: "input" };

/** @returns a line with these settings, and its pin as seen from outside. */
export function simulatedLine(clock: Clock, settings: LineSettings) {
  const gpio = new SimulatedGpio(clock);
  return { line: gpio.openLine("gpiod", address, settings), pin: gpio.pin(address) };
}
