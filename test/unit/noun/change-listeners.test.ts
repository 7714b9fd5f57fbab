import { expect, test } from "vitest";
import { ChangeListeners } from "../../../ts/core/noun/change-listeners.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { GpioInputNoun } from "../../../ts/hardware/nouns/gpio-input-noun.ts";
import { GpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import { simulatedSource } from "../../../ts/hardware/open/simulated-source.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { input, output, simulatedLine } from "../nouns/simulated-line.ts";

/** Watches a noun. @returns how many changes it has reported, and a function that ends the watch. */
function watch(noun: Noun) {
  const told = { count: 0, end: () => {} };
  told.end = noun.watch?.(() => {
    told.count += 1;
  }) as () => void;
  return told;
}

test("the same listener may be added twice, and each is taken away alone", () => {
  const listeners = new ChangeListeners();
  let count = 0;
  const listener = () => {
    count += 1;
  };
  const end = listeners.add(listener);
  listeners.add(listener);
  listeners.tell();
  expect(count).toBe(2);
  end();
  end();
  listeners.tell();
  expect(count).toBe(3);
});

test("a listener that ends itself keeps no other from being told", () => {
  const listeners = new ChangeListeners();
  const told: string[] = [];
  const end = listeners.add(() => {
    told.push("first");
    end();
  });
  listeners.add(() => told.push("second"));
  listeners.tell();
  listeners.tell();
  expect(told).toEqual(["first", "second", "second"]);
});

const settable: readonly [string, Noun][] = [
  ["switch", new SwitchNoun({ key: "on" })],
  ["value", new ValueNoun({ default: { on: 0 } })],
  ["simulated source", simulatedSource({ key: "on", maximum: 1, read: () => 0, write: () => {} })],
];

test.each(settable)("a %s tells of each operation that may have changed it, until it is watched no more", (_, noun) => {
  const told = watch(noun);
  noun.setState({ on: 1 });
  noun.updateState({});
  noun.deleteState();
  expect(told.count).toBe(3);
  noun.getState();
  expect(told.count).toBe(3);
  told.end();
  noun.setState({ on: 1 });
  expect(told.count).toBe(3);
});

test.each(["pulse", "lease"])("a gpio-output tells when its %s begins and when it has ended", (time) => {
  const clock = new SimulatedClock();
  const noun = new GpioOutputNoun({ line: simulatedLine(clock, output).line, clock }, { key: "pump", [time]: 500 });
  const told = watch(noun);
  noun.setState({ pump: 1 });
  expect(told.count).toBe(1);
  clock.advance(500);
  expect(told.count).toBe(2);
  expect(noun.getState()).toEqual({ pump: 0 });
});

test("a gpio-input that counts edges tells of each, and of the reset of its counters", () => {
  const clock = new SimulatedClock();
  const { line, pin } = simulatedLine(clock, { ...input, edges: "both" });
  const noun = new GpioInputNoun({ line, clock }, { key: "door", edges: "both" });
  const told = watch(noun);
  pin.drive(1);
  pin.drive(0);
  expect(told.count).toBe(2);
  noun.deleteState();
  expect(told.count).toBe(3);
});

test.each(["none", "both", "rising", "falling"] as const)("a gpio-input with edges %s tells of each", (edges) => {
  const clock = new SimulatedClock();
  const { line, pin } = simulatedLine(clock, { ...input, edges });
  const noun = new GpioInputNoun({ line, clock }, { key: "door", edges });
  const told = watch(noun);
  pin.drive(1);
  pin.drive(0);
  expect([told.count, noun.poll]).toEqual([2, undefined]);
  told.end();
});
