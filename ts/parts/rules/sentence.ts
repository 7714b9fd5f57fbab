/** A rule in words: "When Cellar is below 4 °C until 6 °C: Heater on, else off." */

import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { type Condition, isChange, type Thresholds } from "../../core/noun/condition.ts";
import { referenceIn } from "../../core/noun/reference.ts";
import type { Scalar } from "../../core/noun/state.ts";
import { type At, clockText, type SunTime } from "./at.ts";
import { type Days, daysText } from "./days.ts";
import type { Action, Rule } from "./rule.ts";

/** Names of units that people write otherwise than UCUM does. */
const units: { readonly [ucum: string]: string } = { Cel: "°C", "[degF]": "°F", Ohm: "Ω" };

/** @returns a time in its largest whole unit: `2 min`. */
function duration(ms: number): string {
  const [length, unit] = (
    [
      [3_600_000, "h"],
      [60_000, "min"],
      [1_000, "s"],
    ] as const
  ).find(([one]) => ms % one === 0) ?? [1, "ms"];
  return `${ms / length} ${unit}`;
}

/** @returns the local minute of today at which the sun is there; undefined if it is not today. */
export type Today = (time: SunTime) => number | undefined;

/** @returns `22:00`, or `30 min after sunset (today 16:42)`. */
function timeOf(at: At, nouns: NounDirectory, today: Today): string {
  if (typeof at === "number") return clockText(at);
  if (typeof at === "string") return operandText(nouns, at);
  const { sun, offset } = at;
  const from = offset === 0 ? sun : `${duration(Math.abs(offset) * 60_000)} ${offset < 0 ? "before" : "after"} ${sun}`;
  const minute = today(at);
  return `${from} (${minute === undefined ? "not today" : `today ${clockText(minute)}`})`;
}

/** @returns a value of a configuration in words; what another noun has by its title. @param text of a constant. */
function operandText(nouns: NounDirectory, value: Scalar, text = String(value)): string {
  const reference = referenceIn(value);
  if (reference === undefined) return text;
  const { noun, key, factor, summand } = reference;
  const times = factor === 1 ? "" : ` × ${factor}`;
  const plus = summand === 0 ? "" : ` ${summand < 0 ? "−" : "+"} ${Math.abs(summand)}`;
  return subjectOf(nouns, noun, key) + times + plus;
}

function conditionText(nouns: NounDirectory, noun: string, key: string, condition: Condition): string {
  const subject = subjectOf(nouns, noun, key);
  const text = (value: Scalar) => operandText(nouns, value, valueText(nouns, noun, key, value));
  if (isChange(condition)) return `${subject} changes`;
  if (condition === null) return `${subject} cannot be read`;
  if (typeof condition !== "object") return `${subject} is ${text(condition)}`;
  const { above, below, until } = condition as Thresholds;
  const end = until === undefined ? "" : ` until ${text(until)}`;
  const parts = [above === undefined ? [] : `above ${text(above)}`, below === undefined ? [] : `below ${text(below)}`];
  return `${subject} is ${parts.flat().join(" and ")}${end}`;
}

/** @param last the noun of the action before, whose title need not be repeated. */
function actionText(nouns: NounDirectory, { verb, noun, body }: Action, last: string | undefined): string {
  const values = Object.entries(body).map(([key, value]) => {
    const text = operandText(nouns, value, valueText(nouns, noun, key, value));
    return isPlain(nouns, noun, key) ? text : `${key} ${text}`;
  });
  const what = verb === "DELETE" ? "reset" : values.length === 0 ? "triggered" : values.join(", ");
  return noun === last ? what : `${titleOf(nouns, noun)} ${what}`;
}

function titleOf(nouns: NounDirectory, name: string): string {
  const { title } = nouns.find(name)?.face ?? {};
  return title ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** Whether a key says no more than its noun does: the only one, or the first beside counters. */
function isPlain(nouns: NounDirectory, noun: string, key: string): boolean {
  return Object.keys(nouns.find(noun)?.face.shape ?? {})[0] === key;
}

function subjectOf(nouns: NounDirectory, noun: string, key: string): string {
  return isPlain(nouns, noun, key) ? titleOf(nouns, noun) : `${titleOf(nouns, noun)} ${key}`;
}

function valueText(nouns: NounDirectory, noun: string, key: string, value: Scalar): string {
  const declared = nouns.find(noun)?.face.shape?.[key];
  const isSwitch = declared?.type === "choice" && declared.values.length === 2 && declared.values.includes(0);
  if (typeof value === "boolean" || (isSwitch && (value === 0 || value === 1))) return value ? "on" : "off";
  const unit = declared?.unit === undefined ? "" : ` ${units[declared.unit] ?? declared.unit}`;
  return `${value}${unit}`;
}

/** @returns a time of a rule in words, or the noun that has it. */
function timeText(nouns: NounDirectory, time: number | string): string {
  return typeof time === "number" ? duration(time) : operandText(nouns, time);
}

/** @returns when a schedule is active: `From sunset (today 16:42) to 23:00 on Mon, Tue.` */
export function scheduleText(from: At, to: At, days: Days | undefined, nouns: NounDirectory, today: Today): string {
  const [begin, end] = [from, to].map((time) => timeOf(time, nouns, today));
  return `From ${begin} to ${end}${onDays(days)}.`;
}

function onDays(days: Days | undefined): string {
  return days === undefined ? "" : ` on ${daysText(days)}`;
}

function when({ alternatives, options }: Rule, nouns: NounDirectory, today: Today): string {
  const { for: time, at, days, every } = options;
  const lists = alternatives.map((list) =>
    list.map(({ noun, key, condition }) => conditionText(nouns, noun, key, condition)).join(" and "),
  );
  const held = lists.join(", or ");
  if (at === undefined && held === "") return every === undefined ? "When asked" : `Every ${timeText(nouns, every)}`;
  if (at === undefined) return `When ${held}${time === undefined ? "" : ` for ${timeText(nouns, time)}`}`;
  const times = at.map((time) => timeOf(time, nouns, today)).join(", ");
  return `At ${times}${onDays(days)}${held === "" ? "" : ` if ${held}`}`;
}

function actions(branch: readonly Action[], nouns: NounDirectory, first?: string): string {
  let last = first;
  const texts = branch.map((action) => {
    const text = actionText(nouns, action, last);
    last = action.noun;
    return text;
  });
  return texts.join(", ");
}

/** @returns the rule as a sentence. */
export function sentenceOf(rule: Rule, nouns: NounDirectory, today: Today): string {
  const { options, alternatives } = rule;
  const then = actions(options.then, nouns);
  const only = options.then.every(({ noun }) => noun === options.then[0]?.noun) ? options.then[0]?.noun : undefined;
  const otherwise = options.else === undefined ? "" : `, else ${actions(options.else, nouns, only)}`;
  const again =
    options.every === undefined || alternatives.length === 0 ? "" : ` (again every ${timeText(nouns, options.every)})`;
  return `${when(rule, nouns, today)}: ${then}${again}${otherwise}.`;
}
