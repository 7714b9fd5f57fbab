import { beforeEach, describe, expect, test } from "vitest";
import type { EdgeEvent, LineSettings } from "../../../../ts/native/gpio.ts";
import { SimulatedClock } from "../../../../ts/native/simulated/clock.ts";
import { SimulatedGpio } from "../../../../ts/native/simulated/gpio.ts";
import { input, output } from "../../nouns/simulated-line.ts";

const address = { chip: "gpiochip0", offset: 3 };
let clock: SimulatedClock;
let gpio: SimulatedGpio;

beforeEach(() => {
  clock = new SimulatedClock();
  gpio = new SimulatedGpio(clock);
});

function open(settings: LineSettings) {
  return gpio.openLine("gpiod", address, settings);
}

test("an address has one pin, a name has another", () => {
  expect(gpio.pin(address)).toBe(gpio.pin({ ...address }));
  expect(gpio.pin({ name: "GPIO3" })).not.toBe(gpio.pin(address));
});

test("an output comes up with its first level and never shows another", () => {
  const voltages: number[] = [];
  const pin = gpio.pin(address);
  pin.line = { changed: () => void voltages.push(pin.voltage) };
  open({ ...output, value: 1 });
  expect(voltages).toEqual([1]);
});

test("an output keeps its level when asked to, if it was one before", () => {
  open({ ...output, value: 1 }).close();
  expect(open({ ...output, value: 0, keepValue: true }).getValue()).toBe(1);
});

test("what was no output has no level to keep", () => {
  expect(open({ ...output, value: 1, keepValue: true }).getValue()).toBe(1);
});

test("a held line is refused to others, naming who holds it, until it is closed", () => {
  const line = open({ ...output, consumer: "nound:pump" });
  expect(() => open(output)).toThrow('the GPIO line gpiochip0 3 is in use by "nound:pump"');
  line.close();
  line.close();
  open(output);
});

test("a line that is closed, or an input that is set, is refused", () => {
  const line = open(input);
  expect(() => line.setValue(1)).toThrow("is an input");
  line.close();
  expect(() => line.getValue()).toThrow("is closed");
});

test.each([
  ["pull-up", false, 1],
  ["pull-up", true, 0],
  ["pull-down", false, 0],
  ["pull-down", true, 1],
  ["as-is", false, 0],
  ["as-is", true, 0],
  ["disabled", true, 0],
] as const)("an input with bias %s, active-low %s, rests at %i", (bias, activeLow, level) => {
  expect(open({ ...input, bias, activeLow }).getValue()).toBe(level);
});

test("an input that is driven already keeps its voltage", () => {
  gpio.pin(address).drive(0);
  expect(open({ ...input, bias: "pull-up" }).getValue()).toBe(0);
});

test("edges of the logical level are reported with their time and number", () => {
  const events: EdgeEvent[] = [];
  const line = open({ ...input, activeLow: true, edges: "rising" });
  line.onEdge = (event) => events.push(event);
  const pin = gpio.pin(address);
  clock.advance(5);
  for (const voltage of [0, 0, 1, 0] as const) pin.drive(voltage);
  expect(events).toEqual([
    { value: 1, timestamp: 5_000, sequence: 1 },
    { value: 1, timestamp: 5_000, sequence: 2 },
  ]);
  line.close();
  pin.drive(1);
  expect(events).toHaveLength(2);
});

describe("a pair", () => {
  const other = { chip: "gpiochip0", offset: 4 };

  function openPair(second = other) {
    const settings = { ...output, value: 1, consumer: "nound:blind" } as const;
    return gpio.openPair("gpiod", address, settings, "gpiod", second, settings);
  }

  test("comes up inactive, whatever its lines were", () => {
    for (const one of [address, other]) gpio.openLine("gpiod", one, { ...output, value: 1 }).close();
    expect(openPair().map((line) => line.getValue())).toEqual([0, 0]);
  });

  test("has one line active at most: to set one active sets the other one inactive first", () => {
    const [first, second] = openPair();
    second.setValue(1);
    first.setValue(1);
    expect([first, second].map((line) => line.getValue())).toEqual([1, 0]);
    first.setValue(0);
    expect([first, second].map((line) => line.getValue())).toEqual([0, 0]);
  });

  test("of two chips does not know of itself", () => {
    const [first, second] = openPair({ chip: "gpiochip1", offset: 4 });
    second.setValue(1);
    first.setValue(1);
    expect(second.getValue()).toBe(1);
  });

  test("is refused whole if one of its lines is held", () => {
    gpio.openLine("gpiod", other, { ...output, consumer: "nound:pump" });
    expect(() => openPair()).toThrow('the GPIO line gpiochip0 4 is in use by "nound:pump"');
    expect(gpio.pin(address).settings).toBeUndefined();
  });
});
