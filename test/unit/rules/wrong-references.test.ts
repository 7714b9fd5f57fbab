/** Each wrong reference has a sentence of its own, at its place. */
import { describe, expect, test } from "vitest";
import type { Condition } from "../../../ts/core/noun/condition.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { Scalar } from "../../../ts/core/noun/state.ts";
import { guardMistakes } from "../../../ts/parts/guards/part.ts";
import type { RuleOptions } from "../../../ts/parts/rules/rule.ts";
import { GuardedDevice } from "../guards/device.ts";
import { RuledDevice, TestNoun } from "./device.ts";

const number = (more: object = {}) => ({ type: "number", ...more }) as const;
const shapes: { readonly [noun: string]: Shape } = {
  room: { celsius: number({ minimum: -40, maximum: 80, nullable: true }), age: number({ timeDependent: true }) },
  wish: {
    celsius: number({ minimum: 5, maximum: 30 }),
    hot: number({ minimum: 100, maximum: 200 }),
    cold: number({ minimum: -90, maximum: -50 }),
    time: { type: "string", format: "time", maximumLength: 5 },
    mode: { type: "choice", values: ["auto", "manual"] },
    away: { type: "boolean" },
    text: { type: "string", maximumLength: 9 },
    minutes: number({ minimum: 0, maximum: 60, unit: "min" }),
    percent: { type: "integer", minimum: 0, maximum: 100, unit: "%" },
    debt: number({ maximum: -1, unit: "s" }),
    age: number({ timeDependent: true, unit: "s" }),
  },
  lamp: { on: { type: "choice", values: [0, 1] }, level: { type: "integer", minimum: 0, maximum: 100 } },
  free: {},
};
const nouns = Object.fromEntries(
  Object.entries(shapes).map(([name, shape]) => [name, new TestNoun({}, name === "free" ? undefined : shape)]),
);
const then = [{ verb: "POST", noun: "lamp", body: { on: 1 } }] as const;

function mistakes(options: Partial<RuleOptions>): readonly string[] {
  return new RuledDevice(nouns, { rule: { then, ...options } }).mistakes;
}

const names = 'expected the name of a noun, found "wsh"; did you mean "wish"?';
const keysOfWish = 'expected a key of the noun wish; it has "celsius", "hot", "cold", "time", "mode", "away", "text", ';
const range = "expected a threshold within a number from -40 to 80 or null, but the key ";
const self = (key: string, noun: string) =>
  `expected a value that the rule does not set, but it sets "${key}" of ${noun}: it would start itself`;
const aNumber = "expected a number as a threshold, but the key ";

describe("a condition of a rule:", () => {
  test.each<[Condition, string]>([
    [{ below: "$wsh.celsius" }, `below: ${names}`],
    [{ below: "$wish.celcius" }, `below: ${keysOfWish}"minutes", "percent", "debt", "age"`],
    [
      { below: "$room.celsius" },
      'below: expected another key, because the condition would compare "celsius" of room with itself',
    ],
    [{ below: "$wish.time" }, `below: ${aNumber}"time" of wish is a time of day such as 06:30`],
    [{ above: "$wish.mode" }, `above: ${aNumber}"mode" of wish takes "auto" or "manual"`],
    [{ above: "$wish.away" }, `above: ${aNumber}"away" of wish takes true or false`],
    [{ above: "$wish.text" }, `above: ${aNumber}"text" of wish takes a string of at most 9 characters`],
    [{ above: "$wish.hot" }, `above: ${range}"hot" of wish takes a number from 100 to 200`],
    [{ below: "$wish.cold" }, `below: ${range}"cold" of wish takes a number from -90 to -50`],
    [{ above: "$wish.celsius * 10 + 50" }, `above: ${range}"celsius" of wish takes a number from 100 to 350`],
    [{ above: "$wish.celsius * -10 - 50" }, `above: ${range}"celsius" of wish takes a number from -350 to -100`],
    [
      { below: 20, until: "$wish.hot" },
      "until: expected a value within a number from -40 to 80 or null, but the key " +
        '"hot" of wish takes a number from 100 to 200',
    ],
    [
      { below: 20, until: "$wish.time" },
      'until: expected a number as a value, but the key "time" of wish is a time of day such as 06:30',
    ],
    [{ above: 2, below: "$wish.mode" }, `below: ${aNumber}"mode" of wish takes "auto" or "manual"`],
    [{ above: "$wish.age" }, 'above: expected a key that does not change with time alone, found the key "age" of wish'],
    [
      { above: "$wish.time + 1" },
      'above: expected a number to multiply or to add to, but the key "time" of wish is a time of day such as 06:30',
    ],
    [
      { above: "$wish.mode * 2" },
      'above: expected a number to multiply or to add to, but the key "mode" of wish takes "auto" or "manual"',
    ],
    [
      { above: "$wish.celsius * 0" },
      'above: expected a factor other than 0, which makes nothing of the key "celsius" of wish',
    ],
    ["$wish.mode", 'expected a number from -40 to 80 or null, but the key "mode" of wish takes "auto" or "manual"'],
    [
      "$wish.time",
      'expected a number from -40 to 80 or null, but the key "time" of wish is a time of day such as 06:30',
    ],
    ["$wish.hot", 'expected a number from -40 to 80 or null, but the key "hot" of wish takes a number from 100 to 200'],
    ["$wsh.mode", names],
    ["$wish.moode", `${keysOfWish}"minutes", "percent", "debt", "age"`],
    ["$room.celsius", 'expected another key, because the condition would compare "celsius" of room with itself'],
    [{ below: "$lamp.level" }, self("level", "lamp")],
    [{ below: "$rule.runs" }, "expected a value of another noun, not of this one"],
  ])("%j", (condition, sentence) => {
    const isSelf =
      typeof condition === "object" && ["$lamp.level", "$rule.runs"].includes(String(Object(condition).below));
    const actions = isSelf ? ([{ verb: "PUT", noun: "lamp", body: { on: 1, level: 2 } }] as const) : then;
    const place = "rule.when.room.celsius";
    const expected = isSelf
      ? `${place}: ${sentence}`
      : `${place}${/^(?:above|below|until): /.test(sentence) ? "." : ": "}${sentence}`;
    expect(mistakes({ when: { room: { celsius: condition } }, then: actions })[0]).toBe(expected);
  });

  test("in a list has its number", () => {
    const when = [{ room: { celsius: 1 } }, { room: { celsius: { below: "$wish.time" } } }];
    expect(mistakes({ when })).toEqual([
      `rule.when.1.room.celsius.below: ${aNumber}"time" of wish is a time of day such as 06:30`,
    ]);
  });
});

const time = "expected a number of ms, s, min or h";
const unit = "expected a key with the unit ms, s, min or h, but the key ";
test.each<["for" | "every", string, string]>([
  ["for", "$wsh.minutes", names],
  ["for", "$wish.minuts", `${keysOfWish}"minutes", "percent", "debt", "age"`],
  ["for", "$wish.time", `${time}, not a time of day, but the key "time" of wish is a time of day such as 06:30`],
  ["for", "$wish.mode", `${time}, but the key "mode" of wish takes "auto" or "manual"`],
  ["for", "$wish.percent", `${unit}"percent" of wish has the unit "%"`],
  ["for", "$wish.celsius", `${unit}"celsius" of wish has no unit`],
  ["for", "$wish.debt", 'expected a time of 0 or more, but the key "debt" of wish takes a number of at most -1'],
  ["every", "$wish.age", 'expected a key that does not change with time alone, found the key "age" of wish'],
  ["every", "$wish.away", `${time}, but the key "away" of wish takes true or false`],
  ["every", "$wish.minutes * 0", 'expected a factor other than 0, which makes nothing of the key "minutes" of wish'],
  ["every", "$lamp.level", self("level", "lamp")],
  ["every", "$rule.last", "expected a value of another noun, not of this one"],
])("a time: %s %s", (option, given, sentence) => {
  const actions =
    given === "$lamp.level" ? ([{ verb: "PUT", noun: "lamp", body: { on: 1, level: 2 } }] as const) : then;
  const when = option === "for" ? { when: { lamp: { on: 1 } } } : {};
  expect(mistakes({ ...when, [option]: given, then: actions })).toEqual([`rule.${option}: ${sentence}`]);
});

const ofDay = 'expected a time of day, a key of the type "time", but the key ';
test.each([
  ["$wsh.time", names],
  ["$wish.tme", `${keysOfWish}"minutes", "percent", "debt", "age"`],
  ["$wish.celsius", `${ofDay}"celsius" of wish takes a number from 5 to 30`],
  ["$wish.mode", `${ofDay}"mode" of wish takes "auto" or "manual"`],
  ["$wish.text", `${ofDay}"text" of wish takes a string of at most 9 characters`],
  [
    "$wish.time * 2",
    'expected a number to multiply or to add to, but the key "time" of wish is a time of day such as 06:30',
  ],
  ["$wish.age", 'expected a key that does not change with time alone, found the key "age" of wish'],
  ["$rule.last", "expected a value of another noun, not of this one"],
])("a time of day: %s", (given, sentence) => {
  expect(mistakes({ at: [given] })).toEqual([`rule.at: ${sentence}`]);
});

test("a time of day that the rule itself sets", () => {
  const actions = [{ verb: "POST", noun: "wish", body: { time: "07:00" } }] as const;
  expect(mistakes({ at: ["$wish.time"], then: actions })).toEqual([`rule.at: ${self("time", "wish")}`]);
});

test.each<[Scalar, string]>([
  ["$wsh.mode", names],
  ["$wish.level", `${keysOfWish}"minutes", "percent", "debt", "age"`],
  ["$wish.mode", 'expected a whole number from 0 to 100, found the key "mode" of wish: "auto" or "manual"'],
  ["$wish.time", 'expected a whole number from 0 to 100, found the key "time" of wish: a time of day such as 06:30'],
  ["$wish.cold", 'expected a whole number from 0 to 100, found the key "cold" of wish: a number from -90 to -50'],
  ["$wish.hot + 1", 'expected a whole number from 0 to 100, found the key "hot" of wish: a number from 101 to 201'],
  [
    "$wish.text * 2",
    'expected a number to multiply or to add to, but the key "text" of wish takes a string of at most 9 characters',
  ],
  ["$wish.percent * 0", 'expected a factor other than 0, which makes nothing of the key "percent" of wish'],
  ["at ${wish.percent} %", "expected a whole number from 0 to 100, found a text with the value of wish"],
  ["at ${wsh.percent} %", names],
  ["at ${wish.procent} %", `${keysOfWish}"minutes", "percent", "debt", "age"`],
])("a value to set: %s", (level, sentence) => {
  const actions = [{ verb: "POST", noun: "lamp", body: { level } }] as const;
  expect(mistakes({ every: 1_000, then: actions })).toEqual([`rule.then.POST lamp.level: ${sentence}`]);
});

describe("a guard:", () => {
  const on: Shape = { on: { type: "integer", minimum: 0, maximum: 9 } };

  test.each<[Condition, string]>([
    [{ above: "$pmp.on" }, 'above: expected the name of a noun, found "pmp"; did you mean "pump"?'],
    [{ above: "$tank.off" }, 'above: expected a key of the noun tank; it has "on"'],
    [
      { above: "$tank.on + 9" },
      "above: expected a threshold within a whole number from 0 to 9, but the key " +
        '"on" of tank takes a whole number from 9 to 18',
    ],
    [
      { above: "$pump.on" },
      'above: expected another key, because the condition would compare "on" of pump with itself',
    ],
  ])("%j", (condition, sentence) => {
    const device = new GuardedDevice({ pump: undefined, tank: undefined, heater: { pump: { on: condition } } });
    expect(device.of("pump").shape).toEqual(on);
    const found = guardMistakes(device.server.nouns).map(
      ({ keys, sentence }) => `${keys.slice(3).join(".")}: ${sentence}`,
    );
    expect(found).toEqual([sentence]);
  });

  test("a circle by a reference is refused", () => {
    expect(() => new GuardedDevice({ tank: undefined, heater: { tank: { on: { below: "$heater.on" } } } })).toThrow(
      "The guard of heater is in a circle: heater needs heater.",
    );
    expect(() => new GuardedDevice({ tank: undefined, a: { tank: { on: "$b.on" } }, b: { a: { on: 1 } } })).toThrow(
      "is in a circle",
    );
  });
});
