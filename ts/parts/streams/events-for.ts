/** What a request that prefers events is for. */
import { confirmEvents, prefersEvents } from "../../core/http/accept.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import { withoutLastEventId } from "../../core/http/request-target.ts";
import type { Found, PartKey, Parts, Scheme } from "../../core/server/part.ts";
import type { EventStreams } from "./event-streams.ts";

/** @returns a stream of states, or what the other parts have; undefined for a request that does not prefer events. */
export function eventsFor(
  head: RequestHead,
  scheme: Scheme,
  parts: Pick<Parts, "foundFor" | "open">,
  key: PartKey<EventStreams>,
): Found | undefined {
  if (!prefersEvents(head)) return undefined;
  const target = withoutLastEventId(head.target);
  if (target !== head.target) {
    const meant = { ...head, target };
    const found = parts.foundFor(meant, scheme);
    return found && { head: meant, ...found };
  }
  const route: Found["route"] = (scope) => {
    confirmEvents(head);
    return parts.open(key)?.routeFor(head, scope);
  };
  return { route };
}
