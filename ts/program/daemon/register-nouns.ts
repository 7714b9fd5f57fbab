/** Makes the nouns of a configuration, which opens their hardware, and puts them on a server. */

import type { Noun } from "../../core/noun/noun.ts";
import type { Store } from "../../native/storage.ts";
import { guardOrder, guardsKey } from "../../parts/guards/part.ts";
import { openRules, type Rules } from "../../parts/rules/open-rules.ts";
import { logError, logFailure } from "../../platform/log.ts";
import { hardware } from "../../platform/platform.ts";
import { attempt, exitStatus, isRefusal, sentenceOf } from "../../platform/start-error.ts";
import { absentNoun } from "../../settings/absent-noun.ts";
import { nounsOfGuard } from "../../settings/conditions.ts";
import type { NounContext, NounPlan } from "../../settings/noun-kind.ts";
import type { Server } from "../application/server.ts";
import type { Configuration } from "../configuration/configuration.ts";

/** @returns whether a noun of a configuration has a guard. */
export function haveGuards(nouns: ReadonlyMap<string, NounPlan>): boolean {
  for (const { guard } of nouns.values()) if (guard !== undefined) return true;
  return false;
}

/** @returns whether a noun of a server has a guard, or is followed as if it had one. */
export function areGuarded({ core }: Server): boolean {
  return core.parts.find(guardsKey) !== undefined;
}

/** @throws StartError naming the noun that cannot be made. */
function refuseNoun(name: string, make: () => void): void {
  attempt(exitStatus.unavailable, make, `the noun ${name} cannot be made: `);
}

/** The part of a configuration that its nouns are made from. */
export interface NounsToRegister extends Pick<Configuration, "stateDirectory" | "location"> {
  readonly nouns: Iterable<readonly [NounContext["name"], NounPlan]>;
  /** Whether one of them has a guard. */
  readonly hasGuards: boolean;
  /**
   * Receives the names of the nouns whose hardware or file is missing: another noun stands for each of them, and the
   * log has the reason. If left out, such a noun cannot be made.
   */
  readonly lacking?: Set<string>;
}

/**
 * @param attemptNoun calls the function that makes a noun.
 * @returns the rules; undefined if there are none.
 * @throws StartError naming the noun that cannot be made, unless `attemptNoun` catches its error. The server keeps the
 *   nouns that were made before it.
 */
export function registerNouns(
  server: Server,
  { nouns, hasGuards, stateDirectory, location, lacking }: NounsToRegister,
  attemptNoun = refuseNoun,
): Rules | undefined {
  let store: Store | undefined;
  let rules: Rules | undefined;
  function openStore(): Store {
    // `readConfiguration` has checked that there is a folder if a noun needs one.
    // A noun without its store would lose its state, so it does not stand there without one.
    store ??= attempt(exitStatus.unavailable, () => hardware().storage.openStore(stateDirectory ?? ""));
    return store;
  }
  function make(name: NounContext["name"], { build }: NounPlan): Noun {
    const opened = (): Rules => {
      rules ??= openRules(server.core, location);
      return rules;
    };
    const addRule: NonNullable<NounContext["addRule"]> = (options, kept) => opened().add(name, options, kept);
    const addSchedule: NonNullable<NounContext["addSchedule"]> = (options) => opened().addSchedule(name, options);
    const report = (error: unknown) => logError(name, error);
    try {
      return build({ name, openStore, addRule, addSchedule, report });
    } catch (error) {
      if (lacking === undefined || !isRefusal(error)) throw error;
      logFailure(name, sentenceOf(error));
      lacking.add(name);
      return absentNoun();
    }
  }
  if (!hasGuards) {
    for (const [name, plan] of nouns) attemptNoun(name, () => server.register(name, make(name, plan)));
    return rules;
  }
  // A guarded output gets its default before what its guard names gets another state.
  const all = Array.from(nouns);
  const made = new Map<string, Noun>();
  for (const [name, plan] of guardOrder(all, ([, { guard }]) => (guard === undefined ? [] : nounsOfGuard(guard)))) {
    attemptNoun(name, () => void made.set(name, make(name, plan)));
  }
  for (const [name] of all) {
    const noun = made.get(name);
    if (noun !== undefined) attemptNoun(name, () => server.register(name, noun));
  }
  return rules;
}
