/** The rules and schedules of a server: what is known of them before the first one is added. */
import type { PartKey, PartPlan } from "../../core/server/part.ts";
import { documentsKey } from "../documents/part.ts";
import { openRules } from "./open-rules.ts";
import type { Rules } from "./rules.ts";
import type { Location } from "./sun.ts";

export type { RuleOptions, ScheduleOptions } from "./rule.ts";
export { ruleKind } from "./rule-kind.ts";
export { scheduleKind } from "./schedule-kind.ts";
export type { Location, Rules };

export const rulesKey: PartKey<Rules> = { name: "rules" };

export const rules: PartPlan<Rules> = {
  ...rulesKey,
  // Documents say when rules run today.
  open: (host) => openRules(host, () => void host.parts.find(documentsKey)?.relieve()),
};
