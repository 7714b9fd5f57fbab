/** How the state of a noun is read for an entity. */
import type { EntityKey } from "./components.ts";
import { textWhile, valueAt } from "./templates.ts";

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
  // A part of a text that is null is an error.
  const template = textWhile(isOptional || key.type === "string" ? test : "value_json", expression);
  return { condition: test, read: { state_topic: "~", value_template: template } };
}
