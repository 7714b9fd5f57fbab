/** Configurations of a JSON Schema, for properties. Patterns of strings are not kept: only nound looks at them. */
import fc from "fast-check";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The keywords of JSON Schema that nound's configuration has. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly { readonly if: Schema; readonly then: Schema }[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: { readonly pattern?: string };
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const words = [
  "",
  " ",
  "0",
  "-1.5e3",
  "true",
  "null",
  "a=b",
  "x.y=1",
  'it\'s "$HOME"',
  "a\\b\n\tc\r",
  "[]",
  '"17"',
  "été 🌡",
];
const any = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "grapheme", maxLength: 9 }));
/** In UCI, two quotation marks alone are the empty text. */
const text = any.filter((one) => one !== '""');

/** No pattern of a string that may also be a list of them takes what looks like a list in JSON. */
const plain = text.filter((one) => !/^[[{]/.test(one));

/** The name of a noun, which may be no name of a section. */
export const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._~-]{0,7}$/);

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0);

function scalarOf(type: string | undefined, { minimum = -(2 ** 53) + 1, maximum = 2 ** 53 - 1 }: Schema) {
  switch (type) {
    case "string":
      return text;
    case "integer":
      return fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.integer({ min: Math.max(minimum, -9), max: Math.min(maximum, 2 ** 31 - 1) }),
      );
    case "number":
      return fc.oneof(fc.integer(), number);
    case "boolean":
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

/** @returns a property's schema that gives a place. */
export function resolved(whole: Schema, { $ref, ...schema }: Schema): Schema {
  return $ref === undefined ? schema : (whole.definitions?.[$ref.split("/").at(-1) ?? ""] ?? {});
}

/** Values of a place. @param whole the schema with the definitions. */
export function valuesOf(whole: Schema, node: Schema): fc.Arbitrary<Json> {
  const schema = resolved(whole, node);
  const { anyOf, allOf, additionalProperties: rest } = schema;
  if (anyOf !== undefined) {
    const isList = anyOf.some(({ type }) => type === "array");
    return fc.oneof(...anyOf.map((one) => (isList && one.type === "string" ? plain : valuesOf(whole, one))));
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === "array") return fc.array(valuesOf(whole, schema.items ?? {}), { maxLength: 3 });
  if (allOf !== undefined)
    return fc.oneof(
      ...allOf.map(({ if: condition, then }) => {
        const fixed = Object.fromEntries(
          Object.entries(condition.properties ?? {}).map(([key, one]) => [key, { const: one.const ?? null }]),
        );
        return valuesOf(whole, { ...then, properties: { ...then.properties, ...fixed } });
      }),
    );
  if (schema.type !== "object") return fc.oneof(...[schema.type ?? []].flat().map((type) => scalarOf(type, schema)));

  const { $comment: _, ...properties } = schema.properties ?? {};
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, valuesOf(whole, one)])),
    {
      requiredKeys: [...(schema.required ?? []), ...("kind" in properties ? ["kind"] : [])].filter(
        (key) => key in properties,
      ),
    },
  );
  const { pattern = "(?=" } = schema.propertyNames ?? {};
  const named = /\(\?[=!]/.test(pattern) ? fc.oneof(name, text) : fc.stringMatching(new RegExp(pattern));
  const keys = named.filter((key) => !(key in properties) && key !== "$comment" && key !== "__proto__");
  const more =
    typeof rest === "object" ? fc.dictionary(keys, valuesOf(whole, rest), { maxKeys: 3 }) : fc.constant<Json>({});
  const patterned = Object.entries(schema.patternProperties ?? {}).map(([pattern, one]) => {
    const verb = pattern.includes("DELETE") ? "DELETE" : "PUT";
    return fc.dictionary(
      name.map((noun) => `${verb} ${noun}`),
      valuesOf(whole, one),
      { maxKeys: 2 },
    );
  });
  return fc
    .tuple(known, more, ...patterned)
    .map((parts) => Object.assign({}, ...parts.map((part) => (typeof part === "object" ? { ...part } : {}))));
}
