/** What a server decides about a request while it is read: who may speak, where it goes, and what state its body is. */

import type { Access, Peer, Sealing } from "../access/access.ts";
import { type Admission, admittedFreely } from "../access/admission.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request-head.ts";
import { isForAll } from "../http/request-target.ts";
import { emptyState } from "../noun/state.ts";
import { noContentRoute } from "../operations/no-content.ts";
import { readStateBody } from "../operations/state-body.ts";
import { type Answered, type Refusal, type Request, requestOf, withBody } from "./admitted-request.ts";
import type { Router } from "./router.ts";
import type { Source } from "./source.ts";

/** Answered by the field lines of the access check alone. */
const preflight = noContentRoute();

/** The parts of a service. */
export interface ServiceParts {
  /** Who may speak; undefined when everyone may. */
  readonly access: Access | undefined;
  readonly router: Router;
  readonly documents: Source | undefined;
  /** @returns the streams, which are made for the first request that may be for one; undefined for a server without. */
  readonly streams: () => Source | undefined;
  /** How the connections are encrypted; undefined if they are not. */
  readonly sealing: Sealing | undefined;
  /** Key and value pairs a state may have. */
  readonly statePairs: number;
}

/**
 * @returns whether a request to read may prefer events; only then the field is parsed. Lower case and patterns take
 *   long on a browser's field, so `split` looks for a hyphen first.
 */
function mayPreferEvents({ method, fields }: RequestHead): boolean {
  const accept = method === "GET" || method === "HEAD" ? fields.values["accept"] : undefined;
  return accept !== undefined && accept.split("-", 2).length > 1 && accept.toLowerCase().includes("event-stream");
}

/** @param error what was thrown. @returns the refusal of a request. @throws the error, unless it is an HttpError. */
export function refusalOf(head: Answered, admission: Admission, error: unknown): Refusal {
  if (!(error instanceof HttpError)) throw error;
  return { head, admission, error, close: error.close };
}

export class Service {
  private readonly parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.parts = parts;
  }

  /**
   * @param peer the client's address, to throttle wrong tokens.
   * @returns the request, still without its body, or its refusal.
   */
  admit(head: RequestHead, peer: Peer): Request | Refusal {
    const { access, router, documents, streams, sealing } = this.parts;
    const scheme = sealing === undefined ? "http" : "https";
    let admission = admittedFreely;
    try {
      const found =
        documents?.find(head, scheme) ?? (mayPreferEvents(head) ? streams()?.find(head, scheme) : undefined);
      if (access !== undefined) {
        const needed = found?.needed ?? (isForAll(head) ? "any" : "one that allows it");
        admission = access.admit(head, peer, needed, sealing);
        const { verdict } = admission;
        if (verdict === "preflight") return requestOf(head, admission, preflight);
        if (verdict !== "route") return refusalOf(head, admission, verdict);
      }
      const route = found === undefined ? router.route(head, admission.scope) : found.route(admission.scope);
      return requestOf(head, admission, route);
    } catch (error) {
      return refusalOf(head, admission, error);
    }
  }

  /**
   * @param body the whole body, one character a byte.
   * @returns the request with its state; the 400 or 422, or the 401 or 403 for a token that was withdrawn meanwhile.
   */
  readBody(request: Request, body: string): Request | Refusal {
    const route = request.route;
    try {
      this.parts.access?.confirm(request.head, request.admission);
      const state = route.takesBody ? readStateBody(body, route.shape, this.parts.statePairs) : emptyState;
      return withBody(request, state, body.length);
    } catch (error) {
      return refusalOf(request.head, request.admission, error);
    }
  }
}
