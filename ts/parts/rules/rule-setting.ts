/** The settings of a rule: its times and its actions. */

import { nounNamePattern } from "../../core/noun/name.ts";
import { isVerb, type Verb } from "../../core/noun/verb.ts";
import type { JsonObject } from "../../settings/json.ts";
import { mapOf, moreThanComment, oneOrMore } from "../../settings/record.ts";
import {
  checked,
  converted,
  found,
  keyPath,
  Mistakes,
  mistake,
  refuse,
  type Setting,
  state,
  textOf,
} from "../../settings/setting.ts";
import type { At } from "./at.ts";
import type { Action } from "./rule.ts";
import { sunEvents } from "./sun.ts";

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
