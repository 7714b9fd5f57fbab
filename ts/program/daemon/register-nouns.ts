/** Makes the nouns of a configuration, which opens their hardware, and puts them on a server. */

import type { KeptText } from "../../core/noun/kept-text.ts";
import type { Noun } from "../../core/noun/noun.ts";
import type { RestorableNoun } from "../../core/noun/restorable.ts";
import type { Store } from "../../native/storage.ts";
import { guardOrder, guardsKey } from "../../parts/guards/part.ts";
import { type RuleOptions, type Rules, rulesKey, type ScheduleOptions } from "../../parts/rules/part.ts";
import { logError, logLack } from "../../platform/log.ts";
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

/** What all nouns of a configuration are made with. Its rules and its store are opened for the first that needs them. */
class Making {
  private readonly server: Server;
  private readonly places: Pick<Configuration, "stateDirectory" | "location">;
  private store: Store | undefined;

  constructor(server: Server, places: Pick<Configuration, "stateDirectory" | "location">) {
    this.server = server;
    this.places = places;
  }

  openStore(): Store {
    // `readConfiguration` has checked that there is a folder if a noun needs one.
    // A noun without its store would lose its state, so it does not stand there without one.
    const open = () => hardware().storage.openStore(this.places.stateDirectory ?? "");
    this.store ??= attempt(exitStatus.unavailable, open);
    return this.store;
  }

  openRules(): Rules {
    const rules = this.server.core.parts.open(rulesKey) as Rules; // each server has a plan of it
    rules.locate(this.places.location);
    return rules;
  }
}

/** What one noun is made with. Many a noun keeps it, so it is small. */
class MakingOfNoun implements NounContext {
  readonly name: NounContext["name"];
  private readonly making: Making;

  constructor(name: NounContext["name"], making: Making) {
    this.name = name;
    this.making = making;
  }

  openStore(): Store {
    return this.making.openStore();
  }

  addRule(options: RuleOptions, kept: KeptText | undefined): Noun {
    return this.making.openRules().add(this.name, options, kept);
  }

  addSchedule(options: ScheduleOptions): RestorableNoun {
    return this.making.openRules().addSchedule(this.name, options);
  }

  report(error: unknown): void {
    logError(this.name, error);
  }
}

/**
 * @param attemptNoun calls the function that makes a noun.
 * @throws StartError naming the noun that cannot be made, unless `attemptNoun` catches its error. The server keeps the
 *   nouns that were made before it.
 */
export function registerNouns(
  server: Server,
  { nouns, hasGuards, stateDirectory, location, lacking }: NounsToRegister,
  attemptNoun = refuseNoun,
): void {
  const making = new Making(server, { stateDirectory, location });
  function make(name: NounContext["name"], plan: NounPlan): Noun {
    try {
      return plan.build(new MakingOfNoun(name, making));
    } catch (error) {
      if (lacking === undefined || !isRefusal(error)) throw error;
      logLack(name, sentenceOf(error));
      lacking.add(name);
      return absentNoun();
    }
  }
  if (!hasGuards) {
    for (const [name, plan] of nouns) attemptNoun(name, () => server.register(name, make(name, plan)));
    return;
  }
  // A guarded output gets its default before what its guard names gets another state.
  const plans = new Map(nouns);
  const names = Array.from(plans.keys(), (name) => [name] as const);
  const namedBy = (entry: readonly [NounContext["name"]]) => {
    const guard = plans.get(entry[0])?.guard;
    return guard === undefined ? [] : nounsOfGuard(guard);
  };
  const made = new Map<string, Noun>();
  for (const [name] of guardOrder(names, namedBy)) {
    const plan = plans.get(name);
    // Its memory is used again.
    plans.delete(name);
    if (plan !== undefined) attemptNoun(name, () => void made.set(name, make(name, plan)));
  }
  for (const [name] of names) {
    const noun = made.get(name);
    if (noun !== undefined) attemptNoun(name, () => server.register(name, noun));
  }
}
