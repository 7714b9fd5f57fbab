interface Conversion {
  readonly configuration: { readonly nouns: { readonly [name: string]: { readonly [option: string]: unknown } } };
  /** What was left out, each with the reason. */
  readonly left: readonly string[];
  /** What a person does, as sentences. */
  readonly steps: readonly string[];
}
export function configurationOf(file: unknown): Conversion;
