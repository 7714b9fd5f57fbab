/** The history of a server's nouns: what is known of it before the first who asks for it. */

import type { PartKey, PartPlan } from "../../core/server/part.ts";
import type { Store } from "../../native/storage.ts";
import { documentsKey } from "../documents/part.ts";
import { type History, openHistory } from "./history.ts";
import { historyBytes, prefersHistory } from "./history-option.ts";
import { historyRoute } from "./history-route.ts";

export { historyOption } from "./history-option.ts";

/**
 * The history of the nouns.
 *
 * @example
 * const history: HistoryOptions = { history: 131_072 };
 * const server = new Server(history);
 */
export interface HistoryOptions {
  /**
   * Bytes of memory for the history of the nouns, the last 24 hours of their numbers and states: 0 to 1048576; 0
   * switches it off. If left out: 65536, and it begins with the first request for it. If given, it begins with the
   * server.
   */
  readonly history?: number;
  /**
   * The store that keeps the history over a restart, in at most 64 KiB: written once an hour, and at the end. It needs
   * a number for `history`. If left out, the history ends with the program.
   */
  readonly historyStore?: Store;
}

export const historyKey: PartKey<History> = { name: "history" };

/** @returns undefined if it is switched off. @throws RangeError for another number of bytes. */
export function history({ history, historyStore }: HistoryOptions): PartPlan<History> | undefined {
  const bytes = historyBytes(history);
  if (bytes === 0) return undefined;
  return {
    ...historyKey,
    ...(history !== undefined && { opens: "at the start" }),
    open: (host) => openHistory(host, bytes, historyStore),
    findsPreferred: true,
    find(head, scheme, { nouns, parts }) {
      if (!prefersHistory(head)) return undefined;
      const documents = parts.find(documentsKey);
      return (
        documents && {
          route: (scope) => historyRoute({ head, scheme, scope, nouns, documents }, () => parts.open(historyKey)),
        }
      );
    },
  };
}
