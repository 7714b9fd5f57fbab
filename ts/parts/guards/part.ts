/** The guards of a server: what is known of them before the first noun that has one. */
import type { OnFailure } from "../../core/noun/failure.ts";
import type { PartKey, PartPlan } from "../../core/server/part.ts";
import { needsGuards } from "./guarded-noun.ts";
import { type Guards, openGuards } from "./guards.ts";

export { guardOrder } from "./guard-order.ts";
export { guardMistakes } from "./mistakes.ts";

export const guardsKey: PartKey<Guards> = { name: "guards" };

/** @param report receives each failure of a guard. */
export function guards(report: OnFailure): PartPlan<Guards> {
  return { ...guardsKey, isFor: needsGuards, open: (host) => openGuards(host, report) };
}
