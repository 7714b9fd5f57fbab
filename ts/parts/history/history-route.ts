/** The route to the history of a noun, for a client that prefers CSV (RFC 4180) to JSON. */
import type { Scope } from "../../core/access/admission.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import type { Route } from "../../core/operations/noun-route.ts";
import type { DocumentContent } from "../../core/server/document.ts";
import type { Host } from "../../core/server/host.ts";
import type { Scheme } from "../../core/server/part.ts";
import type { History } from "./history.ts";

/** A request for a history. */
interface Asked {
  readonly head: RequestHead;
  readonly scheme: Scheme;
  readonly scope: Scope | undefined;
  readonly nouns: Host["nouns"];
  /** What writes texts that are no states. */
  readonly documents: {
    routeToContent(content: DocumentContent, head: RequestHead, scheme: Scheme, scope: Scope | undefined): Route;
  };
}

function contentOf(rows: Iterable<string, undefined>): DocumentContent {
  const type = "text/csv; charset=utf-8; header=present";
  return { type, isCacheable: false, vary: "Accept", readsStates: false, write: () => rows };
}

/** @param open opens the history, for the first who asks for it. @throws HttpError as the router. */
export function historyRoute({ head, scheme, scope, nouns, documents }: Asked, open: () => History | undefined): Route {
  const [noun] = nouns.followed(head, scope).all();
  // A request for all nouns does not come here, and the router has refused a name that no noun has.
  if (noun === undefined) throw new Error("There is no noun.");
  const perform: Route["perform"] = (state, asker, by) => {
    const rows = open()?.rows(noun.name);
    const route = rows && documents.routeToContent(contentOf(rows), head, scheme, scope);
    // The answer for a noun that has no history is its state.
    return (route ?? noun.route("GET")).perform(state, asker, by);
  };
  return { perform };
}
