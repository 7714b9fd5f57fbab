/** Checks the nouns of a configuration by making them: whether their descriptions and their rules fit. */

import { refusals } from "../../parts/documents/describe/home-assistant/announced-nouns.ts";
import { guardMistakes } from "../../parts/guards/part.ts";
import { type ModbusServerOptions, registerMistakes } from "../../parts/modbus/server/part.ts";
import type { Rules } from "../../parts/rules/part.ts";
import { system } from "../../platform/platform.ts";
import { exitStatus, StartError } from "../../platform/start-error.ts";
import { faultOfTimeZone } from "../../platform/time-zone.ts";
import { keyPath } from "../../settings/setting.ts";
import type { Configuration } from "../configuration/configuration.ts";

/**
 * @param path of the configuration.
 * @param isKnown as in `Rules.mistakes`.
 * @returns a line for each mistake of the rules and the guards, once all nouns are registered.
 */
function mistakesOf(
  rules: Rules | undefined,
  nouns: Nouns,
  path: string,
  isKnown?: (noun: string) => boolean,
): readonly string[] {
  const ofRules = rules?.mistakes(isKnown).map(({ rule, ...mistake }) => ({ noun: rule, ...mistake })) ?? [];
  return [...ofRules, ...guardMistakes(nouns, isKnown)].map(({ noun, keys, sentence }) => {
    const place = keys.reduce(keyPath, keyPath("$.nouns", noun));
    return `${path}: ${place}: ${sentence}`;
  });
}

/** The nouns of a server. */
type Nouns = Parameters<typeof guardMistakes>[0];

function refuse(lines: readonly string[]): void {
  if (lines.length > 0) throw new StartError(lines, exitStatus.configuration);
}

/**
 * Checks the rules and the guards, once all nouns are registered.
 * @param path of the configuration, for the error. @param lacking the names of nouns whose shape is unknown.
 * @throws StartError with a line for each mistake.
 */
export function refuseMistakes(
  rules: Rules | undefined,
  nouns: Nouns,
  path: string,
  lacking: ReadonlySet<string>,
): void {
  refuse(mistakesOf(rules, nouns, path, (name) => !lacking.has(name)));
}

/** Checks the registers of a server of Modbus, as `refuseMistakes`. */
export function refuseRegisters(
  options: ModbusServerOptions,
  nouns: Nouns,
  path: string,
  lacking: ReadonlySet<string>,
): void {
  refuse(registerMistakes(options, nouns, (name) => !lacking.has(name)).map((line) => `${path}: ${line}`));
}

/**
 * Registers the nouns of a configuration on a server.
 * @param attempt calls the function that makes the noun of a name.
 * @returns the registered nouns, and the rules; undefined if there are none.
 */
export type RegisterNouns = (
  configuration: Configuration,
  attempt: (name: string, make: () => void) => void,
) => { readonly nouns: Nouns; readonly rules: Rules | undefined };

/**
 * Makes the nouns on simulated hardware and checks what they are told of themselves, their rules and their guards. To
 * be called while the simulated hardware is used.
 * @returns a line if the rules run at times of a zone that is not known; "" otherwise.
 * @throws StartError with a line for each mistake.
 */
export function checkNouns(configuration: Configuration, path: string, register: RegisterNouns): string {
  const { nouns, mqtt, modbusServer } = configuration;
  const lines: string[] = [];
  // The simulated device may have other LEDs, and lack what a noun needs.
  const unknown = new Set<string>();
  for (const [name, { hasShapeOfDevice }] of nouns) if (hasShapeOfDevice) unknown.add(name);
  const { rules, nouns: made } = register(configuration, (name, make) => {
    try {
      make();
    } catch (error) {
      // Hardware refuses by an Error; options that do not fit a noun's shape are a TypeError.
      if (error instanceof TypeError && !unknown.has(name)) {
        lines.push(`${path}: ${keyPath("$.nouns", name)}: ${error.message}`);
      }
      unknown.add(name);
    }
  });
  for (const [name, clause] of (mqtt?.homeAssistant ?? false) === false ? [] : refusals(made)) {
    if (!unknown.has(name)) lines.push(`${path}: ${keyPath("$.nouns", name)}: ${clause}`);
  }
  const isKnown = (name: string) => !unknown.has(name);
  const ofRegisters = modbusServer === undefined ? [] : registerMistakes(modbusServer, made, isKnown);
  refuse([...lines, ...mistakesOf(rules, made, path, isKnown), ...ofRegisters.map((line) => `${path}: ${line}`)]);
  const fault = rules?.followClock ? faultOfTimeZone(system) : undefined;
  return fault === undefined ? "" : `${path}: ${fault}\n`;
}
