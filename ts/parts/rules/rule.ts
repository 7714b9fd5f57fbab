/** The actions of a rule, and their conditions. */

import type { KeyCondition, When } from "../../core/noun/condition.ts";
import { type Reference, referenceIn, referencesIn as referencesOf } from "../../core/noun/reference.ts";
import type { State } from "../../core/noun/state.ts";
import type { Verb } from "../../core/noun/verb.ts";
import { ofProgram } from "../../native/of-program.ts";
import type { At } from "./at.ts";
import type { Days } from "./days.ts";

/** What a rule performs, as a client's request would. */
export interface Action {
  readonly verb: Exclude<Verb, "GET">;
  /** The noun's name in lower case. */
  readonly noun: string;
  /** A string `$noun.key` in it stands for the value that this noun has at the run; `${noun.key}` inside a text, too. */
  readonly body: State;
}

/** A rule as its configuration declares it. Times are in ms. In place of one, `$noun.key` is a time that a noun has. */
export interface RuleOptions {
  /** All conditions of one of its objects must hold. Undefined for a rule of time alone, and for a scene. */
  readonly when?: When | readonly When[];
  /** How long the conditions must hold before `then`. */
  readonly for?: number | string;
  /** The time between two runs of `then`: while the conditions hold, or without any. */
  readonly every?: number | string;
  /** Times at which `then` runs. */
  readonly at?: readonly At[];
  /** Days of `at`; all if left out. */
  readonly days?: Days;
  readonly then: readonly Action[];
  readonly else?: readonly Action[];
}

/** A schedule as its configuration declares it. */
export interface ScheduleOptions {
  readonly from: At;
  readonly to: At;
  /** The days on which it begins; all if left out. */
  readonly days?: Days | undefined;
}

/** A rule with its conditions as lists: all of one list must hold. */
export interface Rule {
  readonly name: string;
  readonly options: Omit<RuleOptions, "when">;
  readonly alternatives: readonly (readonly KeyCondition[])[];
}

/** A value of a body that is read from a noun at each run. */
export interface BodyReference extends Reference {
  /** The key of the body. */
  readonly target: string;
  /** Whether it is the whole value, and not inside a text. */
  readonly isWhole: boolean;
}

const noReferences: readonly BodyReference[] = [];

/** Those of each body that has any. */
const known = ofProgram(() => new WeakMap<State, readonly BodyReference[]>());

/** @returns the values of a body that are read from nouns. */
export function referencesIn(body: State): readonly BodyReference[] {
  let found = noReferences as BodyReference[];
  for (const target of Object.keys(body)) {
    const value = body[target];
    if (typeof value !== "string" || !value.includes("$")) continue;
    const before = known().get(body);
    if (before !== undefined) return before;
    const whole = referenceIn(value);
    const references = whole === undefined ? referencesOf(value) : [whole];
    if (found.length === 0) found = [];
    for (const reference of references) found.push({ ...reference, target, isWhole: whole !== undefined });
  }
  if (found.length > 0) known().set(body, found);
  return found;
}
