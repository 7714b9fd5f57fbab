/**
 * A kind of noun that a configuration can name: which options it takes, and how a noun is made from them.
 *
 *     export const counterKind = () =>
 *       nounKind({
 *         options: { key: nonEmptyText(), step: withDefault(integer({ minimum: 1 }), 1) },
 *         build: (options) => new CounterNoun(options),
 *       });
 */
import type { GpioBackend } from "../native/gpio.ts";
import type { Store } from "../native/storage.ts";
import { describeNoun, type NounDescription } from "../noun/description.ts";
import type { NounName } from "../noun/name.ts";
import type { Noun } from "../noun/noun.ts";
import { objectOf, optional, type RecordKeys, type RecordOf, record } from "./record.ts";
import { keyPath, mistake, nonEmptyText, type Setting, text } from "./setting.ts";

/** What a noun may need of its surroundings. */
export interface NounContext {
  readonly name: NounName;
  /** How lines are opened. */
  readonly gpioBackend: GpioBackend | "auto";
  /** Opens the folder of what nouns keep. @throws Error when the configuration names none, or it cannot be opened. */
  openStore(): Store;
  /** Takes an error that no client is told of, for the log. */
  report(error: unknown): void;
}

/** A noun that was found right and not been made yet. */
export interface NounPlan {
  /** The JSON path of the noun. */
  readonly path: string;
  /** What the noun must have for itself, in words that are the same for the same thing: `line 17 of gpiochip0`. */
  readonly claim: string | undefined;
  /** The JSON path of what makes the noun keep its state over a restart; undefined when it does not. */
  readonly keeps: string | undefined;
  /** Makes the noun. Called once the whole configuration is known to be right: only now may hardware be touched. */
  build(context: NounContext): Noun;
}

/** Refuses what is at `keys`, which lead from the noun to the offending place. @throws ConfigurationError always. */
export type RefuseOption<K extends RecordKeys> = (
  keys: readonly [keyof K & string, ...string[]],
  sentence: string,
) => never;

/** What a kind declares. */
export interface NounKindDeclaration<K extends RecordKeys> {
  /** The options beside `kind`. */
  readonly options: K;
  /**
   * Checks what no option shows alone. Must not touch hardware.
   * @param refuse refuses an option, or a key inside it, with what was expected there and what was found.
   */
  verify?(options: RecordOf<K>, refuse: RefuseOption<K>): void;
  /** @returns what the noun must have for itself, as `NounPlan.claim` says. */
  claim?(options: RecordOf<K>): string;
  /** @returns the option that makes the noun keep its state over a restart, if it is so. */
  keeps?(options: RecordOf<K>): (keyof K & string) | undefined;
  /** Makes the noun of options that were verified. What it throws ends the start of the program. */
  build(options: RecordOf<K>, context: NounContext): Noun;
}

/** What every noun may say of itself. */
const descriptionOptions = () => ({
  title: optional(nonEmptyText()),
  description: optional(nonEmptyText()),
  keys: optional(objectOf(record(keyDescription()))),
});

const keyDescription = () => ({
  title: optional(nonEmptyText()),
  description: optional(nonEmptyText()),
  unit: optional(nonEmptyText()),
});

/** @returns the setting of a whole noun; reading it gives the noun's plan. */
export function nounKind<K extends RecordKeys>(declaration: NounKindDeclaration<K>): Setting<NounPlan> {
  // `kind` has led here already; it is declared so that it is not unknown.
  const noun = record({ kind: optional(text()), ...declaration.options, ...descriptionOptions() });
  return {
    ...noun,
    read(value, path) {
      const options = noun.read(value, path) as RecordOf<K>;
      const description = options as NounDescription;
      declaration.verify?.(options, (keys, sentence) => {
        throw mistake(keys.reduce(keyPath, path), sentence);
      });
      const keeps = declaration.keeps?.(options);
      return {
        path,
        claim: declaration.claim?.(options),
        keeps: keeps === undefined ? undefined : keyPath(path, keeps),
        build: (context) => describeNoun(declaration.build(options, context), description),
      };
    },
  };
}
