/** Rules on a device: what they watch, what they do, and what clients see of them. */

import { describe, expect, test } from "vitest";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import type { Action, RuleOptions } from "../../../ts/parts/rules/rule.ts";
import { RuledDevice, TestNoun } from "./device.ts";

const put = (noun: string, body: Action["body"]): Action => ({ verb: "PUT", noun, body });
const toggle = (noun: string): Action => ({ verb: "POST", noun, body: {} });
const frost: RuleOptions = {
  when: { cellar: { celsius: { below: 4, until: 6 } } },
  then: [put("heater", { on: 1 })],
  else: [put("heater", { on: 0 })],
};
const counts = { runs: 0, delayed: 0, failed: 0, last: null };

function frostDevice(options: Partial<RuleOptions> = {}) {
  const cellar = new TestNoun({ celsius: 10 });
  const heater = new TestNoun({ on: 1 });
  return { cellar, heater, device: new RuledDevice({ cellar, heater }, { frost: { ...frost, ...options } }).start() };
}

test("a rule acts on what its noun tells, by the noun's own way, and says so in the log", () => {
  const { cellar, heater, device } = frostDevice();
  expect(heater.state).toEqual({ on: 0 });
  device.clock.advance(200);
  cellar.become({ celsius: 3 });
  device.clock.advance(0);
  expect(heater.state).toEqual({ on: 1 });
  expect(device.ask("GET", "frost")).toEqual({ enabled: true, holds: true, runs: 2, delayed: 0, failed: 0, last: 0 });
  expect(device.log).toEqual(["frost PUT heater 200", "frost PUT heater 200"]);
  device.clock.advance(840);
  expect(device.ask("GET", "frost")).toMatchObject({ last: 840 });
});

test("a button toggles a relay, and each press counts once", () => {
  const button = new TestNoun({ short: 7 });
  const relay = new SwitchNoun({ key: "relay" });
  const when = { button: { short: { changes: true } } } as const;
  const device = new RuledDevice({ button, relay }, { bell: { when, then: [toggle("relay")] } }).start();
  for (const [short, level] of [
    [8, 1],
    [9, 0],
    [10, 1],
  ] as const) {
    device.clock.advance(150);
    button.become({ short });
    device.clock.advance(0);
    expect(device.ask("GET", "relay")).toEqual({ relay: level });
  }
  expect(device.ask("GET", "bell")).toMatchObject({ holds: false, runs: 3 });
});

describe("a value of another noun", () => {
  const when = { knob: { percent: { changes: true } } } as const;
  const mirror: RuleOptions = { when, then: [put("fan", { percent: "$knob.percent", enabled: true })] };
  const shape: Shape = { percent: { type: "integer", minimum: 0, maximum: 100 }, enabled: { type: "boolean" } };

  test("is read when the rule runs", () => {
    const knob = new TestNoun({ percent: 1 });
    const fan = new TestNoun({ percent: 0, enabled: false }, shape);
    const device = new RuledDevice({ knob, fan }, { mirror }).start();
    for (const percent of [2, 3, 4]) {
      knob.become({ percent });
      device.clock.advance(25);
    }
    device.clock.advance(100);
    expect(fan.asked).toEqual([
      { percent: 2, enabled: true },
      { percent: 4, enabled: true },
    ]);
  });

  test("is kept within the range of the key, so that a knob stops at the end", () => {
    const knob = new TestNoun({ percent: 1 });
    const fan = new TestNoun({ percent: 0, enabled: false }, shape);
    const then = [put("fan", { percent: "$knob.percent * 0.5 + 60", enabled: true })];
    const device = new RuledDevice({ knob, fan }, { mirror: { when, then } }).start();
    for (const percent of [13, 200, -200]) {
      knob.become({ percent });
      device.clock.advance(200);
    }
    expect(fan.asked.map(({ percent }) => percent)).toEqual([67, 100, 0]);
  });

  test("inside a text is the value, and unknown while it cannot be read", () => {
    const knob = new TestNoun({ percent: 1 });
    const tub = new TestNoun({ celsius: null });
    const sign = new TestNoun({ text: "" }, { text: { type: "string" } });
    const then = [put("sign", { text: "Knob ${knob.percent} %, tub ${tub.celsius} °C" })];
    const device = new RuledDevice({ knob, tub, sign }, { mirror: { when, then } }).start();
    knob.become({ percent: 7.5 });
    device.clock.advance(50);
    expect(sign.asked).toEqual([{ text: "Knob 7.5 %, tub unknown °C" }]);
  });

  test("that is missing or does not fit fails the action, and asks nobody", () => {
    const knob = new TestNoun({ percent: 1 });
    const fan = new TestNoun({ percent: 0, enabled: false }, shape);
    const lamp = new TestNoun({});
    const then = [...mirror.then, put("lamp", { on: 1 })];
    const device = new RuledDevice({ knob, fan, lamp }, { mirror: { when, then } }).start();
    knob.become({ percent: "much" });
    device.clock.advance(50);
    expect([fan.asked, lamp.asked]).toEqual([[], [{ on: 1 }]]);
    expect(device.ask("GET", "mirror")).toMatchObject({ runs: 1, failed: 1 });
    expect(device.reports).toEqual([
      'mirror: PUT fan failed: The value of "percent" must be a whole number from 0 to 100.',
    ]);
  });
});

test("a noun that fails is counted and reported, and freezes the rules that wait for it", () => {
  const { cellar, heater, device } = frostDevice();
  device.clock.advance(200);
  heater.state = new Error("gone");
  heater.setState = () => {
    throw new Error("gone");
  };
  cellar.become({ celsius: 2 });
  device.clock.advance(0);
  expect(device.ask("GET", "frost")).toMatchObject({ holds: true, runs: 2, failed: 1 });
  expect(device.reports).toEqual(["frost: PUT heater failed: The noun failed."]);
  cellar.fail();
  device.clock.advance(100);
  expect(device.ask("GET", "frost")).toMatchObject({ holds: true, runs: 2 });
});

describe("a client", () => {
  test("disables a rule: it runs nothing, and nothing is watched for it", () => {
    const { cellar, heater, device } = frostDevice();
    expect(cellar.isWatched).toBe(true);
    device.clock.advance(500);
    expect(device.ask("PUT", "frost", { enabled: false })).toEqual({
      enabled: false,
      holds: false,
      ...counts,
      runs: 1,
      last: 500,
    });
    device.clock.advance(0);
    expect(cellar.isWatched).toBe(false);
    cellar.become({ celsius: 1 });
    device.clock.advance(10_000);
    expect(heater.state).toEqual({ on: 0 });
    expect(device.clock.running).toBe(0);
  });

  test("enables it again: that is a start, with what the nouns are then", () => {
    const { cellar, heater, device } = frostDevice();
    device.ask("POST", "frost", { enabled: false });
    device.clock.advance(500);
    cellar.become({ celsius: 1 });
    device.clock.advance(500);
    device.ask("POST", "frost", { enabled: true });
    device.clock.advance(0);
    expect(heater.state).toEqual({ on: 1 });
    expect(device.ask("GET", "frost")).toMatchObject({ enabled: true, holds: true, runs: 2 });
  });

  test("disables and enables it in one turn, which is a start, too", () => {
    const { heater, device } = frostDevice();
    device.clock.advance(500);
    for (const enabled of [false, true, false, true]) device.ask("PUT", "frost", { enabled });
    device.clock.advance(0);
    expect(heater.asked).toEqual([{ on: 0 }, { on: 0 }]);
  });

  test("enables a rule of changes just after another change: that change is before the start", () => {
    const button = new TestNoun({ short: 1 });
    const lamp = new SwitchNoun({ key: "lamp" });
    const when = { button: { short: { changes: true } } } as const;
    const rules = { one: { when, then: [toggle("lamp")] }, other: { when, then: [toggle("lamp")] } };
    const device = new RuledDevice({ button, lamp }, rules).start();
    device.ask("PUT", "one", { enabled: false });
    device.clock.advance(200);
    button.become({ short: 2 });
    device.clock.advance(0);
    button.become({ short: 3 });
    device.ask("PUT", "one", { enabled: true });
    device.clock.advance(1_000);
    expect(device.ask("GET", "one")).toMatchObject({ runs: 0 });
    expect(device.ask("GET", "other")).toMatchObject({ runs: 2 });
  });

  test("tries a rule: then runs once, also if it is disabled", () => {
    const { heater, device } = frostDevice();
    device.ask("PUT", "frost", { enabled: false });
    device.clock.advance(500);
    expect(device.ask("POST", "frost")).toMatchObject({ enabled: false, runs: 2, last: 0 });
    expect(heater.asked).toEqual([{ on: 0 }]);
    device.clock.advance(0);
    expect(heater.asked).toEqual([{ on: 0 }, { on: 1 }]);
  });

  test("runs a scene, which is a rule with actions alone, and has no conditions to show", () => {
    const heater = new TestNoun({ on: 1 });
    const device = new RuledDevice({ heater }, { away: { then: [put("heater", { on: 0 })] } }).start();
    expect(device.ask("GET", "away")).toEqual({ enabled: true, ...counts });
    expect(Object.keys(device.ruleNamed("away").shape)).not.toContain("holds");
    device.ask("POST", "away");
    device.clock.advance(0);
    expect(heater.asked).toEqual([{ on: 0 }]);
    expect(device.ask("GET", "away")).toMatchObject({ runs: 1, last: 0 });
  });

  test("resets it: it is enabled, and its counters begin again", () => {
    const { device } = frostDevice();
    device.ask("PUT", "frost", { enabled: false });
    device.clock.advance(500);
    expect(device.ask("DELETE", "frost")).toEqual({ enabled: true, holds: false, ...counts });
    device.clock.advance(0);
    expect(device.ask("GET", "frost")).toMatchObject({ enabled: true, runs: 1 });
  });

  test("sees in its stream that a rule has run", () => {
    const { cellar, device } = frostDevice();
    const seen: string[] = [];
    const rule = device.server.nouns.find("frost");
    if (rule !== undefined) rule.face.watch?.(() => void seen.push(JSON.stringify(device.ask("GET", "frost"))));
    cellar.become({ celsius: 1 });
    device.clock.advance(200);
    expect(seen.at(-1)).toContain('"holds":true,"runs":2');
  });

  test("is not overtaken: its PUT while an action waits comes after it, and before the next", async () => {
    const { cellar, heater, device } = frostDevice();
    device.clock.advance(200);
    heater.stalls = true;
    cellar.become({ celsius: 1 });
    device.clock.advance(0);
    device.ask("PUT", "heater", { on: 7 });
    cellar.become({ celsius: 9 });
    device.clock.advance(1_000);
    expect(heater.asked).toEqual([{ on: 0 }, { on: 1 }]);
    await heater.endStall();
    device.clock.advance(200);
    expect(heater.asked).toEqual([{ on: 0 }, { on: 1 }, { on: 7 }, { on: 0 }]);
  });
});

test("at the start, a noun is read and watched for all of its rules together", () => {
  const lamp = new TestNoun({ on: 0 });
  let [readings, watches] = [0, 0];
  const { getState, watch } = lamp;
  lamp.getState = () => {
    readings += 1;
    return getState.call(lamp);
  };
  lamp.watch = (changed) => {
    watches += 1;
    return watch.call(lamp, changed);
  };
  const names = Array.from({ length: 5 }, (_, index) => `rule${index}`);
  const rule: RuleOptions = { when: { lamp: { on: 1 } }, then: [toggle("other")] };
  const other = new SwitchNoun({ key: "on" });
  const device = new RuledDevice({ lamp, other }, Object.fromEntries(names.map((name) => [name, rule]))).start();
  device.clock.advance(0);
  expect([readings, watches]).toEqual([1, 1]);
  device.clock.advance(200);
  lamp.become({ on: 1 });
  device.clock.advance(0);
  for (const name of names) expect(device.ask("GET", name)).toMatchObject({ holds: true, runs: 1 });
});

test("a rule at a time of day runs if its conditions hold then", () => {
  const door = new TestNoun({ open: 1 });
  const lamp = new TestNoun({});
  const rule: RuleOptions = { at: [60], when: { door: { open: 1 } }, then: [put("lamp", { on: 1 })] };
  const device = new RuledDevice({ door, lamp }, { rule });
  device.ahead = Date.parse("2026-11-23T00:30:00Z");
  device.start();
  expect(device.ask("GET", "rule")).toMatchObject({ holds: true, runs: 0 });
  for (let minute = 0; minute < 60; minute++) device.clock.advance(60_000);
  expect(lamp.asked).toEqual([{ on: 1 }]);
  door.become({ open: 0 });
  for (let minute = 0; minute < 1_440; minute++) device.clock.advance(60_000);
  expect(device.ask("GET", "rule")).toMatchObject({ holds: false, runs: 1 });
});

test("two rules that toggle each other are slowed to once in ten seconds, and say so once", () => {
  const [one, other] = [new SwitchNoun({ key: "on" }), new SwitchNoun({ key: "on" })];
  const changes = { on: { changes: true } } as const;
  const rules = {
    there: { when: { one: changes }, then: [toggle("other")] },
    back: { when: { other: changes }, then: [toggle("one")] },
  };
  const device = new RuledDevice({ one, other }, rules).start();
  device.ask("POST", "one");
  device.clock.advance(60_000);
  for (const name of ["there", "back"]) {
    const { runs } = device.ask("GET", name) as { readonly runs: number };
    expect(runs).toBeGreaterThan(20);
    expect(runs).toBeLessThanOrEqual(30);
  }
  const sentence =
    "runs again and again because of the answers to its own actions, so from now on once in ten seconds: " +
    "does another rule, here or on another device, undo them?";
  expect(device.reports.toSorted()).toEqual([`back: ${sentence}`, `there: ${sentence}`]);
});

test("rules at rest wake nothing", () => {
  const { device } = frostDevice();
  device.clock.advance(1_000);
  expect(device.clock.running).toBe(0);
});

test("a noun that is registered again is found again", () => {
  const { heater, device } = frostDevice();
  device.clock.advance(200);
  device.server.unregister("cellar");
  device.clock.advance(3_500);
  expect(device.ask("GET", "frost")).toMatchObject({ holds: false, runs: 1 });
  device.server.register("cellar", new TestNoun({ celsius: 0 }));
  device.clock.advance(2_000);
  expect(heater.state).toEqual({ on: 1 });
});

test("whether a rule is enabled survives a restart, if it is kept", () => {
  const texts: string[] = [];
  const device = new RuledDevice({ cellar: new TestNoun({}), heater: new TestNoun({}) }, {});
  const kept = { text: "false", keep: (text: string) => void texts.push(text), flush: () => void texts.push("flush") };
  const rule = device.rules.add("frost", frost, kept as never);
  expect(rule.getState()).toMatchObject({ enabled: false });
  rule.setState({ enabled: true });
  rule.close();
  expect(texts).toEqual(["true", "flush"]);
});

describe("in words", () => {
  const celsius: Shape = { celsius: { type: "number", unit: "Cel", readOnly: true } };
  const nouns = {
    cellar: Object.assign(new TestNoun({ celsius: 3 }, celsius), { title: "Cellar" }),
    heater: new SwitchNoun({ key: "on" }),
    button: new TestNoun({ button: 0, short: 1 }, { button: { type: "integer" }, short: { type: "integer" } }),
  };
  const heat = frost.then;
  test.each<[string, RuleOptions]>([
    ["When Cellar is below 4 °C until 6 °C: Heater on, else off.", frost],
    ["When Cellar is below 4 °C until 6 °C: Heater on (again every 10 s), else off.", { ...frost, every: 10_000 }],
    [
      "When Button is 0 for 2 min: Heater reset.",
      { when: { button: { button: 0 } }, for: 120_000, then: [{ verb: "DELETE", noun: "heater", body: {} }] },
    ],
    [
      "When Button short changes: Heater triggered.",
      { when: { button: { short: { changes: true } } }, then: [toggle("heater")] },
    ],
    [
      "At 22:00 on Mon, Tue if Button is 1: Heater Cellar.",
      { at: [1320], days: [1, 2], when: { button: { button: 1 } }, then: [put("heater", { on: "$cellar.celsius" })] },
    ],
    ["Every 1 h: Heater on.", { every: 3_600_000, then: heat }],
  ])("%s", (sentence, options) => {
    const device = new RuledDevice(nouns, { rule: options });
    expect(device.server.nouns.find("rule")?.face.description).toBe(sentence);
  });
});

test("a rule whose action was refused for a time tries again then, if it still holds", () => {
  const room = new TestNoun({ celsius: 20 });
  const compressor = new TestNoun({ on: 0 });
  let isResting = true;
  compressor.setState = (state) => {
    if (isResting && state["on"] === 1) throw HttpError.keeping(409, "It rests.", "Retry-After: 3\r\n");
    return compressor.become(state);
  };
  const rule: RuleOptions = {
    when: { room: { celsius: { above: 26, until: 24 } } },
    then: [put("compressor", { on: 1 })],
    else: [put("compressor", { on: 0 })],
  };
  const device = new RuledDevice({ room, compressor }, { rule }).start();
  device.clock.advance(200);
  room.become({ celsius: 30 });
  device.clock.advance(2_900);
  expect(compressor.state).toEqual({ on: 0 });
  isResting = false;
  device.clock.advance(300);
  expect(compressor.state).toEqual({ on: 1 });
  isResting = true;
  room.become({ celsius: 20 });
  device.clock.advance(200);
  room.become({ celsius: 30 });
  device.clock.advance(200);
  room.become({ celsius: 20 });
  isResting = false;
  device.clock.advance(10_000);
  expect(compressor.state).toEqual({ on: 0 });
  expect(device.clock.running).toBe(0);
});
