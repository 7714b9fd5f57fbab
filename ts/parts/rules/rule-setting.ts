/** The settings of a rule: its conditions, which are those of a guard too, its times, its actions. */

import type { Condition, When } from "../../core/noun/condition.ts";
import { nounNamePattern } from "../../core/noun/name.ts";
import { isVerb, type Verb } from "../../core/noun/verb.ts";
import type { JsonObject } from "../../settings/json.ts";
import { mapOf, moreThanComment, namesOfNouns, objectOf, oneOrMore, optional, record } from "../../settings/record.ts";
import {
  checked,
  choice,
  converted,
  found,
  isObject,
  type JsonSchema,
  keyPath,
  Mistakes,
  mistake,
  number,
  refuse,
  type Setting,
  scalar,
  state,
  textOf,
  withKeywords,
} from "../../settings/setting.ts";
import type { At } from "./at.ts";
import type { Action } from "./rule.ts";
import { sunEvents } from "./sun.ts";

/** A threshold with the value that ends it. Those of a guard may stand in either order. */
function threshold(word: "above" | "below", kinds: Kind): Setting<Condition> {
  const both = record({ [word]: number(), until: optional(number) });
  if (kinds === "of a state") return both as unknown as Setting<Condition>;
  const ordered = checked(both, (read, path) => {
    const { [word]: begin = 0, until = begin } = read as { readonly [key: string]: number };
    const isRight = word === "above" ? until <= begin : until >= begin;
    if (!isRight) {
      const most = word === "above" ? "at most" : "at least";
      throw mistake(keyPath(path, "until"), `expected ${most} ${begin}, where the condition begins, found ${until}`);
    }
  });
  return ordered as unknown as Setting<Condition>;
}

/** Whether conditions may be changes, as those of a rule, or must be of a state, as those of a guard. */
type Kind = "of a change too" | "of a state";

function condition(kinds: Kind): Setting<Condition> {
  const [value, above, below] = [scalar(), threshold("above", kinds), threshold("below", kinds)];
  const changes: Setting<Condition> = record({ changes: choice(true) });
  const mayChange = kinds === "of a change too";
  const expected = `a value, or an object with ${mayChange ? '"above", "below" or "changes"' : '"above" or "below"'}`;
  const words = ["above", "below", ...(mayChange ? ["changes"] : [])];
  return {
    expected,
    schema: () => ({
      anyOf: [
        { type: ["string", "number", "boolean"] },
        above.schema(),
        below.schema(),
        ...(mayChange ? [changes.schema()] : []),
      ],
    }),
    read(given, path) {
      if (given === null) throw mistake(path, `expected ${expected}, found null, which decides nothing`);
      if (!isObject(given)) return value.read(given, path);
      const kind = words.find((word) => Object.hasOwn(given, word));
      if (kind === undefined) return refuse(given, path, expected);
      return (kind === "above" ? above : kind === "below" ? below : changes).read(given, path);
    },
  };
}

/** @returns a map that is not empty. */
function some<T>(setting: Setting<{ readonly [key: string]: T }>): Setting<{ readonly [key: string]: T }> {
  const several = checked(setting, (read, path, value) => {
    if (Object.keys(read).length === 0) refuse(value, path, `${setting.expected} that is not empty`);
  });
  return withKeywords(several, moreThanComment);
}

/** The conditions of a rule or a guard, by noun and by key. */
export function conditions(kinds: Kind = "of a change too"): Setting<When> {
  const nouns = some(objectOf(some(objectOf(condition(kinds)))));
  const named = converted(nouns, (read, path) => {
    const mistakes = new Mistakes();
    for (const name of Object.keys(read)) {
      if (nounNamePattern.test(name)) continue;
      mistakes.add(keyPath(path, name), `expected the name of a noun, found ${found(name)}`);
    }
    return mistakes.finish(Object.fromEntries(Object.entries(read).map(([name, keys]) => [name.toLowerCase(), keys])));
  });
  return withKeywords(named, namesOfNouns);
}

/** In a schema, each guard refers to the same definition. */
export function guardConditions(): Setting<When> {
  return { ...conditions("of a state"), schema: () => ({ $ref: "#/definitions/guard" }) };
}

/** @returns the definition, by its name in a schema. */
export function guardDefinition(): { readonly guard: JsonSchema } {
  return { guard: conditions("of a state").schema() };
}

/** Actions of one rule: a bound of what a run does in one turn of the loop. */
const mostActions = 64;

const expectedAction = '"PUT NOUN", "POST NOUN" or "DELETE NOUN"';

/** @param name `PUT heater`. */
function action(name: string, body: Action["body"], path: string): Action {
  const [verb = "", noun = "", ...rest] = name.split(" ");
  if (!isVerb(verb) || verb === "GET" || !nounNamePattern.test(noun) || rest.length > 0) {
    throw mistake(path, `expected ${expectedAction}, found ${found(name)}`);
  }
  if (verb === "DELETE" && Object.keys(body).length > 0) {
    throw mistake(path, "expected {} for a DELETE, which has no body");
  }
  return { verb: verb as Exclude<Verb, "GET">, noun: noun.toLowerCase(), body };
}

/** What a rule performs, in the order of the text. */
export function actions(): Setting<readonly Action[]> {
  const bodies = mapOf(state(), `an object with ${expectedAction}`);
  const names = nounNamePattern.source.replace(/^\^/, "");
  const several = checked(bodies, (read, path, value) => {
    if (read.length === 0) refuse(value, path, "at least one action");
    if (read.length > mostActions) throw mistake(path, `expected at most ${mostActions} actions, found ${read.length}`);
  });
  const parsed = converted(several, (read, path) => {
    const mistakes = new Mistakes();
    const all = read.map(([name, body]) => mistakes.attempt(() => action(name, body, keyPath(path, name))));
    return mistakes.finish(all.filter((one) => one !== undefined));
  });
  return {
    ...parsed,
    schema: () => ({
      type: "object",
      properties: (bodies.schema() as { readonly properties: JsonObject }).properties,
      patternProperties: {
        [`^(?:PUT|POST) ${names}`]: state().schema(),
        [`^DELETE ${names}`]: { type: "object", maxProperties: 0 },
      },
      additionalProperties: false,
      maxProperties: mostActions + 1,
      ...moreThanComment(),
      else: { minProperties: 1, maxProperties: mostActions },
    }),
  };
}

const clock = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
const timePattern = new RegExp(`^(?:${clock}|(?:${sunEvents.join("|")})(?:[+-]${clock})?)$`);

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(":");
  return 60 * Number(hours) + Number(minutes);
}

/** Minutes since midnight, or a time of the sun. */
function timeOfDay(): Setting<At> {
  const time = textOf(timePattern, "a time of day such as 06:30 or sunset+00:30");
  return converted(time, (text): At => {
    const sun = sunEvents.find((event) => text.startsWith(event));
    if (sun === undefined) return minutesOf(text);
    const offset = text.slice(sun.length);
    const minutes = offset === "" ? 0 : minutesOf(offset.slice(1));
    return { sun, offset: offset.startsWith("-") ? -minutes : minutes };
  });
}

/** One time of day, or several. */
export function timesOfDay(): Setting<readonly At[]> {
  return oneOrMore(timeOfDay());
}

const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const day = `(?:${dayNames.join("|")})`;

/** Days of the week such as `mon-fri` or `sat,sun`, as numbers from 0 for Sunday. */
export function daysOfWeek(): Setting<readonly number[]> {
  const part = `${day}(?:-${day})?`;
  const days = textOf(new RegExp(`^${part}(?:,${part})*$`), "days such as mon-fri or sat,sun");
  return converted(days, (text) => {
    const numbers = text.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map((name) => dayNames.indexOf(name));
      // A week has no end: sat-mon.
      return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7);
    });
    return [...new Set(numbers)].sort();
  });
}
