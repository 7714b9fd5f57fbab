/** What is wrong with a rule on the nouns beside it: one sentence for each mistake, with its place. */
import { describe, expect, test } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { Action, RuleOptions } from "../../../ts/parts/rules/rule.ts";
import { RuledDevice, TestNoun } from "./device.ts";

const cellar: Shape = {
  celsius: { type: "number", minimum: -40, maximum: 80, readOnly: true, nullable: true },
  age: { type: "integer", timeDependent: true, readOnly: true },
};
const heater: Shape = { on: { type: "choice", values: [0, 1] } };
const fan: Shape = { percent: { type: "integer", minimum: 0, maximum: 100 }, name: { type: "string", optional: true } };
const nouns = {
  cellar: new TestNoun({ celsius: 10, age: 0 }, cellar, false),
  heater: new TestNoun({ on: 0 }, heater),
  fan: new TestNoun({ percent: 0 }, fan),
  free: new TestNoun({}),
};

const heat: Action = { verb: "PUT", noun: "heater", body: { on: 1 } };

function mistakes(rule: RuleOptions): readonly string[] {
  return new RuledDevice(nouns, { rule }).mistakes;
}

const cold = { cellar: { celsius: { below: 4, until: 6 } } };

test.each<[string, RuleOptions]>([
  ["conditions within the shapes", { when: cold, then: [heat], else: [heat] }],
  [
    "a noun without a shape",
    { when: { free: { any: 3 } }, then: [{ verb: "PUT", noun: "free", body: { more: "x" } }] },
  ],
  ["a value that fits", { every: 1_000, then: [{ verb: "PUT", noun: "fan", body: { percent: "$cellar.celsius" } }] }],
  [
    "a value of a noun without a shape",
    { every: 1_000, then: [{ verb: "PUT", noun: "fan", body: { percent: "$free.n" } }] },
  ],
  ["a part of the state in a POST", { every: 1_000, then: [{ verb: "POST", noun: "fan", body: { name: "x" } }] }],
  ["a light that goes off by itself", { when: { heater: { on: 1 } }, for: 5, then: [{ ...heat, body: { on: 0 } }] }],
  ["a rule that disables itself", { every: 1_000, then: [{ verb: "PUT", noun: "rule", body: { enabled: false } }] }],
  ["a reset of a measurement", { every: 1_000, then: [{ verb: "DELETE", noun: "cellar", body: {} }] }],
])("nothing is wrong with %s", (_, rule) => {
  expect(mistakes(rule)).toEqual([]);
});

describe("a mistake is named:", () => {
  const then = [heat];
  const act = (body: Action["body"], noun = "heater", verb: Action["verb"] = "PUT"): RuleOptions => ({
    every: 1_000,
    then: [{ verb, noun, body }],
  });
  test.each<[string, RuleOptions, string]>([
    [
      "an unknown noun",
      { when: { celar: { celsius: 1 } }, then },
      'rule.when.celar: expected the name of a noun, found "celar"; did you mean "cellar"?',
    ],
    ["an unknown noun to act on", act({}, "lamp"), 'rule.then.PUT lamp: expected the name of a noun, found "lamp"'],
    [
      "an unknown key",
      { when: { cellar: { degrees: 1 } }, then },
      'rule.when.cellar.degrees: expected a key of this noun; it has "celsius", "age"',
    ],
    [
      "a key of time",
      { when: { cellar: { age: { above: 5 } } }, then },
      "rule.when.cellar.age: expected a key that does not change with time alone",
    ],
    [
      "a value that never comes",
      { when: { heater: { on: 2 } }, then },
      "rule.when.heater.on: expected 0 or 1, found 2",
    ],
    [
      "a threshold of no number",
      { when: { heater: { on: { above: 0 } } }, then },
      "rule.when.heater.on.above: expected the threshold of a number, but the key takes 0 or 1",
    ],
    [
      "a threshold outside the range",
      { when: { cellar: { celsius: { above: 80 } } }, then },
      "rule.when.cellar.celsius.above: expected a threshold within a number from -40 to 80 or null, found 80",
    ],
    [
      "an end outside the range",
      { when: { cellar: { celsius: { below: 4, until: 90 } } }, then },
      "rule.when.cellar.celsius.until: expected a value within a number from -40 to 80 or null, found 90",
    ],
    [
      "a verb that is refused",
      act({}, "cellar"),
      "rule.then.PUT cellar: expected a noun that takes PUT, but this one is read-only",
    ],
    [
      "a value outside the shape",
      act({ on: 3 }),
      'rule.then.PUT heater.on: expected a body for the noun. The value of "on" must be 0 or 1.',
    ],
    [
      "a missing key",
      act({}),
      'rule.then.PUT heater.on: expected a body for the noun. The key "on" is missing; it takes 0 or 1.',
    ],
    [
      "an unknown key to set",
      act({ of: 1 }),
      "rule.then.PUT heater.of: expected a body for the noun. " +
        'The state has a key that this noun does not have; it has "on".',
    ],
    [
      "a value of an unknown noun",
      act({ on: "$lamp.on" }),
      'rule.then.PUT heater.on: expected the name of a noun, found "lamp"',
    ],
    [
      "an unknown key of another noun",
      act({ on: "$cellar.on" }),
      'rule.then.PUT heater.on: expected a key of the noun cellar; it has "celsius", "age"',
    ],
    [
      "a value that can never fit",
      act({ percent: "$rule.enabled" }, "fan"),
      "rule.then.PUT fan.percent: expected a whole number from 0 to 100, " +
        'found the key "enabled" of rule: true or false',
    ],
    [
      "a rule that waits for itself",
      { when: { rule: { runs: { changes: true } } }, then },
      "rule.when.rule: expected a noun other than the rule itself",
    ],
    [
      "a rule that runs itself",
      act({}, "rule", "POST"),
      "rule.then.POST rule: expected a noun other than the rule itself, which would run forever",
    ],
    [
      "a rule that feeds itself",
      { when: { heater: { on: { changes: true } } }, then: [{ verb: "POST", noun: "heater", body: {} }] },
      "rule.when: expected a noun that the rule does not change, but it changes heater: it would run forever",
    ],
  ])("%s", (_, rule, sentence) => {
    expect(mistakes(rule)).toEqual([sentence]);
  });
});

test("all mistakes of all rules are named", () => {
  const rule: RuleOptions = { when: { a: { x: 1 }, b: { x: 1 } }, then: [{ verb: "PUT", noun: "c", body: {} }] };
  expect(new RuledDevice(nouns, { one: rule, two: rule }).mistakes).toHaveLength(6);
});

test("a noun whose shape only the device tells is judged by its name alone", () => {
  const { rules } = new RuledDevice(nouns, {
    rule: { when: { heater: { brightness: 1 } }, then: [{ verb: "PUT", noun: "heater", body: { brightness: 300 } }] },
  });
  expect(rules.mistakes((noun) => noun !== "heater")).toEqual([]);
});
