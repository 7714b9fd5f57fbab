/** What keeps a noun from being as it should be, and why. */
import { formOf } from "./form.ts";
import { ago, unitText } from "./format.ts";
import type { NounView } from "./noun-view.ts";
import { failureKey } from "./role.ts";
import { labelOf, reasonText, say, switchText, unknown } from "./say.ts";
import { isObject, type Scalar } from "./scalar.ts";
import { humanize, type Key } from "./thing.ts";

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
    return { name: "failing", word: say("failing"), because: `${reasonText("failingBecause", reason)} ${age}`.trim() };
  }
  if (view.isSilent) return { name: "absent", word: say("absent"), because: reasonText("absentBecause", reason) };
  if (guarded !== undefined) return { name: "guarded", word: say("guarded"), because: guarded };
  const failure = failureKey(view.keys);
  const why = failure && state?.[failure.name];
  if (typeof why === "string" && state?.["moving"] === "stopped") {
    const word = state["position"] === null ? say("coverUnknown") : say("failing");
    return { name: "failing", word, because: labelOf(failure as Key, why) ?? why };
  }
  if (view.isUnsent) return { name: "failing", word: say("notSent"), because: reasonText("noAnswerOfOther", reason) };
  return undefined;
}

/** @returns a value as people read it. */
function word(key: Key | undefined, value: Scalar): string {
  if (key === undefined) return String(value);
  const text = key.kind === "switch" ? switchText(key, value) : (labelOf(key, value) ?? String(value));
  return key.unit === undefined ? text : `${text}\u00a0${unitText(key.unit)}`;
}

/** @returns what a condition asks for; undefined if it holds, or only the device knows whether it does. */
function lack(key: Key | undefined, condition: unknown, value: Scalar): string | undefined {
  if (typeof condition === "string" && condition.startsWith("$")) return undefined;
  if (!isObject(condition)) return condition === value ? undefined : word(key, condition as Scalar);
  const { above, below, until } = condition;
  if (above !== undefined && below !== undefined) {
    return lack(key, { above }, value) ?? lack(key, { below }, value);
  }
  const threshold = typeof above === "number" ? above : below;
  if (typeof threshold !== "number") return undefined;
  // Between both thresholds the device knows what was before.
  const other = typeof until === "number" ? until : threshold;
  const isMet =
    typeof value === "number" &&
    (threshold === above ? value > Math.min(threshold, other) : value < Math.max(threshold, other));
  if (isMet) return undefined;
  return say(threshold === above ? "above" : "below", word(key, threshold));
}

/**
 * @param others all nouns that the page knows.
 * @returns why its guard keeps a noun at its default, by their states; undefined if it does not.
 */
export function guardedBecause({ noun }: NounView, others: readonly NounView[]): string | undefined {
  for (const [name, keys] of Object.entries(noun.guard ?? {})) {
    const view = others.find((one) => one.noun.name === name);
    if (view?.state === undefined || !isObject(keys)) continue;
    for (const [keyName, condition] of Object.entries(keys)) {
      const key = view.keys.find((one) => one.name === keyName);
      const needed = lack(key, condition, view.state?.[keyName] ?? null);
      if (needed === undefined) continue;
      const { title } = view.noun;
      const label = key?.label ?? humanize(keyName);
      return say(
        "guardedUntil",
        label === title || formOf(view).main.length === 1 ? title : `${title}: ${label}`,
        needed,
      );
    }
  }
  return undefined;
}
