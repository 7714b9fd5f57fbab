/** Makes the nouns of a configuration, which opens their hardware, and puts them on a server. */
import { logError } from "../application/log.ts";
import { openRules, type Rules } from "../application/open-rules.ts";
import { hardware } from "../application/platform.ts";
import type { Server } from "../application/server.ts";
import { attempt, exitStatus } from "../application/start-error.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { NounContext, NounPlan } from "../configuration/noun-kind.ts";
import type { Store } from "../native/storage.ts";

/** @throws StartError naming the noun that cannot be made. */
function refuseNoun(name: string, make: () => void): void {
  attempt(exitStatus.unavailable, make, `the noun ${name} cannot be made: `);
}

/** The part of a configuration that its nouns are made from. */
export interface NounsToRegister extends Pick<Configuration, "gpioBackend" | "stateDirectory"> {
  readonly nouns: Iterable<readonly [NounContext["name"], NounPlan]>;
}

/**
 * @param attemptNoun calls the function that makes a noun.
 * @returns the rules; undefined if there are none.
 * @throws StartError naming the noun that cannot be made, unless `attemptNoun` catches its error. The server keeps the
 *   nouns that were made before it.
 */
export function registerNouns(
  server: Server,
  { nouns, gpioBackend, stateDirectory }: NounsToRegister,
  attemptNoun = refuseNoun,
): Rules | undefined {
  let store: Store | undefined;
  let rules: Rules | undefined;
  function openStore(): Store {
    // `readConfiguration` has checked that there is a folder if a noun needs one.
    store ??= hardware().storage.openStore(stateDirectory ?? "");
    return store;
  }
  function make(name: NounContext["name"], { build }: NounPlan): void {
    const addRule: NonNullable<NounContext["addRule"]> = (options, kept) => {
      rules ??= openRules(server.core);
      return rules.add(name, options, kept);
    };
    const report = (error: unknown) => logError(name, error);
    server.register(name, build({ name, gpioBackend, openStore, addRule, report }));
  }
  for (const [name, plan] of nouns) attemptNoun(name, () => make(name, plan));
  return rules;
}
