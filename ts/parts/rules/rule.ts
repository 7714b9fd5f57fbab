/** The actions of a rule, and their conditions. */

import type { KeyCondition, When } from "../../core/noun/condition.ts";
import type { State } from "../../core/noun/state.ts";
import type { Verb } from "../../core/noun/verb.ts";
import type { At } from "./at.ts";

/** What a rule performs, as a client's request would. */
export interface Action {
  readonly verb: Exclude<Verb, "GET">;
  /** The noun's name in lower case. */
  readonly noun: string;
  /** A string `$noun.key` in it stands for the value that this noun has at the run. */
  readonly body: State;
}

/** A rule as its configuration declares it. Times are in ms. */
export interface RuleOptions {
  /** Undefined for a rule of time alone. */
  readonly when?: When;
  /** How long the conditions must hold before `then`. */
  readonly for?: number;
  /** The time between two runs of `then`: while the conditions hold, or without any. */
  readonly every?: number;
  /** Times at which `then` runs. */
  readonly at?: readonly At[];
  /** Days of `at`, 0 for Sunday to 6; all if left out. */
  readonly days?: readonly number[];
  readonly then: readonly Action[];
  readonly else?: readonly Action[];
}

/** A rule with its conditions as a list. */
export interface Rule {
  readonly name: string;
  readonly options: Omit<RuleOptions, "when">;
  readonly conditions: readonly KeyCondition[];
}

/** A value of a body that is read from a noun at each run. */
export interface Reference {
  /** The key of the body. */
  readonly target: string;
  readonly noun: string;
  readonly key: string;
}

/** The noun's name may have dots; the key is what follows the last one. */
const referencePattern = /^\$([A-Za-z0-9._~-]{1,64})\.([^.]+)$/;

/** @returns the values of a body that are read from nouns. */
export function referencesIn(body: State): readonly Reference[] {
  return Object.entries(body).flatMap(([target, value]) => {
    const [, noun, key] = (typeof value === "string" && referencePattern.exec(value)) || [];
    return noun === undefined || key === undefined ? [] : [{ target, noun: noun.toLowerCase(), key }];
  });
}
