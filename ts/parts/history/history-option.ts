/** How much memory the history may take, and what a request for it is. */
import { prefersCsv } from "../../core/http/accept.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import { isForAll } from "../../core/http/request-target.ts";
import { type Integer, integerOption } from "../../core/server/integer-option.ts";

/** Bytes that the history may take. */
export const historyOption: Integer = {
  what: "The size of the history",
  usual: 65_536,
  minimum: 0,
  maximum: 1_048_576,
};

/** @param given undefined for the usual size. @returns bytes that the history may take. @throws RangeError */
export function historyBytes(given: number | undefined): number {
  return integerOption(historyOption, given);
}

/** @returns whether a request prefers the history of a noun to its state. */
export function prefersHistory(head: RequestHead): boolean {
  return prefersCsv(head) && !isForAll(head);
}
