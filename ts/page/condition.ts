/** What keeps a noun from being as it should be, and why. */
import { ago } from "./format.ts";
import type { NounView } from "./noun-view.ts";
import { say, unknown } from "./say.ts";

/** Each has its picture, its word and its colour. */
export interface Condition {
  readonly name: "failing" | "absent" | "guarded" | "pending" | "unread";
  readonly word: string;
  /** A sentence; "" if there is no more to say. */
  readonly because: string;
}

/** @param guarded why its guard keeps the noun at its default; undefined if it does not. */
export function conditionOf(view: NounView, guarded: string | undefined): Condition | undefined {
  const { state, noun, taken, reason } = view;
  if (!noun.isRead) return { name: "unread", word: unknown, because: say("unread") };
  if (view.isPending) return { name: "pending", word: say("pending"), because: "" };
  if (state === null) {
    const age = taken > 0 ? say("lastRead", ago(performance.now() - taken)) : "";
    return { name: "failing", word: say("failing"), because: `${reason || say("failingBecause")} ${age}`.trim() };
  }
  if (view.isSilent) return { name: "absent", word: say("absent"), because: reason || say("absentBecause") };
  if (guarded !== undefined) return { name: "guarded", word: say("guarded"), because: guarded };
  if (view.isUnsent) return { name: "failing", word: say("notSent"), because: reason || say("noAnswerOfOther") };
  return undefined;
}
