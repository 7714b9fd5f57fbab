/** The route to the history of a noun, for a client that prefers CSV (RFC 4180) to JSON. */
import type { Scope } from "../access/admission.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { State } from "../noun/state.ts";
import type { Answer } from "../operations/answer.ts";
import type { RegisteredNoun, Route } from "../operations/noun-route.ts";
import type { Asker, PendingAnswer } from "../operations/operation.ts";
import type { Writer } from "../operations/writer.ts";
import type { Host } from "../server/host.ts";
import type { Found, Scheme } from "../server/source.ts";
import type { DocumentContent } from "./document.ts";

function contentOf(rows: Iterable<string, undefined>): DocumentContent {
  const type = "text/csv; charset=utf-8; header=present";
  return { type, isCacheable: false, vary: "Accept", readsStates: false, write: () => rows };
}

/** Answers with the state of a noun that has no history. */
class HistoryRoute implements Route {
  private readonly noun: RegisteredNoun;
  private readonly host: Host;
  private readonly routeTo: (content: DocumentContent) => Route;

  constructor(noun: RegisteredNoun, host: Host, routeTo: (content: DocumentContent) => Route) {
    this.noun = noun;
    this.host = host;
    this.routeTo = routeTo;
  }

  perform(state: State, asker: Asker, by?: Writer): Answer | PendingAnswer {
    const { noun } = this;
    const rows = this.host.history?.open().rows(noun.name);
    const route = rows === undefined ? noun.route("GET") : this.routeTo(contentOf(rows));
    return route.perform(state, asker, by);
  }
}

/** @param routeTo makes the route to a document. @returns what a request for a history is for. */
export function historyFound(
  head: RequestHead,
  host: Host,
  routeTo: (content: DocumentContent, head: RequestHead, scheme: Scheme, scope: Scope | undefined) => Route,
  scheme: Scheme,
): Found {
  return {
    route: (scope) => {
      const [noun] = host.nouns.followed(head, scope).all();
      // A request for all nouns does not come here, and the router has refused a name that no noun has.
      if (noun === undefined) throw new Error("There is no noun.");
      return new HistoryRoute(noun, host, (content) => routeTo(content, head, scheme, scope));
    },
  };
}
