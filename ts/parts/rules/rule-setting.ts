/** The settings of a rule: its times and its actions. */

import { nounNamePattern } from "../../core/noun/name.ts";
import { referenceIn, referencePattern } from "../../core/noun/reference.ts";
import { isVerb, type Verb } from "../../core/noun/verb.ts";
import { reference } from "../../settings/conditions.ts";
import type { JsonObject } from "../../settings/json.ts";
import { mapOf, moreThanComment, oneOrMore } from "../../settings/record.ts";
import {
  type Bounds,
  checked,
  converted,
  either,
  found,
  integer,
  keyPath,
  Mistakes,
  mistake,
  refuse,
  type Setting,
  state,
  textOf,
  textThat,
} from "../../settings/setting.ts";
import { type At, parseTime } from "./at.ts";
import type { Days } from "./days.ts";
import type { Action } from "./rule.ts";
import { sunEvents } from "./sun.ts";

/** Actions of one rule: a bound of what a run does in one turn of the loop. */
const mostActions = 64;

const expectedAction = '"PUT NOUN", "POST NOUN" or "DELETE NOUN"';

/** @param name `PUT heater`. @param path of all actions. */
function action(name: string, body: Action["body"], path: string): Action {
  const words = name.split(" ");
  const [verb, noun] = [words[0] ?? "", words[1] ?? ""];
  if (!isVerb(verb) || verb === "GET" || !nounNamePattern.test(noun) || words.length > 2) {
    throw mistake(keyPath(path, name), `expected ${expectedAction}, found ${found(name)}`);
  }
  if (verb === "DELETE" && Object.keys(body).length > 0) {
    throw mistake(keyPath(path, name), "expected {} for a DELETE, which has no body");
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
    const all: Action[] = [];
    for (const [name, body] of read) {
      try {
        all.push(action(name, body, path));
      } catch (error) {
        mistakes.takeFrom(error);
      }
    }
    return mistakes.finish(all);
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

/** A time of day, of the clock or of the sun, or a reference to one. */
export function timeOfDay(): Setting<At> {
  const sun = `(?:${sunEvents.join("|")})(?:[+-]${clock})?(?:>${clock})?(?:<${clock})?`;
  const time = textThat(
    (text) => parseTime(text) !== undefined || referenceIn(text) !== undefined,
    "a time of day such as 06:30, sunset+00:30 or $wish.time",
    new RegExp(`^(?:${clock}|${sun})$|${referencePattern.source}`),
  );
  return converted(time, (text) => parseTime(text) ?? text);
}

/** One time of day, or several. */
export function timesOfDay(): Setting<readonly At[]> {
  return oneOrMore(timeOfDay());
}

const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const day = `(?:${dayNames.join("|")})`;
const part = `${day}(?:-${day})?`;
const everyDays = "every ([1-9][0-9]{0,2})(?: from ([0-9]{4}-[0-9]{2}-[0-9]{2}))?";

/** Days of the week such as `mon-fri` or `sat,sun`; `odd` or `even` days of the month; `every 3 from 2026-05-01`. */
export function days(): Setting<Days> {
  const expected = "days such as mon-fri, or odd, even or every 3 from 2026-05-01";
  const text = textOf(new RegExp(`^(?:${part}(?:,${part})*|odd|even|${everyDays})$`), expected);
  return converted(text, (text, path): Days => {
    if (text === "odd" || text === "even") return text;
    const [, every, from = "1970-01-01"] = new RegExp(`^${everyDays}$`).exec(text) ?? [];
    if (every !== undefined) {
      const first = new Date(`${from}T00:00Z`);
      if (Number.isNaN(first.getTime()) || first.toISOString().slice(0, 10) !== from) {
        throw mistake(path, `expected a date such as 2026-05-01 after "from", found ${found(from)}`);
      }
      return { every: Number(every), from: first.getTime() / 86_400_000 };
    }
    const numbers = text.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map((name) => dayNames.indexOf(name));
      // A week has no end: sat-mon.
      return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7);
    });
    // As people read them, from Monday on.
    return [...new Set(numbers)].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
  });
}

/** ms within bounds, or a reference to a time that a noun has. */
export function duration(bounds: Bounds): Setting<number | string> {
  const ms = integer(bounds);
  return either(
    `${ms.expected} or a reference such as $wish.minutes`,
    ms,
    reference(),
    (value) => typeof value !== "string" || !value.startsWith("$"),
  );
}
