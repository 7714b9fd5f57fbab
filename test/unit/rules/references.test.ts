/** Conditions, times and durations that a rule takes from nouns: as if the value of the moment stood there. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Condition, KeyCondition, nounsOf } from "../../../ts/core/noun/condition.ts";
import { fill, referenceIn, referencesIn, Term } from "../../../ts/core/noun/reference.ts";
import type { Scalar, State } from "../../../ts/core/noun/state.ts";
import type { Action, RuleOptions } from "../../../ts/parts/rules/rule.ts";
import { RuledDevice, TestNoun } from "./device.ts";

const numRuns = Number(process.env["NOUND_ORDERS"] ?? 1_000);

describe("a reference", () => {
  test.each<[string, ReturnType<typeof referenceIn>]>([
    ["$wish.celsius", { noun: "wish", key: "celsius", factor: 1, summand: 0 }],
    ["$Wish.celsius + 0.5", { noun: "wish", key: "celsius", factor: 1, summand: 0.5 }],
    ["$knob.percent * 0.4 - 10", { noun: "knob", key: "percent", factor: 0.4, summand: -10 }],
    ["$light.percent+10", { noun: "light", key: "percent", factor: 1, summand: 10 }],
    ["$my.lamp.in-side", { noun: "my.lamp", key: "in-side", factor: 1, summand: 0 }],
    ["$a.b * -2", { noun: "a", key: "b", factor: -2, summand: 0 }],
    ["$a.b * 2 * 3", undefined],
    ["$a.b + 2 + 3", undefined],
    ["$a", undefined],
    ["a.b", undefined],
    ["5 $", undefined],
  ])("%s", (text, reference) => {
    expect(referenceIn(text)).toEqual(reference);
  });

  test("inside a text is found and filled", () => {
    const text = "Cellar ${cellar.celsius} °C, $5, ${Tub.on}";
    expect(referencesIn(text).map(({ noun, key }) => `${noun}.${key}`)).toEqual(["cellar.celsius", "tub.on"]);
    expect(fill(text, ({ noun }) => (noun === "tub" ? null : 3.5))).toBe("Cellar 3.5 °C, $5, unknown");
  });
});

const operand = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom("$w.n", "$w.n + 1", "$w.n * 0.5", "$v.n * -1 + 3", "$own.m"),
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  operand,
  fc.constant(null),
  fc.record({ above: operand }),
  fc.record({ below: operand }),
  fc.record({ above: operand, until: operand }),
  fc.record({ below: operand, until: operand }),
  fc.record({ above: operand, below: operand }),
);
const readable = fc.option(fc.integer({ min: 0, max: 4 }), { freq: 6 });
const event = fc.record({
  noun: fc.constantFrom("own", "w", "v"),
  state: fc.option(fc.record({ n: readable, m: readable }), { freq: 8, nil: undefined }),
});

test("a condition holds exactly when the same one with the values of the moment would, in any order", () => {
  fc.assert(
    fc.property(condition, fc.array(event, { maxLength: 30 }), (given, events) => {
      const one = new KeyCondition("own", "n", given);
      const now = new Map<string, State | undefined>();
      const valueAt = (noun: string, key: string) => now.get(noun)?.[key];
      let holds = false;
      for (const { noun, state } of events) {
        now.set(noun, state as State | undefined);
        one.takeFrom(noun, state as State | undefined);
        const constant = (value: Scalar) => fill(value, ({ noun, key }) => valueAt(noun, key));
        const parts = typeof given === "object" && given !== null ? Object.entries(given) : [["value", given]];
        const filled = parts.map(([word, value]) => [word, constant(value as Scalar)] as const);
        const own = valueAt("own", "n");
        const isReadable =
          given === null ? now.has("own") : (own ?? null) !== null && filled.every(([, value]) => value !== undefined);
        if (isReadable && given === null) holds = (own ?? null) === null;
        else if (isReadable) {
          const { value, ...thresholds } = Object.fromEntries(filled);
          const same = new KeyCondition("own", "n", value !== undefined ? value : (thresholds as Condition));
          same.resume(own, true, holds);
          same.take(own);
          holds = same.holds;
        }
        expect([one.isReadable, one.holds]).toEqual([isReadable, holds]);
      }
    }),
    { numRuns },
  );
});

test("a foreseen change is judged as it will be", () => {
  fc.assert(
    fc.property(condition, fc.array(event, { maxLength: 8 }), event, (given, events, next) => {
      const one = new KeyCondition("own", "n", given);
      for (const { noun, state } of events) one.takeFrom(noun, state as State | undefined);
      const { noun, state } = next;
      fc.pre(state !== undefined && nounsOf([one]).has(noun));
      const foreseen = one.wouldHoldWith(noun, state as State, () => true);
      one.takeFrom(noun, state as State);
      expect(foreseen).toBe(one.isReadable && one.holds);
    }),
    { numRuns },
  );
});

const act: Action = { verb: "PUT", noun: "lamp", body: { on: 1 } };
const off: Action = { verb: "PUT", noun: "lamp", body: { on: 0 } };

function lampDevice(rule: RuleOptions, nouns: { readonly [name: string]: TestNoun }) {
  const lamp = new TestNoun({ on: 0 });
  return { lamp, device: new RuledDevice({ ...nouns, lamp }, { rule }).start() };
}

test("a rule follows a set-point at once, and pauses while it cannot be read", () => {
  const [room, wish] = [new TestNoun({ celsius: 21 }), new TestNoun({ celsius: 20 })];
  const when = { room: { celsius: { below: "$wish.celsius", until: "$wish.celsius + 0.5" } } };
  const { lamp, device } = lampDevice({ when, then: [act], else: [off] }, { room, wish });
  device.clock.advance(150);
  const moves: [TestNoun, State][] = [
    [wish, { celsius: 23 }],
    [wish, { celsius: null }],
    [room, { celsius: 25 }],
    [wish, { celsius: 22 }],
    [room, { celsius: 21.9 }],
    [room, { celsius: 22.4 }],
    [room, { celsius: 22.5 }],
  ];
  const seen = moves.map(([noun, state]) => {
    noun.become(state);
    device.clock.advance(150);
    return (lamp.state as State)["on"];
  });
  expect(seen).toEqual([1, 1, 1, 0, 1, 1, 0]);
});

describe("how long a condition must hold", () => {
  const minutes = (n: number | null) => ({ minutes: n });
  const shape = { minutes: { type: "number", unit: "min", minimum: 0, maximum: 60 } } as const;
  const bench = () => {
    const [motion, knob] = [new TestNoun({ motion: 1 }), new TestNoun(minutes(2), shape)];
    const options = { when: { motion: { motion: 0 } }, for: "$knob.minutes", then: [off] };
    const { lamp, device } = lampDevice(options, { motion, knob });
    device.clock.advance(0);
    motion.become({ motion: 0 });
    return { knob, lamp, pass: (ms: number) => device.clock.advance(ms), asked: () => lamp.asked.length };
  };

  test("counts by the unit of its key", () => {
    const { pass, asked } = bench();
    pass(119_900);
    expect(asked()).toBe(0);
    pass(200);
    expect(asked()).toBe(1);
  });

  test("changes while it passes", () => {
    const { knob, pass, asked } = bench();
    pass(60_000);
    knob.become(minutes(3));
    pass(200);
    pass(118_800);
    expect(asked()).toBe(0);
    pass(1_100);
    expect(asked()).toBe(1);
  });

  test("is over at once when it becomes shorter than what has passed", () => {
    const { knob, pass, asked } = bench();
    pass(60_000);
    knob.become(minutes(0.5));
    pass(200);
    expect(asked()).toBe(1);
  });

  test("stands still while nobody can tell", () => {
    const { knob, pass, asked } = bench();
    pass(60_000);
    knob.become(minutes(null));
    pass(500_000);
    expect(asked()).toBe(0);
    knob.become(minutes(2));
    pass(59_000);
    expect(asked()).toBe(0);
    pass(1_200);
    expect(asked()).toBe(1);
  });
});

test("a rule of time alone runs as often as a noun says", () => {
  const pace = new TestNoun({ s: 2 }, { s: { type: "number", unit: "s" } });
  const { lamp, device } = lampDevice({ every: "$pace.s", then: [act] }, { pace });
  device.clock.advance(10_100);
  expect(lamp.asked.length).toBe(5);
  pace.become({ s: 0.1 });
  device.clock.advance(1_000);
  expect(lamp.asked.length).toBeGreaterThan(12);
});

test("a rule runs at the time that a noun has", () => {
  const wish = new TestNoun({ time: "12:00" });
  const { lamp, device } = lampDevice({ at: ["$wish.time"], then: [act] }, { wish });
  const clockAt = (text: string) => {
    const day = 1_795_046_400_000; // 2026-11-19
    device.ahead = day + (Date.parse(`1970-01-01T${text}Z`) % 86_400_000) - device.clock.now();
    for (let minutes = 0; minutes < 3; minutes++) device.clock.advance(60_000);
  };
  clockAt("11:58");
  expect(lamp.asked.length).toBe(1);
  wish.become({ time: "20:00" });
  clockAt("11:58");
  expect(lamp.asked.length).toBe(1);
  clockAt("19:58");
  expect(lamp.asked.length).toBe(2);
});

test("any of several lists of conditions is enough, also while the nouns of another one are lost", () => {
  const [kitchen, bath] = [new TestNoun({ leak: 0 }), new TestNoun({ leak: 0 })];
  const when = [{ kitchen: { leak: 1 } }, { bath: { leak: 1 } }];
  const { lamp, device } = lampDevice({ when, then: [act], else: [off] }, { kitchen, bath });
  device.clock.advance(150);
  const moves: [TestNoun, State | Error][] = [
    [bath, new Error("gone")],
    [kitchen, { leak: 1 }],
    [kitchen, { leak: 0 }],
    [bath, { leak: 0 }],
    [bath, { leak: 1 }],
    [kitchen, { leak: 1 }],
    [bath, { leak: 0 }],
  ];
  const seen = moves.map(([noun, state]) => {
    if (state instanceof Error) noun.fail();
    else if (noun.state instanceof Error) {
      noun.state = state;
      device.clock.advance(1_200);
    } else noun.become(state);
    device.clock.advance(150);
    return (lamp.state as State)["on"];
  });
  // While the bath is lost, nobody knows that no leak is left.
  expect(seen).toEqual([0, 1, 1, 0, 1, 1, 1]);
});

test("either of two buttons runs a rule of changes", () => {
  const [one, two] = [new TestNoun({ short: 1 }), new TestNoun({ short: 1 })];
  const when = [{ one: { short: { changes: true as const } } }, { two: { short: { changes: true as const } } }];
  const { lamp, device } = lampDevice({ when, then: [act] }, { one, two });
  device.clock.advance(150);
  two.fail();
  device.clock.advance(150);
  one.become({ short: 2 });
  device.clock.advance(150);
  expect(lamp.asked.length).toBe(1);
});

test("null holds while the key cannot be read, also from the start", () => {
  const tub = new TestNoun({ celsius: null });
  const { lamp, device } = lampDevice({ when: { tub: { celsius: null } }, then: [act], else: [off] }, { tub });
  device.clock.advance(150);
  const seen = [(lamp.state as State)["on"]];
  for (const celsius of [36, null, 30]) {
    tub.become({ celsius });
    device.clock.advance(150);
    seen.push((lamp.state as State)["on"]);
  }
  expect(seen).toEqual([1, 0, 1, 0]);
});

test("a term stands for any text that is a reference, and for nothing else", () => {
  expect(Term.of("$a.b")).toBeInstanceOf(Term);
  expect([Term.of("a.b"), Term.of(3), Term.of(undefined)]).toEqual(["a.b", 3, undefined]);
});
