/** How many changes the list has, and what a request for them is. */
import { confirmEvents, prefersEvents } from "../../core/http/accept.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import { isNamed } from "../../core/http/request-target.ts";
import { type Integer, integerOption } from "../../core/server/integer-option.ts";
import type { Found } from "../../core/server/part.ts";

/** The path of the list, which no noun can have. */
export const changesPath = "/changes";

/** How many changes the list has at most. */
export const changesOption: Integer = { what: "The number of changes", usual: 64, minimum: 0, maximum: 64 };

/** @param given undefined for the usual number. @returns how many changes the list has at most. @throws RangeError */
export function mostChanges(given: number | undefined): number {
  return integerOption(changesOption, given);
}

/** @param route makes the route. @returns what a request for a stream of the changes is for; undefined for any other. */
export function streamFor(head: RequestHead, route: Found["route"]): Found | undefined {
  if (!prefersEvents(head) || !isNamed(head.target, changesPath.slice(1))) return undefined;
  const confirmed: Found["route"] = (scope) => {
    confirmEvents(head);
    return route(scope);
  };
  return { needed: "any", route: confirmed };
}
