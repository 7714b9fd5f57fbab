/** Why a guarded noun cannot be switched now, by the states that the page knows. */
import { unitText } from "./format.ts";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";
import { isObject, type Scalar } from "./scalar.ts";
import { humanize, type Key } from "./thing.ts";
import { labelOf, switchText } from "./value-words.ts";

/** @returns a value as people read it. */
function word(key: Key | undefined, value: Scalar): string {
  if (key === undefined) return String(value);
  const text = key.kind === "switch" ? switchText(key, value) : (labelOf(key, value) ?? String(value));
  return key.unit === undefined ? text : `${text}\u00a0${unitText(key.unit)}`;
}

/** @returns what a condition asks for; undefined if it holds, or only the device knows whether it does. */
function lack(key: Key | undefined, condition: unknown, value: Scalar): string | undefined {
  if (!isObject(condition)) return condition === value ? undefined : word(key, condition as Scalar);
  const { above, below, until } = condition;
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

/** @param others all nouns that the page knows. @returns a sentence; undefined if nothing keeps the noun. */
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
      return say("guardedUntil", label === title || view.keys.length === 1 ? title : `${title}: ${label}`, needed);
    }
  }
  return undefined;
}
