/** The setting of a guard: conditions as in a rule, without `changes`. */
import type { When } from "../noun/condition.ts";
import { conditions } from "./rule-setting.ts";
import type { Setting } from "./setting.ts";

export function guardConditions(): Setting<When> {
  return conditions("of a state");
}
