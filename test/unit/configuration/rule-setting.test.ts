/** A rule in the configuration: what it may say, and each mistake that no other noun is needed to see. */
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { RuleOptions } from "../../../ts/parts/rules/rule.ts";
import { configurationSchema, readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { type Json, parseJson } from "../../../ts/settings/json.ts";
import { ConfigurationError } from "../../../ts/settings/setting.ts";

const isConfiguration = new Ajv({ strict: false }).compile(configurationSchema());

function configured(rule: string): Json {
  return parseJson(`{ "nouns": { "rule": { "kind": "rule", ${rule} } } }`);
}

/** @returns what a rule is made from. */
function read(rule: string): RuleOptions | undefined {
  const value = configured(rule);
  expect(isConfiguration(value), JSON.stringify(isConfiguration.errors)).toBe(true);
  let made: RuleOptions | undefined;
  const addRule = (options: RuleOptions) => {
    made = options;
    return {} as Noun;
  };
  for (const [name, plan] of readConfiguration(value).nouns) {
    plan.build({ name, openStore: () => expect.fail(), report: () => {}, addRule });
  }
  return made;
}

function mistakes(rule: string): readonly string[] {
  try {
    readConfiguration(configured(rule));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.mistakes.map((sentence) => sentence.replace("$.nouns.rule.", ""));
  }
}

const heat = '"then": { "PUT heater": { "on": 1 } }';

describe("a rule", () => {
  test("has conditions by noun and key, in any case of the name", () => {
    expect(
      read(`"when": { "Cellar": { "celsius": { "below": 4, "until": 6 } }, "door": { "open": true } }, ${heat}`),
    ).toEqual({
      when: { cellar: { celsius: { below: 4, until: 6 } }, door: { open: true } },
      then: [{ verb: "PUT", noun: "heater", body: { on: 1 } }],
    });
  });

  test("performs its actions in the order of the text", () => {
    const text = '"every": 100, "then": { "DELETE 2": {}, "POST 1": { "$comment": "x" }, "PUT Lamp": {} }';
    expect(read(text)?.then).toEqual([
      { verb: "DELETE", noun: "2", body: {} },
      { verb: "POST", noun: "1", body: { $comment: "x" } },
      { verb: "PUT", noun: "lamp", body: {} },
    ]);
  });

  test.each([
    ['"22:00"', undefined, [1_320], undefined],
    ['["00:00", "23:59"]', "mon-fri", [0, 1_439], [1, 2, 3, 4, 5]],
    ['"06:30"', "sat,sun", [390], [6, 0]],
    ['"06:30"', "fri-mon", [390], [1, 5, 6, 0]],
  ])("comes at %s on %s", (at, days, minutes, numbers) => {
    const rule = read(`"at": ${at}, ${days === undefined ? "" : `"days": "${days}",`} ${heat}`);
    expect([rule?.at, rule?.days]).toEqual([minutes, numbers]);
  });

  test("keeps whether it is enabled in the folder for states", () => {
    expect(mistakes(`"every": 1000, "boot": "restore", ${heat}`)).toEqual([
      "$.stateDirectory: expected the path of a folder, because boot needs it, found nothing",
    ]);
  });
});

/** Mistakes that the editor's schema marks, too. */
const marked: readonly (readonly [string, string])[] = [
  ['"every": 1000', 'then: expected an object with "PUT NOUN", "POST NOUN" or "DELETE NOUN", found nothing'],
  ['"every": 1000, "then": {}', "then: expected at least one action, found an object"],
  [
    '"every": 1000, "then": { "GET a": {} }',
    'then["GET a"]: expected "PUT NOUN", "POST NOUN" or "DELETE NOUN", found "GET a"',
  ],
  [
    '"every": 1000, "then": { "PUT a b": {} }',
    'then["PUT a b"]: expected "PUT NOUN", "POST NOUN" or "DELETE NOUN", found "PUT a b"',
  ],
  [
    '"every": 1000, "then": { "DELETE a": { "b": 1 } }',
    'then["DELETE a"]: expected {} for a DELETE, which has no body',
  ],
  [
    '"every": 1000, "then": { "PUT a": { "b": [] } }',
    'then["PUT a"].b: expected a string, a number, true, false or null, found an empty list',
  ],
  [`"when": {}, ${heat}`, "when: expected an object that is not empty, found an object"],
  [`"when": { "a": {} }, ${heat}`, "when.a: expected an object that is not empty, found an object"],
  [`"when": { "a b": { "c": 1 } }, ${heat}`, 'when["a b"]: expected the name of a noun, found "a b"'],
  [
    `"when": { "a": { "c": { "over": 1 } } }, ${heat}`,
    'when.a.c: expected a value, or an object with "above", "below" or "changes", found an object',
  ],
  [`"when": { "a": { "c": { "changes": false } } }, ${heat}`, "when.a.c.changes: expected true, found false"],
  [`"when": { "a": { "c": { "above": "1" } } }, ${heat}`, 'when.a.c.above: expected a number, found "1"'],
  [
    `"when": { "a": { "c": { "above": "$b.c * 2 * 3" } } }, ${heat}`,
    "when.a.c.above: expected a reference such as $wish.celsius or $wish.celsius * 0.5 + 2, " + 'found "$b.c * 2 * 3"',
  ],
  [`"when": [], ${heat}`, "when: expected a list that is not empty, found an empty list"],
  [
    `"every": "$b", ${heat}`,
    'every: expected a reference such as $wish.celsius or $wish.celsius * 0.5 + 2, found "$b"',
  ],
  [
    `"at": "sunset+24:00", ${heat}`,
    'at: expected a time of day such as 06:30, sunset+00:30 or $wish.time, found "sunset+24:00"',
  ],
  [`"at": "24:00", ${heat}`, 'at: expected a time of day such as 06:30, sunset+00:30 or $wish.time, found "24:00"'],
  [`"at": "6:30", ${heat}`, 'at: expected a time of day such as 06:30, sunset+00:30 or $wish.time, found "6:30"'],
  [
    `"at": "06:30", "days": "weekend", ${heat}`,
    'days: expected days such as mon-fri, or odd, even or every 3 from 2026-05-01, found "weekend"',
  ],
  [`"every": 99, ${heat}`, "every: expected a whole number from 100 to 604800000, found 99"],
  [`"when": { "a": { "c": 1 } }, "for": 0, ${heat}`, "for: expected a whole number from 1 to 604800000, found 0"],
];

/** Mistakes that nobody but `--check` can tell. */
const beyond: readonly (readonly [string, string])[] = [
  [
    `"when": { "a": { "c": { "above": 1, "until": 2 } } }, ${heat}`,
    "when.a.c.until: expected at most 1, where the condition begins, found 2",
  ],
  [
    `"when": { "a": { "c": { "below": 1, "until": 0 } } }, ${heat}`,
    "when.a.c.until: expected at least 1, where the condition begins, found 0",
  ],
  [
    `"when": { "a": { "c": { "above": 1, "below": 0 } } }, ${heat}`,
    'when.a.c.below: expected more than 1, the number of "above", found 0',
  ],
  [
    `"when": { "a": { "c": { "above": 1, "below": 3, "until": 2 } } }, ${heat}`,
    'when.a.c.until: expected nothing together with both "above" and "below"',
  ],
  [
    `"when": [{ "a": { "c": { "changes": true } } }, { "b": { "c": 1 } }], ${heat}`,
    'when: expected "changes" in each object of the list, or in none',
  ],
  [
    `"at": "06:30", "days": "every 3 from 2026-02-30", ${heat}`,
    'days: expected a date such as 2026-05-01 after "from", found "2026-02-30"',
  ],
  [`"every": 1000, "days": "mon", ${heat}`, 'days: expected nothing without "at"'],
  [`"every": 1000, "for": 5, ${heat}`, 'for: expected nothing without "when"'],
  [`"at": "06:30", "every": 1000, ${heat}`, 'every: expected nothing together with "at"'],
  [`"at": "06:30", "else": { "DELETE a": {} }, ${heat}`, 'else: expected nothing together with "at"'],
  [
    `"when": { "a": { "c": { "changes": true } } }, "for": 5, ${heat}`,
    'for: expected nothing together with "changes", which hold for no time',
  ],
  [
    `"when": { "a": { "c": { "changes": true } } }, "every": 1000, ${heat}`,
    'every: expected nothing together with "changes", which hold for no time',
  ],
  [
    `"when": { "a": { "c": { "changes": true } } }, "else": { "DELETE a": {} }, ${heat}`,
    'else: expected nothing together with "changes", which hold for no time',
  ],
  [
    `"when": { "a": { "c": { "changes": true } } }, "at": "06:30", ${heat}`,
    'at: expected nothing together with "changes"',
  ],
];

test.each(marked)("%s is a mistake that an editor marks", (rule, sentence) => {
  expect(mistakes(rule)).toEqual([sentence]);
  expect(isConfiguration(configured(rule))).toBe(false);
});

test.each(beyond)("%s is a mistake", (rule, sentence) => {
  expect(mistakes(rule)).toEqual([sentence]);
});
