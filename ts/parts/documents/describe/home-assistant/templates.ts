/**
 * Pieces of Jinja templates, in which Home Assistant reads states and writes commands. Text of the device is in them as
 * escaped literals alone, so no title and no key executes anything.
 */
import type { Scalar } from "../../../../core/noun/state.ts";
import type { EntityKey } from "./components.ts";

/** The most characters of a state in Home Assistant. */
export const longestState = 255;

/** @returns a string literal of Jinja, in ASCII and without a character that begins or ends anything there. */
export function stringLiteral(text: string): string {
  const escaped = text.replace(/[^ !$&(-[\]-z|~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // Two halves of a character are one escape in Python.
  const whole = escaped.replace(/\\ud([89ab]..)\\ud([c-f]..)/g, (_, high: string, low: string) => {
    const code = 0x10000 + ((Number.parseInt(high, 16) & 0x3ff) << 10) + (Number.parseInt(low, 16) & 0x3ff);
    return `\\U${code.toString(16).padStart(8, "0")}`;
  });
  return `'${whole}'`;
}

/** Attributes of a Python dictionary. A key of that name needs brackets. */
const attributes = /^(?:clear|copy|fromkeys|get|items|keys|pop|popitem|setdefault|update|values)$/;

/** @returns the value of a key of the state. */
export function valueAt(key: string): string {
  const isName = /^[A-Za-z][A-Za-z0-9_]*$/.test(key) && !attributes.test(key);
  return isName ? `value_json.${key}` : `value_json[${stringLiteral(key)}]`;
}

/** @returns whether a key is the same in JSON, in a template's text and in a literal. */
export function isPlainKey(key: string): boolean {
  return /^[\w -]*$/.test(key);
}

/** @returns a template that gives the text of an expression while a condition holds, and another one otherwise. */
export function textWhile(condition: string, expression: string, otherwise = "''"): string {
  return `{{${expression} if ${condition} else${otherwise}}}`;
}

/** @returns a template that gives one of two texts. */
export function eitherText(condition: string, one: string, other: string): string {
  return `{{${stringLiteral(one)}if ${condition} else${stringLiteral(other)}}}`;
}

/** @returns a template that gives one of two JSON texts of a key. */
export function eitherChange(condition: string, key: string, one: string, other: string): string {
  return isPlainKey(key) ? `{%if ${condition}%}${one}{%else%}${other}{%endif%}` : eitherText(condition, one, other);
}

/** @returns a template for JSON. @param members its keys, and the expressions of the JSON of their values. */
export function changesTemplate(members: readonly (readonly [key: string, expression: string])[]): string {
  const texts = members.map(([key, expression], index) => {
    const begin = `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`;
    // Braces and percent signs begin templates.
    return `${isPlainKey(key) ? begin : `{{${stringLiteral(begin)}}}`}{{ ${expression} }}`;
  });
  return `${texts.join("")}}`;
}

/** @returns the JSON with one key. */
export function changeText(key: string, value: Scalar): string {
  return JSON.stringify({ [key]: value });
}

/** The condition under which a noun has a state. */
export const wholeState = "value_json is mapping";

/**
 * @param test the condition under which the key has a value. @param expression that of the value.
 * @returns when the entity is available, and how its state is read. A noun that fails has the state `null`, and then
 * nothing is read. An optional key that can be set is unknown while it is absent: otherwise nobody could set it.
 */
export function reading({ name, key, command }: EntityKey, test: string, expression: string) {
  const isOptional = key.optional === true;
  if (isOptional && command !== undefined) {
    const condition = `${wholeState} and (${valueAt(name)} is not defined or ${test})`;
    const absent = key.type === "string" ? "''" : "'None'";
    return { condition, read: { state_topic: "~", value_template: `{{${expression} if ${test} else${absent}}}` } };
  }
  // A part of a text that is null is an error. A text that is no option is one, too, but for `None`.
  const otherwise = key.type === "choice" ? "'None'" : "''";
  const template = textWhile(isOptional || key.type === "string" ? test : "value_json", expression, otherwise);
  return { condition: test, read: { state_topic: "~", value_template: template } };
}
