/**
 * The words that the declaration of a key may hold. A misspelt word would have no effect, and nobody would notice. So
 * both the types and `assertShape` refuse it.
 */
import type { AnyKey, BooleanKey, ChoiceKey, NumberKey, Shape, StringKey } from "./shape.ts";

interface KeysByType {
  readonly integer: NumberKey;
  readonly number: NumberKey;
  readonly string: StringKey;
  readonly boolean: BooleanKey;
  readonly choice: ChoiceKey;
}

type DeclarationOf<T> = T extends keyof KeysByType ? KeysByType[T] : AnyKey & { readonly type: unknown };

/** A type without values. The compiler shows its sentence. */
export interface Misspelt<Sentence extends string> {
  readonly mistake: Sentence;
}

/**
 * A shape with known words only. The compiler refuses any other word with a sentence. An editor shows the comments of
 * the declarations that are named here.
 */
type WellSpelt<S extends Shape> = {
  readonly [K in keyof S]: DeclarationOf<S[K]["type"]> & {
    readonly [W in Exclude<
      keyof S[K],
      keyof DeclarationOf<S[K]["type"]>
    >]: Misspelt<`A key of the type "${S[K]["type"]}" has no "${W & string}".`>;
  };
};

/**
 * The shape of a definition, from which the compiler infers what the noun's shape is. The condition is always false. It
 * hides the inferred type from editors. Otherwise they would show what the author has written instead of the
 * declarations with their comments.
 */
export type DeclaredShape<S extends Shape> = [S] extends [never] ? S : WellSpelt<S>;

const commonWords = [
  "type",
  "title",
  "description",
  "unit",
  "step",
  "labels",
  "deviceClass",
  "diagnostic",
  "colour",
  "homeAssistant",
  "optional",
  "nullable",
  "readOnly",
  "timeDependent",
  "counts",
  "fallsBack",
];

const ownWords: { readonly [type: string]: readonly string[] } = {
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  string: ["maximumLength"],
  boolean: [],
  choice: ["values"],
};

function quoteAll(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(", ");
}

/**
 * Makes sure that each key of a shape has a known type and no unknown word.
 * @throws TypeError naming the key, the unknown word and the known words.
 */
export function assertShape(shape: Shape): void {
  for (const [key, declared] of Object.entries(shape)) {
    const words = Object.hasOwn(ownWords, declared.type) ? ownWords[declared.type] : undefined;
    const name = JSON.stringify(key);
    if (words === undefined) {
      throw new TypeError(
        `The type of the key ${name} must be one of ${quoteAll(Object.keys(ownWords))}, ` +
          `not ${JSON.stringify(declared.type)}.`,
      );
    }
    const known = [...words, ...commonWords];
    const unknown = Object.keys(declared).find((word) => !known.includes(word));
    if (unknown !== undefined) {
      throw new TypeError(
        `The key ${name} has the unknown option ${JSON.stringify(unknown)}; the options known here ` +
          `are ${quoteAll(known)}.`,
      );
    }
  }
}
