/** The list of the last changes of a server: what is known of it before the first change. */
import type { Document } from "../../core/server/document.ts";
import type { PartKey, PartPlan } from "../../core/server/part.ts";
import { streamsKey } from "../streams/part.ts";
import { changeSource } from "./change-source.ts";
import { type Changes, type ChangesContext, changeLines, openChanges } from "./changes.ts";
import { changesPath, mostChanges, streamFor } from "./changes-option.ts";

export { changesOption } from "./changes-option.ts";

/**
 * The list of the last changes.
 *
 * @example
 * const changes: ChangesOptions = { changes: 32 };
 * const server = new Server(changes);
 */
export interface ChangesOptions {
  /**
   * How many changes `/changes` has at most, 0 to 64; 0 switches it off. If left out: the last 64 that somebody has
   * asked for. If given, also those of nouns that change by themselves, which are followed for it from the start.
   */
  readonly changes?: number;
}

export const changesKey: PartKey<Changes> = { name: "changes" };

/** @returns whether a noun of this name has the path of the list, which is on. */
export function isOfChanges(noun: string, { changes }: ChangesOptions): boolean {
  return changesPath === `/${noun}` && changes !== 0;
}

function document(content: Document["content"]): Document {
  const switchOff = 'set "changes" to 0';
  const type = "application/x-ndjson";
  return { path: changesPath, relation: "", type, title: "Changes", hasTag: false, switchOff, content };
}

/**
 * @param listed the log, and the failures in it.
 * @returns undefined if the list is switched off. @throws RangeError for another number.
 */
export function changes(
  { changes }: ChangesOptions,
  listed: Pick<ChangesContext, "failures" | "log">,
): PartPlan<Changes> | undefined {
  const most = mostChanges(changes);
  if (most === 0) return undefined;
  const isFollowing = changes !== undefined;
  return {
    ...changesKey,
    hearsResults: true,
    ...(isFollowing && { opens: "at the start" }),
    open: (host) => openChanges(host, { most, isFollowing, ...listed }),
    documents: ({ parts }) => [document(() => changeLines(() => parts.open(changesKey)))],
    findsPreferred: true,
    find: (head, _scheme, { nouns, parts }) =>
      streamFor(head, (scope) =>
        parts.open(streamsKey)?.follow(head, () => {
          const list = parts.open(changesKey);
          return list && changeSource(list, nouns, scope);
        }),
      ),
  };
}
