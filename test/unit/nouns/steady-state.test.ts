import fc from "fast-check";
import { expect, test } from "vitest";
import { defineNoun } from "../../../ts/core/noun/define-noun.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { SteadyState } from "../../../ts/core/noun/steady-state.ts";
import { deviceSensor } from "../../../ts/hardware/nouns/device-sensor.ts";
import { GpioInputNoun } from "../../../ts/hardware/nouns/gpio-input-noun.ts";
import { GpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import { LedNoun } from "../../../ts/hardware/nouns/led-noun.ts";
import { PwmNoun } from "../../../ts/hardware/nouns/pwm-noun.ts";
import { SensorNoun } from "../../../ts/hardware/nouns/sensor.ts";
import { simulateSensor } from "../../../ts/hardware/nouns/simulated-sensor.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import { openPwmChannel, PwmChannel } from "../../../ts/hardware/open/pwm-channel.ts";
import { simulatedSource } from "../../../ts/hardware/open/simulated-source.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedFiles } from "../../../ts/native/simulated/files.ts";
import { SimulatedSysfs } from "../../../ts/native/simulated/sysfs.ts";
import { input, output, simulatedLine } from "./simulated-line.ts";

test("whatever the states, an equal one is returned, and what is returned twice in a row is frozen", () => {
  const states = fc.array(fc.record({ a: fc.nat(1), b: fc.constantFrom<string | null>("x", null) }));
  fc.assert(
    fc.property(states, (each) => {
      const steady = new SteadyState(["a", "b"]);
      let before: State | undefined;
      for (const state of each) {
        const returned = steady.of({ ...state });
        expect(returned).toEqual(state);
        if (returned === before) expect(Object.isFrozen(returned)).toBe(true);
        else if (before !== undefined) expect(returned).not.toEqual(before);
        before = returned;
      }
    }),
  );
});

test("a noun that knows that nothing has changed gets the same frozen state", () => {
  const steady = new SteadyState(["a"]);
  const first = steady.of({ a: 1 });
  expect(Object.isFrozen(first)).toBe(false);
  for (const state of [steady.again(), steady.again(), steady.of({ a: 1 })]) expect(state).toBe(first);
  expect(Object.isFrozen(first)).toBe(true);
  const second = steady.of({ a: 2 });
  expect(steady.again()).toBe(second);
});

test("a state that differs each time is never frozen", () => {
  const steady = new SteadyState(["a"]);
  const returned = [1, 2, 1, 2].map((a) => steady.of({ a }));
  expect(returned.some((state) => Object.isFrozen(state))).toBe(false);
});

/** Each with what changes its state. */
const kinds: { readonly [kind: string]: () => { readonly noun: Noun; readonly change: () => void } } = {
  switch: () => {
    const noun = new SwitchNoun({ key: "led" });
    return { noun, change: () => noun.updateState({}) };
  },
  value: () => {
    const noun = new ValueNoun({ default: { a: 1 } });
    return { noun, change: () => noun.updateState({ a: 2 }) };
  },
  "gpio-output": () => {
    const clock = new SimulatedClock();
    const noun = new GpioOutputNoun({ line: simulatedLine(clock, output).line, clock }, { key: "pump" });
    return { noun, change: () => noun.updateState({}) };
  },
  "gpio-input": () => {
    const clock = new SimulatedClock();
    const { line, pin } = simulatedLine(clock, input);
    return { noun: new GpioInputNoun({ line, clock }, { key: "door" }), change: () => pin.drive(1) };
  },
  "gpio-input with edges": () => {
    const clock = new SimulatedClock();
    const { line, pin } = simulatedLine(clock, { ...input, edges: "both" });
    return { noun: new GpioInputNoun({ line, clock }, { key: "door", edges: "both" }), change: () => pin.drive(1) };
  },
  led: () => {
    const noun = new LedNoun(new SimulatedSysfs().openDevice("leds", "green"), {});
    return { noun, change: () => noun.updateState({}) };
  },
  pwm: () => {
    const channel = new PwmChannel(openPwmChannel(new SimulatedSysfs().openDevice("pwm", "pwmchip0"), 0));
    const noun = new PwmNoun(channel, { frequency: 25_000 });
    return { noun, change: () => noun.updateState({ percent: 50 }) };
  },
  sensor: () => {
    const sensor = deviceSensor({ device: "iio:device0", channel: "voltage0" }, undefined);
    const files = new SimulatedFiles();
    const source = simulateSensor(sensor, files.texts);
    return { noun: new SensorNoun(sensor, files), change: () => source.setState({ volts: 0.77 }) };
  },
  "simulated source": () => {
    let level = 0;
    const source = { key: "level", maximum: 1, read: () => level, write: () => {} };
    return {
      noun: simulatedSource(source),
      change: () => {
        level = 1;
      },
    };
  },
  "defineNoun with frozen states": () => {
    const states = [Object.freeze({ level: 0 }), Object.freeze({ level: 1 })] as const;
    let index: 0 | 1 = 0;
    return {
      noun: defineNoun({ shape: { level: { type: "integer" } }, get: () => states[index] }),
      change: () => {
        index = 1;
      },
    };
  },
};

test.each(Object.entries(kinds))(
  "%s returns the same frozen state while nothing changes, and another once it has",
  async (_, make) => {
    const { noun, change } = make();
    await noun.getState();
    const steady = await noun.getState();
    expect(await noun.getState()).toBe(steady);
    expect(Object.isFrozen(steady)).toBe(true);
    change();
    const changed = await noun.getState();
    expect(changed).not.toEqual(steady);
    expect(await noun.getState()).toEqual(changed);
  },
);

test.each([
  ["PUT", (noun: Noun) => noun.setState({ pump: 1 })],
  ["POST", (noun: Noun) => noun.updateState({})],
] as const)("the state that %s of a gpio-output returns is the one that GET does", (_, operate) => {
  const { noun } = kinds["gpio-output"]?.() ?? expect.fail("there is no such kind");
  const returned = operate(noun);
  expect(returned).toEqual({ pump: 1 });
  expect(noun.getState()).toBe(returned);
});
