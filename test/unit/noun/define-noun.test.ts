import { describe, expect, expectTypeOf, test } from "vitest";
import { defineNoun } from "../../../ts/core/noun/define-noun.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";

const fanShape = {
  speed: { type: "integer", minimum: 0, maximum: 100 },
  mode: { type: "choice", values: ["auto", "manual"] },
  rotations: { type: "integer", readOnly: true },
} as const;

function fan() {
  let state: { readonly speed: number; readonly mode: "auto" | "manual" } = { speed: 0, mode: "auto" };
  return defineNoun({
    shape: fanShape,
    default: { speed: 0, mode: "auto" },
    get: () => ({ ...state, rotations: 10 * state.speed }),
    set: (desired) => {
      state = desired;
    },
  });
}

describe("a noun from a shape and two functions", () => {
  test("PUT sets what can be set, and answers with the whole state", () => {
    const noun = fan();
    expect(noun.setState({ speed: 7, mode: "manual" })).toEqual({ speed: 7, mode: "manual", rotations: 70 });
    expect(noun.getState()).toEqual({ speed: 7, mode: "manual", rotations: 70 });
  });

  test("POST changes what it names and leaves the rest", () => {
    const noun = fan();
    noun.setState({ speed: 7, mode: "manual" });
    expect(noun.updateState({ speed: 8 })).toEqual({ speed: 8, mode: "manual", rotations: 80 });
    expect(noun.updateState({})).toEqual({ speed: 8, mode: "manual", rotations: 80 });
  });

  test("DELETE returns to the default", () => {
    const noun = fan();
    noun.setState({ speed: 7, mode: "manual" });
    expect(noun.deleteState()).toEqual({ speed: 0, mode: "auto", rotations: 0 });
  });
});

test("the types of the functions follow from the shape", () => {
  defineNoun({
    shape: fanShape,
    reset: () => {},
    get: () => ({ speed: 0, mode: "auto", rotations: 0 }),
    set(state) {
      expectTypeOf(state.speed).toBeNumber();
      expectTypeOf(state.mode).toEqualTypeOf<"auto" | "manual">();
      // @ts-expect-error what is read-only cannot be desired
      void state.rotations;
    },
    update(change) {
      expectTypeOf(change.speed).toEqualTypeOf<number | undefined>();
    },
  });
  // @ts-expect-error a state without one of its keys
  defineNoun({ shape: fanShape, get: () => ({ speed: 0, mode: "auto" }) });
  const get = () => ({ speed: 0, mode: "auto", rotations: 0 }) as const;
  // @ts-expect-error a role of a key that the shape does not have
  defineNoun({ shape: fanShape, get, homeAssistant: { platform: "fan", percentage: "sped" } });
  // @ts-expect-error a default that is none of the choices
  expect(() => defineNoun({ shape: fanShape, default: { speed: 0, mode: "of" }, get })).toThrow(TypeError);
});

test("an update and a reset of its own take the place of the usual ones", () => {
  let count = 5;
  const counter = defineNoun({
    shape: { count: { type: "integer" } },
    get: () => ({ count }),
    set: (state) => {
      ({ count } = state);
    },
    update: () => {
      count += 1;
    },
    reset: () => {
      count = 100;
    },
  });
  expect(counter.updateState({})).toEqual({ count: 6 });
  expect(counter.deleteState()).toEqual({ count: 100 });
});

test("functions may take their time, each after the other", async () => {
  const calls: string[] = [];
  const slow = defineNoun({
    shape: { level: { type: "integer" } },
    default: { level: 0 },
    async get() {
      await Promise.resolve();
      calls.push("get");
      return { level: 3 };
    },
    async set({ level }) {
      await Promise.resolve();
      calls.push(`set ${level}`);
    },
  });
  expect(await slow.setState({ level: 3 })).toEqual({ level: 3 });
  expect(await slow.updateState({})).toEqual({ level: 3 });
  expect(await slow.deleteState()).toEqual({ level: 3 });
  expect(calls).toEqual(["set 3", "get", "get", "set 3", "get", "set 0", "get"]);
});

test("what a function throws comes out as it is", async () => {
  const refusal = new StateError("Not now.", "level");
  const stuck = defineNoun({
    shape: { level: { type: "integer" } },
    default: { level: 0 },
    get: () => ({ level: 0 }),
    set: () => Promise.reject(refusal),
  });
  await expect(stuck.setState({ level: 1 })).rejects.toBe(refusal);
});

test("a noun that only reads refuses to be set, and DELETE changes nothing", () => {
  const sensor = defineNoun({ shape: { celsius: { type: "number", readOnly: true } }, get: () => ({ celsius: 21.5 }) });
  expect(() => sensor.setState({})).toThrow(StateError);
  expect(() => sensor.updateState({})).toThrow("This noun cannot be set; GET reads it.");
  expect(sensor.deleteState()).toEqual({ celsius: 21.5 });
});

test("a noun that can be set says what DELETE does", () => {
  expect(() => defineNoun({ shape: {}, get: () => ({}), set: () => {} })).toThrow(
    'A noun that can be set needs a "default", or a "reset" that says what DELETE does.',
  );
});

test("a default that no client could set is refused when the noun is made", () => {
  const shape = { speed: { type: "integer", maximum: 5 }, turns: { type: "integer", readOnly: true } } as const;
  const define = (speed: number) =>
    defineNoun({ shape, default: { speed }, get: () => ({ speed, turns: 0 }), set: () => {} });
  expect(define(5).shape).toBe(shape);
  expect(() => define(6)).toThrow(
    new TypeError('The default is not a state of the noun. The value of "speed" must be a whole number of at most 5.'),
  );
});

test("what a noun holds is given back by its own function", () => {
  let closed = 0;
  const noun = defineNoun({
    shape: {},
    get: () => ({}),
    close: () => {
      closed += 1;
    },
  });
  noun.close?.();
  fan().close?.();
  expect(closed).toBe(1);
});

test("a noun watches and is polled as its definition says", () => {
  const told: string[] = [];
  const source = {
    shape: { level: { type: "integer" } } as const,
    poll: 250,
    get: () => ({ level: 0 }),
    watch(changed: () => void) {
      // `this` is the definition, as for the other functions.
      told.push(`begins at ${this.poll}`);
      changed();
      return () => void told.push("ends");
    },
  };
  const noun = defineNoun(source);
  expect(noun.poll).toBe(250);
  noun.watch?.(() => told.push("changed"))();
  expect(told).toEqual(["begins at 250", "changed", "ends"]);
  expect(defineNoun({ shape: {}, get: () => ({}) }).watch).toBeUndefined();
});

describe("a noun that another noun calls", () => {
  test("takes and gives the types of the shape", () => {
    const noun = fan();
    expectTypeOf(noun.setState)
      .parameter(0)
      .toEqualTypeOf<{ readonly speed: number; readonly mode: "auto" | "manual" }>();
    expectTypeOf(noun.updateState).parameter(0).toEqualTypeOf<{
      readonly speed?: number;
      readonly mode?: "auto" | "manual";
    }>();
    expectTypeOf<Awaited<ReturnType<typeof noun.getState>>>().toEqualTypeOf<{
      readonly speed: number;
      readonly mode: "auto" | "manual";
      readonly rotations: number;
    }>();
    expectTypeOf(noun).toExtend<Noun>();
  });

  test("checks what it is asked as it checks a client's request", () => {
    const noun = fan();
    // @ts-expect-error none of the choices
    expect(() => noun.setState({ speed: 7, mode: "of" })).toThrow(StateError);
    expect(() => noun.setState({ speed: 101, mode: "auto" })).toThrow(
      new StateError('The value of "speed" must be a whole number from 0 to 100.', "speed"),
    );
    // @ts-expect-error a key is missing
    expect(() => noun.setState({ speed: 7 })).toThrow(StateError);
    // @ts-expect-error a key that is read-only
    expect(() => noun.updateState({ rotations: 7 })).toThrow(StateError);
    expect(noun.getState()).toEqual({ speed: 0, mode: "auto", rotations: 0 });
  });

  test("fails where it returns what is not of its shape, at once or by a promise", async () => {
    const level = { level: { type: "integer", maximum: 100 } } as const;
    const noun = defineNoun({ shape: level, get: () => ({ level: 101 }) });
    expect(() => noun.getState()).toThrow("The noun returned a state that does not fit its shape");
    const later = defineNoun({ shape: level, get: async () => ({ level: 101 }) });
    await expect(later.getState()).rejects.toThrow("The noun returned a state that does not fit its shape");
  });
});
