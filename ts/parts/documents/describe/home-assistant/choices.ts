/**
 * A choice as options of Home Assistant. Its options are texts, and it takes some of them for no value: `none`,
 * `unknown` and `unavailable`, an empty one, and `{}`. It also removes spaces around them. The option of such a value,
 * and of one that is no string, is its JSON. If each value has a label of its own that can be an option, the options
 * are these.
 */
import type { ChoiceKey, Key } from "../../../../core/noun/shape.ts";
import type { Scalar } from "../../../../core/noun/state.ts";
import { longestState, stringLiteral, valueAt } from "./templates.ts";

/** @returns the values off and on; undefined for a key that has others. */
export function twoValues(key: Key): readonly [Scalar, Scalar] | undefined {
  if (key.type === "boolean") return [false, true];
  if (key.type !== "choice" || key.values.length !== 2) return undefined;
  const pairs = [
    [0, 1],
    [false, true],
  ] as const;
  return pairs.find((pair) => pair.every((value) => key.values.includes(value)));
}

/** @returns whether Home Assistant takes a string as it is. */
function isPlain(text: string): boolean {
  const isVisible = text === text.trim() && !/[^ -~\u00a0-\uffff]/.test(text);
  return isVisible && !/^(?:|".*|none|unknown|unavailable|\{\})$/i.test(text);
}

function optionsOf(values: readonly Scalar[], labels: { readonly [value: string]: string }) {
  const distinct = [...new Set(values)];
  const words = distinct.map((value) => labels[String(value)]);
  if (words.every((word) => word !== undefined && isPlain(word)) && new Set(words).size === words.length) {
    return distinct.map((value, index) => ({ value, text: words[index] ?? "" }));
  }
  const literals = new Set(distinct.filter((value) => typeof value !== "string").map((value) => JSON.stringify(value)));
  return distinct.map((value) => {
    const isText = typeof value === "string" && isPlain(value) && !literals.has(value);
    return { value, text: isText ? value : JSON.stringify(value) };
  });
}

/** @returns the condition under which an expression has a value. In Python, `true` equals 1. */
function equals(expression: string, value: Scalar): string {
  switch (typeof value) {
    case "string":
      return `${expression} == ${stringLiteral(value)}`;
    case "number":
      return `${expression} == ${value} and ${expression} is not boolean`;
    case "boolean":
      return `${expression} is sameas ${value}`;
    default:
      return `${expression} is none`;
  }
}

/** @returns the condition under which a state has one of the values, by their types. */
function conditionOf(key: string, values: readonly Scalar[]): string {
  const value = valueAt(key);
  if (values.includes(null)) return `value_json is mapping and ${stringLiteral(key)} in value_json`;
  const types = new Set(values.map((one) => typeof one));
  return Array.from(types, (type) => `${value} is ${type}`).join(" or ");
}

/** @returns undefined for a choice that Home Assistant cannot offer: without values, or with one that is too long. */
export function choicesOf(key: string, { values, labels = {} }: Pick<ChoiceKey, "values" | "labels">) {
  const options = optionsOf(values, labels);
  if (options.length === 0 || options.some(({ text }) => text.length > longestState)) return undefined;
  const renamed = options.filter(({ value, text }) => value !== text);
  const expression = valueAt(key);
  const cases = renamed.map(({ value, text }) => `${stringLiteral(text)} if ${equals(expression, value)} else `);
  const pairs = renamed.map(({ value, text }) => `${stringLiteral(text)}: ${stringLiteral(JSON.stringify(value))}`);
  return {
    options: options.map(({ text }) => text),
    /** Under which a state has one of the values. */
    condition: conditionOf(key, values),
    /** The expression of the option that a state has. */
    reading: cases.length === 0 ? expression : `(${cases.join("")}${expression})`,
    /** The expression of the JSON of `value`, an option. */
    writing: pairs.length === 0 ? "value | tojson" : `{${pairs.join(", ")}}.get(value, value | tojson)`,
  };
}
