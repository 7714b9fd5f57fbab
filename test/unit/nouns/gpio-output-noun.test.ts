import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpError } from "../../../ts/core/http/http-error.ts";
import { KeptText } from "../../../ts/core/noun/kept-text.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { foresee } from "../../../ts/core/noun/noun-traits.ts";
import { checkState, partialShape } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { type GpioOutputBehaviour, GpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import type { Level } from "../../../ts/native/gpio.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import { output, simulatedLine } from "./simulated-line.ts";

/** A noun on a line that came up with `first`. */
function make(
  options: Partial<GpioOutputBehaviour> = {},
  { first = 0, activeLow = false }: { first?: Level; activeLow?: boolean } = {},
) {
  const clock = new SimulatedClock();
  const { line, pin } = simulatedLine(clock, { ...output, value: first, activeLow });
  return { clock, pin, noun: new GpioOutputNoun({ line, clock }, { key: "pump", ...options }) };
}

test("starts with the level its line came up with", () => {
  expect(make().noun.getState()).toEqual({ pump: 0 });
  expect(make({}, { first: 1 }).noun.getState()).toEqual({ pump: 1 });
});

test("setting, updating and deleting move the pin", () => {
  const { noun, pin } = make();
  expect(noun.setState({ pump: 1 })).toEqual({ pump: 1 });
  expect(pin.voltage).toBe(1);
  expect(noun.updateState({})).toEqual({ pump: 0 });
  expect(pin.voltage).toBe(0);
  expect(noun.updateState({ pump: 0 })).toEqual({ pump: 0 });
  expect(noun.updateState({ pump: 1 })).toEqual({ pump: 1 });
  expect(noun.updateState({ pump: 1 })).toEqual({ pump: 1 });
  expect(noun.deleteState()).toEqual({ pump: 0 });
  expect(pin.voltage).toBe(0);
});

test("its shape takes 0 and 1 under its key and nothing else; an update may be empty", () => {
  const { shape } = make().noun;
  for (const state of [{ pump: 0 }, { pump: 1 }]) expect(() => checkState(shape, state)).not.toThrow();
  for (const state of [
    { pump: 2 },
    { pump: "1" },
    { pump: true },
    { pump: null },
    { Pump: 1 },
    { pump: 1, x: 1 },
    {},
  ]) {
    expect(() => checkState(shape, state), JSON.stringify(state)).toThrow(StateError);
  }
  expect(() => checkState(partialShape(shape), {})).not.toThrow();
});

test("whatever is done, GET shows the level of the line, and the rest of the time the default", () => {
  const step = fc.oneof(
    fc.constantFrom("0", "1", "post", "delete").map((what) => ({ what, time: 0 })),
    fc.nat(2_000).map((time) => ({ what: "wait", time })),
  );
  const options = fc.constantFrom<Partial<GpioOutputBehaviour>>(
    {},
    { default: 1 },
    { pulse: 300 },
    { lease: 700, default: 1 },
  );
  fc.assert(
    fc.property(options, fc.array(step), fc.boolean(), (chosen, steps, activeLow) => {
      const { noun, pin, clock } = make(chosen, { activeLow });
      for (const { what, time } of steps) {
        if (what === "post") noun.updateState({});
        else if (what === "delete") noun.deleteState();
        else if (what === "wait") clock.advance(time);
        else expect(noun.setState({ pump: Number(what) })).toEqual({ pump: Number(what) });
        expect(noun.getState()).toEqual({ pump: activeLow ? 1 - pin.voltage : pin.voltage });
      }
      if (chosen.pulse === undefined && chosen.lease === undefined) return;
      clock.advance(700);
      expect(noun.getState()).toEqual({ pump: chosen.default ?? 0 });
    }),
  );
});

test.each(["setState", "updateState", "deleteState"] as const)(
  "%s that the kernel refuses leaves the state as it was",
  (operation) => {
    const { noun, pin } = make({ default: 1 });
    pin.failure = new Error("Input/output error");
    expect(() => noun[operation]({ pump: 1 })).toThrow("Input/output error");
    expect(noun.getState()).toEqual({ pump: 0 });
    expect(pin.voltage).toBe(0);
  },
);

describe("a pulse", () => {
  test("falls back by itself, and GET shows it until then", () => {
    const { noun, pin, clock } = make({ pulse: 500 });
    expect(noun.setState({ pump: 1 })).toEqual({ pump: 1 });
    clock.advance(499);
    expect(noun.getState()).toEqual({ pump: 1 });
    expect(pin.voltage).toBe(1);
    clock.advance(1);
    expect(noun.getState()).toEqual({ pump: 0 });
    expect(pin.voltage).toBe(0);
  });

  test("that a reload takes over ends when it would have ended, however long the start takes", () => {
    const { noun, clock } = make({ pulse: 500 });
    noun.setState({ pump: 1 });
    const left = noun[leave]();
    clock.advance(200);
    // The start is one turn of 120 ms, from whose end timers run.
    clock.turnTime = () => 120;
    const { line, pin } = simulatedLine(clock, { ...output, value: 1, activeLow: false });
    const next = new GpioOutputNoun({ line, clock }, { key: "pump", pulse: 500 });
    next[takeOver](left);
    expect(next[leave]()).toEqual({ until: 500 });
    clock.advance(179);
    expect(pin.voltage).toBe(1);
    clock.advance(1);
    expect(pin.voltage).toBe(0);
  });

  test("is begun by an update and neither ended nor prolonged by another, or by a set", () => {
    const { noun, clock } = make({ pulse: 500 });
    expect(noun.updateState({})).toEqual({ pump: 1 });
    clock.advance(300);
    expect(noun.updateState({})).toEqual({ pump: 1 });
    expect(noun.setState({ pump: 1 })).toEqual({ pump: 1 });
    clock.advance(200);
    expect(noun.getState()).toEqual({ pump: 0 });
    expect(noun.updateState({})).toEqual({ pump: 1 });
  });

  test.each([
    ["setting the default", (noun: GpioOutputNoun) => noun.setState({ pump: 0 })],
    ["deleting", (noun: GpioOutputNoun) => noun.deleteState()],
  ])("%s ends it, and the next one lasts its whole time", (_, end) => {
    const { noun, clock } = make({ pulse: 500 });
    noun.setState({ pump: 1 });
    clock.advance(400);
    end(noun);
    expect(clock.running).toBe(0);
    noun.setState({ pump: 1 });
    clock.advance(499);
    expect(noun.getState()).toEqual({ pump: 1 });
    clock.advance(1);
    expect(noun.getState()).toEqual({ pump: 0 });
  });
});

describe("a lease", () => {
  test("returns to the default unless it is set again in time", () => {
    const { noun, pin, clock } = make({ lease: 1_000 });
    noun.setState({ pump: 1 });
    for (let i = 0; i < 5; i++) {
      clock.advance(999);
      expect(noun.setState({ pump: 1 })).toEqual({ pump: 1 });
    }
    clock.advance(999);
    expect(pin.voltage).toBe(1);
    clock.advance(1);
    expect(pin.voltage).toBe(0);
    expect(noun.getState()).toEqual({ pump: 0 });
  });

  test("is not renewed by reading, and not by a set that the kernel refuses", () => {
    const { noun, pin, clock } = make({ lease: 1_000 });
    noun.setState({ pump: 1 });
    clock.advance(600);
    noun.getState();
    pin.failure = new Error("no");
    expect(() => noun.setState({ pump: 1 })).toThrow("no");
    pin.failure = undefined;
    clock.advance(400);
    expect(noun.getState()).toEqual({ pump: 0 });
  });

  test("that the kernel does not let fall back is tried again every second, and each failure is reported", () => {
    const { noun, pin, clock } = make({ lease: 1_000 });
    noun.setState({ pump: 1 });
    pin.failure = new Error("not now");
    expect(() => clock.advance(1_000)).toThrow("not now");
    expect(() => clock.advance(1_000)).toThrow("not now");
    expect(noun.getState()).toEqual({ pump: 1 });
    pin.failure = undefined;
    clock.advance(1_000);
    expect(pin.voltage).toBe(0);
    expect(noun.getState()).toEqual({ pump: 0 });
    expect(clock.running).toBe(0);
  });
});

describe("a lease that a client may ask for", () => {
  const on = { pump: 1, remaining: 1_800 };
  const half = 900_000;

  test("ends after the time that was asked for, and shows what is left; without one, the level stays", () => {
    const { noun, pin, clock } = make({ lease: "asked" });
    expect(noun.setState({ pump: 1 })).toEqual({ pump: 1 });
    expect(clock.running).toBe(0);
    expect(noun.setState(on)).toEqual(on);
    clock.advance(half);
    expect(noun.getState()).toEqual({ pump: 1, remaining: 900 });
    clock.advance(half - 1);
    expect(noun.getState()).toEqual({ pump: 1, remaining: 1 });
    clock.advance(1);
    expect(noun.getState()).toEqual({ pump: 0 });
    expect(pin.voltage).toBe(0);
  });

  test.each<[string, (noun: GpioOutputNoun) => unknown, number]>([
    ["another time", (noun) => noun.setState({ pump: 1, remaining: 5 }), 5_000],
    ["a POST of the time alone", (noun) => noun.updateState({ remaining: 5 }), 5_000],
    ["no time", (noun) => noun.setState({ pump: 1 }), Number.POSITIVE_INFINITY],
    ["the default", (noun) => noun.deleteState(), 0],
    ["the default, whatever the time", (noun) => noun.setState({ pump: 0, remaining: 7 }), 0],
  ])("%s takes the place of the time before", (_, ask, time) => {
    const { noun, clock } = make({ lease: "asked" });
    noun.setState(on);
    clock.advance(half);
    ask(noun);
    clock.advance(Math.min(time, 2 * half) - 1);
    expect(noun.getState()["pump"]).toBe(time === 0 ? 0 : 1);
    clock.advance(1);
    expect(noun.getState()).toEqual({ pump: time === Number.POSITIVE_INFINITY ? 1 : 0 });
  });

  test("is begun by a POST of the time alone", () => {
    const { noun } = make({ lease: "asked" });
    expect(noun[foresee]("POST", { remaining: 1_800 })).toEqual({ pump: 1 });
    expect(noun.updateState({ remaining: 1_800 })).toEqual(on);
  });

  test("goes on in another process", () => {
    const { noun, clock } = make({ lease: "asked" });
    noun.setState(on);
    clock.advance(half);
    const left = noun[leave]();
    const { line } = simulatedLine(clock, { ...output, value: 1 });
    const next = new GpioOutputNoun({ line, clock }, { key: "pump", lease: "asked" });
    next[takeOver](left);
    expect(next.getState()).toEqual({ pump: 1, remaining: 900 });
  });

  test("is not what a start restores", () => {
    const store = new SimulatedStore();
    const clock = new SimulatedClock();
    const kept = new KeptText({ store, clock }, { name: "output-pump", interval: 100, onError: () => {} });
    const { line } = simulatedLine(clock, output);
    const noun = new GpioOutputNoun({ line, clock, kept }, { key: "pump", lease: "asked" });
    noun.setState({ pump: 1 });
    kept.flush();
    expect(store.read("output-pump")).toBe("1");
    noun.setState(on);
    kept.flush();
    expect(store.read("output-pump")).toBe("0");
  });

  test("takes whole seconds up to a day", () => {
    const { shape } = make({ lease: "asked" }).noun;
    for (const remaining of [1, 86_400]) expect(() => checkState(shape, { pump: 1, remaining })).not.toThrow();
    for (const remaining of [0, 0.5, -1, 86_401, "5", null, true])
      expect(() => checkState(shape, { pump: 1, remaining })).toThrow(StateError);
  });
});

test.each([{ pulse: 500 }, { lease: 500 }])("a level found at the start begins its time then: %j", (options) => {
  const { noun, clock } = make(options, { first: 1 });
  clock.advance(499);
  expect(noun.getState()).toEqual({ pump: 1 });
  clock.advance(1);
  expect(noun.getState()).toEqual({ pump: 0 });
});

describe("at its end", () => {
  test("it returns to the default and gives the line back", () => {
    const { noun, pin, clock } = make({ lease: 500 });
    noun.setState({ pump: 1 });
    noun.close();
    expect(pin.voltage).toBe(0);
    expect(pin.settings).toBeUndefined();
    expect(clock.running).toBe(0);
  });

  test("with exit as-is the line stays as it is", () => {
    const { noun, pin } = make({ exit: "as-is" });
    noun.setState({ pump: 1 });
    noun.close();
    expect(pin.voltage).toBe(1);
    expect(pin.settings).toBeUndefined();
  });

  test("it gives the line back even when the kernel refuses the default", () => {
    const { noun, pin } = make();
    pin.failure = new Error("no");
    expect(() => noun.close()).toThrow("no");
    expect(pin.settings).toBeUndefined();
  });
});

test("each level is kept, those of a lease falling back too, but not the one its end leaves", () => {
  const clock = new SimulatedClock();
  const store = new SimulatedStore();
  const kept = new KeptText({ store, clock }, { name: "pump", interval: 100, onError: () => {} });
  const { line } = simulatedLine(clock, output);
  const noun = new GpioOutputNoun({ line, clock, kept }, { key: "pump", lease: 1_000 });
  noun.setState({ pump: 1 });
  expect(store.texts.get("pump")).toBe("1");
  clock.advance(1_000);
  expect(store.texts.get("pump")).toBe("0");
  noun.updateState({});
  noun.close();
  expect(store.texts.get("pump")).toBe("1");
});

describe("an output that rests", () => {
  const refused = (noun: GpioOutputNoun, change = {}) => {
    try {
      noun.updateState(change);
    } catch (error) {
      const { status, message, fields } = error as HttpError;
      return `${status} ${message} ${fields.trim()}`;
    }
    return undefined;
  };

  test("stays at its default after the start, and after it went there", () => {
    const { noun, clock, pin } = make({ rest: 3_000 });
    expect(refused(noun)).toBe("409 pump rests for another 3 s. Retry-After: 3");
    clock.advance(3_000);
    expect(noun.updateState({})).toEqual({ pump: 1 });
    expect(noun.setState({ pump: 1 })).toEqual({ pump: 1 });
    clock.advance(60_000);
    noun.deleteState();
    clock.advance(1_500);
    noun.deleteState();
    expect(refused(noun, { pump: 1 })).toBe("409 pump rests for another 2 s. Retry-After: 2");
    expect(pin.voltage).toBe(0);
    clock.advance(1_500);
    expect(noun.setState({ pump: 1 })).toEqual({ pump: 1 });
  });

  test("goes on to rest after a reload, and no longer", () => {
    const first = make({ rest: 3_000 });
    first.clock.advance(1_000);
    const left = first.noun[leave]();
    const second = make({ rest: 3_000 });
    second.noun[takeOver](left);
    second.clock.advance(3_000 - 1);
    expect(refused(second.noun)).toContain("409");
    second.clock.advance(1);
    expect(refused(second.noun)).toBeUndefined();
  });

  test("is never away from its default within the rest, whoever asks when", () => {
    const happening = fc.record({ ask: fc.constantFrom("on", "off", "toggle"), ms: fc.nat(4_000) });
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
        const { noun, clock, pin } = make({ rest: 3_000 });
        let wentOff = clock.now();
        for (const { ask, ms } of happenings) {
          const before = pin.voltage;
          refused(noun, ask === "toggle" ? {} : { pump: ask === "on" ? 1 : 0 });
          if (before === 1 && pin.voltage === 0) wentOff = clock.now();
          if (before === 0 && pin.voltage === 1) expect(clock.now() - wentOff).toBeGreaterThanOrEqual(3_000);
          clock.advance(ms);
        }
      }),
    );
  });
});
