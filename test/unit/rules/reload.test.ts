/** What a rule is after a reload: an unchanged one goes on where it was. */
import { expect, test } from "vitest";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import type { RuleOptions } from "../../../ts/parts/rules/rule.ts";
import { RuledDevice, TestNoun } from "./device.ts";

const number = { type: "number" } as const;
const lampOn = { verb: "PUT", noun: "lamp", body: { on: 1 } } as const;
const lampOff = { verb: "PUT", noun: "lamp", body: { on: 0 } } as const;

function device(rule: RuleOptions, clock?: RuledDevice["clock"]) {
  const cellar = new TestNoun({ celsius: 10 }, { celsius: number });
  const lamp = new TestNoun({ on: 0 }, { on: number });
  return { cellar, lamp, rule, device: new RuledDevice({ cellar, lamp }, { rule }, clock).start() };
}

const isCold = { cellar: { celsius: { below: 4, until: 6 } } };
const cold = { when: isCold, then: [lampOn], else: [lampOff] };

test("a rule that holds does not run again", async () => {
  const { cellar, lamp, rule, device: before } = device(cold);
  cellar.become({ celsius: 3 });
  before.clock.advance(200);
  const ran = [...lamp.asked];
  expect(ran.at(-1)).toEqual({ on: 1 });
  const after = await before.reload({ rule });
  after.clock.advance(1_000);
  expect(lamp.asked).toEqual(ran);
  expect(after.ask("GET", "rule")).toMatchObject({ enabled: true, holds: true, runs: 2, failed: 0 });
  cellar.become({ celsius: 5 });
  after.clock.advance(1_000);
  expect(lamp.asked).toEqual(ran);
});

test("what changes meanwhile counts as a change", async () => {
  const { cellar, lamp, rule, device: before } = device(cold);
  const after = await before.reload({ rule }, () => void cellar.become({ celsius: 3 }));
  after.clock.advance(1_000);
  expect(lamp.asked).toEqual([{ on: 0 }, { on: 1 }]);
});

test("a wait goes on, and does not begin again", async () => {
  const { cellar, lamp, rule, device: before } = device({ when: isCold, for: 10_000, then: [lampOn] });
  cellar.become({ celsius: 3 });
  before.clock.advance(9_000);
  const after = await before.reload({ rule });
  after.clock.advance(900);
  expect(lamp.asked).toEqual([]);
  after.clock.advance(200);
  expect(lamp.asked).toEqual([{ on: 1 }]);
});

test("a wait that a null has stopped goes on when the key is readable", async () => {
  const { cellar, lamp, rule, device: before } = device({ when: isCold, for: 10_000, then: [lampOn] });
  cellar.become({ celsius: 3 });
  before.clock.advance(9_000);
  cellar.become({ celsius: null });
  before.clock.advance(60_000);
  const after = await before.reload({ rule });
  after.clock.advance(60_000);
  expect(lamp.asked).toEqual([]);
  cellar.become({ celsius: 3 });
  after.clock.advance(1_100);
  expect(lamp.asked).toEqual([{ on: 1 }]);
});

test("a press meanwhile runs the rule once", async () => {
  const presses = { when: { cellar: { celsius: { changes: true } } }, then: [lampOn] } as const;
  const { cellar, lamp, rule, device: before } = device(presses);
  const after = await before.reload({ rule }, () => void cellar.become({ celsius: 11 }));
  after.clock.advance(1_000);
  expect(lamp.asked).toEqual([{ on: 1 }]);
});

test("a rule that repeats keeps its time", async () => {
  const { lamp, rule, device: before } = device({ every: 10_000, then: [lampOn] });
  before.clock.advance(9_500);
  const after = await before.reload({ rule });
  after.clock.advance(400);
  expect(lamp.asked).toEqual([]);
  after.clock.advance(200);
  expect(lamp.asked).toEqual([{ on: 1 }]);
});

test("a time of day in the moment of the reload is not missed, and comes once", async () => {
  const { lamp, rule, device: before } = device({ at: [0], then: [lampOn] });
  const minute = 60_000;
  const toMidnight = 1_440 * minute - ((before.clock.now() + before.ahead) % (1_440 * minute));
  before.clock.advance(toMidnight - 10);
  const after = await before.reload({ rule }, () => before.clock.advance(20));
  after.clock.advance(minute);
  expect(lamp.asked).toEqual([{ on: 1 }]);
  await after.reload({ rule });
  before.clock.advance(minute);
  expect(lamp.asked).toEqual([{ on: 1 }]);
});

test("a run that was put off still comes", async () => {
  const { cellar, lamp, rule, device: before } = device(cold);
  cellar.become({ celsius: 3 });
  before.clock.advance(60);
  expect(before.ask("GET", "rule")).toMatchObject({ runs: 1, delayed: 1 });
  const after = await before.reload({ rule });
  expect(lamp.asked).toEqual([{ on: 0 }]);
  after.clock.advance(40);
  expect(lamp.asked).toEqual([{ on: 0 }, { on: 1 }]);
  expect(after.ask("GET", "rule")).toMatchObject({ runs: 2, delayed: 1 });
});

test("a rule that was disabled stays so, with its counts, and begins again when it is enabled", async () => {
  const { cellar, lamp, rule, device: before } = device(cold);
  before.ask("PUT", "rule", { enabled: false });
  const after = await before.reload({ rule }, () => void cellar.become({ celsius: 3 }));
  after.clock.advance(1_000);
  expect(after.ask("GET", "rule")).toMatchObject({ enabled: false, holds: false, runs: 1 });
  after.ask("PUT", "rule", { enabled: true });
  after.clock.advance(1_000);
  expect(lamp.asked).toEqual([{ on: 0 }, { on: 1 }]);
});

test("a rule that says something else begins again", async () => {
  const { cellar, lamp, device: before } = device(cold);
  before.ask("PUT", "rule", { enabled: false });
  cellar.become({ celsius: 3 });
  const rule = { ...cold, when: { cellar: { celsius: { below: 5, until: 6 } } } };
  const after = await before.reload({ rule });
  after.clock.advance(1_000);
  expect(after.ask("GET", "rule")).toMatchObject({ enabled: true, holds: true, runs: 1 });
  expect(lamp.asked).toEqual([{ on: 0 }, { on: 1 }]);
});

test("what an untrusted process has left does no harm", () => {
  const { device: before, rule } = device({ ...cold, for: 1_000, every: 1_000 });
  const { rule: text = null } = before.leftOf("rule");
  const values = [null, -1, 1.5, 1e300, "", "then", true];
  const keys = ["isDecided", "holds", "due", "left", "value0", "readable0", "holds0", "runs", "failed", "last", "next"];
  for (const key of keys) {
    for (const value of values) {
      const { lamp, device: after } = device(rule, before.clock);
      after.ruleNamed("rule")[takeOver]({ ...before.leftOf("rule"), isEnabled: true, [key]: value });
      expect(() => after.ruleNamed("rule").start()).not.toThrow();
      after.clock.advance(10_000);
      expect(lamp.asked.length, `${key}: ${value}`).toBeLessThan(25);
      after.ruleNamed("rule").close();
      expect(after.ruleNamed("rule")[leave]()).toMatchObject({ rule: text });
    }
  }
});
