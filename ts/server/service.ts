/**
 * What a server does with requests: decides about each head who may speak and where the request goes, reads its state, and
 * performs it. Every request takes this way.
 */
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { decodeUtf8 } from "../http/utf8.ts";
import type { Memory } from "../native/memory.ts";
import { checkState } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { StateError } from "../noun/state-error.ts";
import { parseState } from "../noun/state-parser.ts";
import { StateSyntaxError } from "../noun/state-syntax-error.ts";
import type { Access } from "./access.ts";
import { type Answer, NoContentAnswer, RefusalAnswer } from "./answer.ts";
import type { Documents } from "./documents.ts";
import type { Route } from "./noun-route.ts";
import type { Asker, PendingAnswer } from "./operation.ts";
import type { Admission, Judge } from "./request.ts";
import { isForAll, type Router } from "./router.ts";

/** Answered by the field lines of the access check alone. */
const preflight: Route = {
  takesBody: false,
  shape: undefined,

  isOccupied: false,
  perform: () => noContent,
};
const noContent = new NoContentAnswer();

const scarce = new RefusalAnswer(503, "The server is short of memory; try again later.", "Retry-After: 1\r\n");

/** What a service consists of. */
export interface ServiceParts {
  /** Who may speak; undefined when everyone may. */
  readonly access: Access | undefined;
  readonly router: Router;
  readonly documents: Documents;
  readonly memory: Memory;
  /** Key and value pairs a state may have. */
  readonly statePairs: number;
  /** Frees memory that is held for clients. @returns whether there is enough now. */
  relieve(): boolean;
}

/** The service of one server. */
export class Service implements Judge {
  private readonly parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.parts = parts;
  }

  admit(head: RequestHead, peer: { readonly peer: string }, admission: Admission): Route {
    const { access, router, documents } = this.parts;
    const page = documents.routeToPage(head);
    const document = documents.find(head.target);
    const needed =
      page !== undefined ? "none" : document !== undefined || isForAll(head) ? "any" : "one that allows it";
    if (access?.admit(head, peer, admission, needed) === "preflight") return preflight;
    if (page !== undefined) return page;
    return document === undefined ? router.route(head, admission.reach) : documents.route(document, head, admission);
  }

  readState(body: string, route: Route): State {
    const text = decodeUtf8(body);
    if (text === undefined) throw HttpError.keeping(400, "The body is not UTF-8.");
    try {
      const state = parseState(text, this.parts.statePairs);
      if (route.shape !== undefined) checkState(route.shape, state);
      return state;
    } catch (error) {
      if (error instanceof StateSyntaxError) throw HttpError.keeping(400, error.message);
      if (error instanceof StateError) throw HttpError.keeping(422, error.message);
      throw error;
    }
  }

  /**
   * Performs a request that was admitted. Where memory is scarce and no client can be made to give some back, nothing is queued any
   * more; a noun that answers at once needs next to none.
   * @param asker is told when the answer of an operation is at hand.
   * @returns the answer, or what is going to have it.
   */
  perform(route: Route, state: State, asker: Asker): Answer | PendingAnswer {
    if (this.parts.memory.isScarce() && !this.parts.relieve() && route.isOccupied) return scarce;
    return route.perform(state, asker);
  }
}
