/** A guard in words, for the client that it refuses and for the page. */
import type { KeyCondition } from "../../core/noun/condition.ts";
import type { GuardMember } from "./guard-member.ts";

/**
 * @param name of the guarded noun. @param broken the condition that does not hold.
 * @param of gives what is known of a noun that it names.
 * @returns `heater is guarded: pump must be {"on":1}; it is {"on":0}.`
 */
export function sentenceOf(name: string, broken: KeyCondition, of: (noun: string) => GuardMember): string {
  const { noun, key, isReadable, last, terms } = broken;
  const unread = terms.find((term) => term.now === undefined)?.reference.noun;
  const moving = terms.map(({ reference }) => reference.noun).find((one) => of(one).isChanging || of(one).isOutdated);
  const named = of(noun);
  const is = !isReadable
    ? `${unread ?? "it"} cannot be read`
    : named.isChanging
      ? "it is about to change"
      : named.isOutdated
        ? "it has changed and is being read"
        : moving === undefined
          ? `it is ${JSON.stringify({ [key]: last })}`
          : `${moving} changes`;
  return `${name} is guarded: ${noun} must be ${JSON.stringify({ [key]: broken.resolved })}; ${is}.`;
}
