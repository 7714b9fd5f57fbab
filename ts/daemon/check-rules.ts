/** Checks the rules of a configuration: whether they fit the other nouns. */
import type { Rules } from "../application/rules.ts";
import { exitStatus, StartError } from "../application/start-error.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { keyPath } from "../configuration/setting.ts";

/**
 * Checks the rules, once all nouns are registered.
 * @param path of the configuration, for the error.
 * @param isKnown as in `Rules.mistakes`.
 * @throws StartError with a line for each mistake.
 */
export function refuseMistakes(rules: Rules, path: string, isKnown?: (noun: string) => boolean): void {
  const lines = rules.mistakes(isKnown).map(({ rule, keys, sentence }) => {
    const place = keys.reduce(keyPath, keyPath("$.nouns", rule));
    return `${path}: ${place}: ${sentence}`;
  });
  if (lines.length > 0) throw new StartError(lines, exitStatus.configuration);
}

/**
 * Registers the nouns of a configuration on a server.
 * @param attempt calls the function that makes the noun of a name.
 * @returns the rules; undefined if there are none.
 */
export type RegisterNouns = (
  configuration: Configuration,
  attempt: (name: string, make: () => void) => void,
) => Rules | undefined;

/**
 * Checks the rules without the device's hardware, by nouns on the simulated one. To be called while that is used.
 * @throws as `refuseMistakes`.
 */
export function checkRules(configuration: Configuration, path: string, register: RegisterNouns): void {
  const { nouns } = configuration;
  if (!Array.from(nouns.values()).some(({ isRule }) => isRule)) return;
  // The simulated device may have other LEDs, and lack what a noun needs.
  const unknown = new Set<string>();
  for (const [name, { hasShapeOfDevice }] of nouns) if (hasShapeOfDevice) unknown.add(name);
  const rules = register(configuration, (name, make) => {
    try {
      make();
    } catch {
      unknown.add(name);
    }
  });
  if (rules !== undefined) refuseMistakes(rules, path, (name) => !unknown.has(name));
}
