/** Makes the nouns of a configuration, which opens their hardware, and puts them on a server. */
import { logError } from "../application/log.ts";
import { hardware } from "../application/platform.ts";
import type { Server } from "../application/server.ts";
import { attempt, exitStatus } from "../application/start-error.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { Store } from "../native/storage.ts";

/** @throws StartError naming the noun that cannot be made. The server keeps the nouns that were made before it. */
export function registerNouns(server: Server, { nouns, gpioBackend, stateDirectory }: Configuration): void {
  let store: Store | undefined;
  function openStore(): Store {
    // `readConfiguration` has checked that there is a folder if a noun needs one.
    store ??= hardware().storage.openStore(stateDirectory ?? "");
    return store;
  }
  for (const [name, { build }] of nouns) {
    const report = (error: unknown) => logError(name, error);
    const make = () => build({ name, gpioBackend, openStore, report });
    server.register(name, attempt(exitStatus.unavailable, make, `the noun ${name} cannot be made: `));
  }
}
