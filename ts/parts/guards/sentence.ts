/** A guard in words, for the client that it refuses and for the page. */
import type { KeyCondition } from "../../core/noun/condition.ts";
import type { GuardMember } from "./guard-member.ts";

/**
 * @param name of the guarded noun. @param broken the condition that does not hold.
 * @param named what is known of the noun that it names.
 * @returns `heater is guarded: pump must be {"on":1}; it is {"on":0}.`
 */
export function sentenceOf(name: string, broken: KeyCondition, named: GuardMember): string {
  const { noun, key, condition, isReadable, last } = broken;
  const is = !isReadable
    ? "it cannot be read"
    : named.isChanging
      ? "it is about to change"
      : named.isOutdated
        ? "it has changed and is being read"
        : `it is ${JSON.stringify({ [key]: last })}`;
  return `${name} is guarded: ${noun} must be ${JSON.stringify({ [key]: condition })}; ${is}.`;
}
