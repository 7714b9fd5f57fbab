/** The setting of a guard: conditions as in a rule, without `changes`. */
import type { When } from "../noun/condition.ts";
import { conditions } from "./rule-setting.ts";
import type { JsonSchema, Setting } from "./setting.ts";

/** In a schema, each guard refers to the same definition. */
export function guardConditions(): Setting<When> {
  return { ...conditions("of a state"), schema: () => ({ $ref: "#/definitions/guard" }) };
}

/** @returns the definition, by its name in a schema. */
export function guardDefinition(): { readonly guard: JsonSchema } {
  return { guard: conditions("of a state").schema() };
}
