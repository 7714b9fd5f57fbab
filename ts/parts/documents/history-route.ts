/** The route to the history of a noun, for a client that prefers CSV (RFC 4180) to JSON. */
import type { Scope } from "../../core/access/admission.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import type { Route } from "../../core/operations/noun-route.ts";
import type { Host } from "../../core/server/host.ts";
import type { Found } from "../../core/server/source.ts";
import type { DocumentContent } from "./document.ts";

function contentOf(rows: Iterable<string, undefined>): DocumentContent {
  const type = "text/csv; charset=utf-8; header=present";
  return { type, isCacheable: false, vary: "Accept", readsStates: false, write: () => rows };
}

/** @param routeTo makes the route to a document. @returns what a request for a history is for. */
export function historyFound(
  head: RequestHead,
  host: Host,
  routeTo: (content: DocumentContent, scope: Scope | undefined) => Route,
): Found {
  return {
    route: (scope) => {
      const [noun] = host.nouns.followed(head, scope).all();
      // A request for all nouns does not come here, and the router has refused a name that no noun has.
      if (noun === undefined) throw new Error("There is no noun.");
      const perform: Route["perform"] = (state, asker, by) => {
        const rows = host.history?.open().rows(noun.name);
        // The answer for a noun that has no history is its state.
        const route = rows === undefined ? noun.route("GET") : routeTo(contentOf(rows), scope);
        return route.perform(state, asker, by);
      };
      return { perform };
    },
  };
}
