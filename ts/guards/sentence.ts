/** A guard in words, for the client that it refuses and for the page. */
import type { KeyCondition } from "../noun/condition.ts";

/**
 * @param name of the guarded noun. @param broken the condition that does not hold.
 * @param isChanging whether the noun that it names is about to change.
 * @returns `heater is guarded: pump must be {"on":1}; it is {"on":0}.`
 */
export function sentenceOf(name: string, broken: KeyCondition, isChanging: boolean): string {
  const { noun, key, condition, isReadable, last } = broken;
  const is = !isReadable
    ? "it cannot be read"
    : isChanging
      ? "it is about to change"
      : `it is ${JSON.stringify({ [key]: last })}`;
  return `${name} is guarded: ${noun} must be ${JSON.stringify({ [key]: condition })}; ${is}.`;
}
