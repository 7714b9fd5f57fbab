/** When `then` and `else` run: single cases, and any order of states, pauses and stalls against a model. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conditionsOf, type When } from "../../../ts/core/noun/condition.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { type TransitionOptions, Transitions } from "../../../ts/parts/rules/transitions.ts";

interface Options {
  readonly for?: number;
  readonly every?: number;
  readonly when?: When;
  readonly hasElse?: boolean;
}

/** Writes down what runs. */
class WrittenTransitions extends Transitions {
  readonly clock = new SimulatedClock();
  readonly options: TransitionOptions;
  readonly ran: string[] = [];
  private readonly begin = this.clock.now();

  constructor({ when = {}, hasElse, ...options }: Options) {
    super(Object.keys(when).length === 0 ? [] : [conditionsOf(when)]);
    this.options = { ...options, ...(hasElse === true && { else: [] }) };
  }

  protected run(branch: string): void {
    this.ran.push(`${branch} at ${this.clock.now() - this.begin}`);
  }

  protected onHolds(): void {}
}

function bench(options: Options) {
  const transitions = new WrittenTransitions(options);
  const { clock, ran } = transitions;
  transitions.start();
  return { clock, ran, transitions };
}

const frost = { cellar: { celsius: { below: 4, until: 6 } } };

describe("a rule with a condition", () => {
  test("holds by all keys of all nouns, and starts with the first value of each", () => {
    const { ran, transitions } = bench({ when: { door: { open: 1 }, light: { on: 0, level: { above: 5 } } } });
    transitions.take("door", { open: 1 });
    transitions.take("light", { on: 0, level: 3 });
    transitions.take("light", { on: 0, level: 6 });
    transitions.take("door", { open: 0 });
    transitions.take("light", { on: 1, level: 6 });
    transitions.take("door", { open: 1 });
    expect(ran).toEqual(["else at 0", "then at 0", "else at 0"]);
  });

  test("stands still while a key is null", () => {
    const { clock, ran, transitions } = bench({ when: frost, for: 1_000 });
    transitions.take("cellar", { celsius: 10 });
    transitions.take("cellar", { celsius: 3 });
    clock.advance(600);
    transitions.take("cellar", { celsius: null });
    expect(transitions.holds).toBe(true);
    clock.advance(10_000);
    transitions.take("cellar", undefined);
    transitions.take("cellar", { celsius: 5 });
    clock.advance(399);
    expect(ran).toEqual(["else at 0"]);
    clock.advance(1);
    expect(ran).toEqual(["else at 0", "then at 11000"]);
  });
});

describe("a rule of changes", () => {
  test("runs then at each change while the other conditions hold, not for the first value", () => {
    const { ran, transitions } = bench({ when: { button: { short: { changes: true } }, mode: { night: 1 } } });
    transitions.take("mode", { night: 1 });
    for (const short of [4, 5, 5, null, 5, null, 6]) transitions.take("button", { short });
    transitions.take("mode", { night: 0 });
    transitions.take("button", { short: 7 });
    transitions.take("mode", { night: 1 });
    expect(ran).toEqual(["then at 0", "then at 0"]);
    expect(transitions.holds).toBe(false);
  });
});

test("a rule of `every` alone runs periodically", () => {
  const { clock, ran } = bench({ every: 400 });
  clock.advance(1_300);
  expect(ran).toEqual([400, 800, 1_200].map((moment) => `then at ${moment}`));
});

test("a rule that was stopped runs nothing, and starts again from nothing", () => {
  const { clock, ran, transitions } = bench({ when: frost, for: 100, hasElse: true });
  transitions.take("cellar", { celsius: 3 });
  transitions.stop();
  clock.advance(1_000);
  transitions.take("cellar", { celsius: 10 });
  expect([ran, transitions.holds, clock.running]).toEqual([[], false, 0]);
  transitions.start();
  transitions.take("cellar", { celsius: 5 });
  expect(ran).toEqual(["else at 1000"]);
});

/** What happens to a rule on two sensors. */
const event = fc.oneof(
  fc.record({ noun: fc.constantFrom("a", "b"), value: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 5 }) }),
  fc.record({ pass: fc.integer({ min: 0, max: 60 }) }),
);
const times = fc.record({ for: fc.constantFrom(undefined, 20, 50), every: fc.constantFrom(undefined, 30) });

/** The contract, millisecond by millisecond. */
function model(
  events: readonly (typeof event extends fc.Arbitrary<infer E> ? E : never)[],
  options: Options,
): readonly string[] {
  const ran: string[] = [];
  const value: { [noun: string]: number | null | undefined } = {};
  const last: { [noun: string]: number } = {};
  let [now, wasAbove] = [0, false];
  let holds: boolean | undefined;
  let left: number | undefined;
  const isFrozen = () => ["a", "b"].some((noun) => typeof value[noun] !== "number");
  const fire = () => {
    while (left === 0) {
      ran.push(`then at ${now}`);
      left = options.every;
    }
  };
  const judge = () => {
    if (last["a"] === undefined || last["b"] === undefined || isFrozen()) return;
    const is = wasAbove && last["b"] === 1;
    if (is === holds) return;
    const isFirst = holds === undefined;
    holds = is;
    left = undefined;
    if (!is) ran.push(`else at ${now}`);
    else if (!isFirst || options.hasElse) left = options.for ?? 0;
    fire();
  };
  for (const one of events) {
    if ("noun" in one) {
      value[one.noun] = one.value;
      if (one.value !== null) last[one.noun] = one.value;
      if (one.noun === "a" && one.value !== null) wasAbove = wasAbove ? one.value > 1 : one.value > 2;
      judge();
    } else {
      for (let ms = 0; ms < one.pass; ms++) {
        now += 1;
        if (left === undefined || isFrozen()) continue;
        left -= 1;
        fire();
      }
    }
  }
  return ran;
}

test("whatever comes, then and else run exactly when the contract says", () => {
  const when = { a: { n: { above: 2, until: 1 } }, b: { n: 1 } };
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), times, fc.boolean(), (events, { for: time, every }, hasElse) => {
      const options: Options = { when, hasElse, ...(time && { for: time }), ...(every && { every }) };
      const { clock, ran, transitions } = bench(options);
      for (const one of events) {
        if ("noun" in one) transitions.take(one.noun, { n: one.value } as State);
        else for (let ms = 0; ms < one.pass; ms++) clock.advance(1);
      }
      expect(ran).toEqual(model(events, options));
    }),
    { numRuns: 2_000 },
  );
});
