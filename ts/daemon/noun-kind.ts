/**
 * A kind of noun that a configuration can name: which options it takes, and how a noun is made from them.
 *
 *     export const counterKind = nounKind({
 *       options: { key: nonEmptyText(), step: withDefault(integer({ minimum: 1 }), 1) },
 *       build: (options) => new CounterNoun(options),
 *     });
 */
import type { Clock } from "../native/loop.ts";
import type { Noun } from "../noun/noun.ts";
import { optional, type RecordKeys, type RecordOf, record } from "./record.ts";
import { ConfigurationError, keyPath, type Setting, text } from "./setting.ts";

/** What a noun may need of its surroundings; hardware, real or simulated, is handed on here. */
export interface NounContext {
  readonly clock: Clock;
}

/** Makes the noun. Called once the whole configuration is known to be right: only now may hardware be touched. */
export type NounBuilder = (context: NounContext) => Noun;

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
  /** Makes the noun of options that were verified. What it throws ends the start of the program. */
  build(options: RecordOf<K>, context: NounContext): Noun;
}

/** @returns the setting of a whole noun; reading it gives the noun's builder. */
export function nounKind<K extends RecordKeys>(declaration: NounKindDeclaration<K>): Setting<NounBuilder> {
  // `kind` has led here already; it is declared so that it is not unknown.
  const noun = record({ kind: optional(text()), ...declaration.options });
  return {
    expected: noun.expected,
    read(value, path) {
      const options = noun.read(value, path) as RecordOf<K>;
      declaration.verify?.(options, (keys, sentence) => {
        throw new ConfigurationError(keys.reduce(keyPath, path), sentence);
      });
      return (context) => declaration.build(options, context);
    },
  };
}
