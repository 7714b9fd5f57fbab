/** The streams of events of a server: what is known of them before the first client requests one. */
import type { PartKey, PartPlan } from "../../core/server/part.ts";
import { EventStreams } from "./event-streams.ts";
import { eventsFor } from "./events-for.ts";

export const streamsKey: PartKey<EventStreams> = { name: "streams" };

export type { LineSource } from "./line-stream.ts";

/** @param random as for `EventStreams`. */
export function streams(random: () => number): PartPlan<EventStreams> {
  return {
    ...streamsKey,
    open: (host) => new EventStreams(host, random),
    findsPreferred: true,
    find: (head, scheme, { parts }) => eventsFor(head, scheme, parts, streamsKey),
  };
}
