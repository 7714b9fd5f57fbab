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
import type { Parts } from "./part.ts";
import type { Router } from "./router.ts";

/** Answered by the field lines of the access check alone. */
const preflight = noContentRoute();

/** The parts of a service. */
export interface ServiceParts {
  /** Who may speak; undefined when everyone may. */
  readonly access: Access | undefined;
  readonly router: Router;
  readonly parts: Pick<Parts, "foundFor">;
  /** How the connections are encrypted; undefined if they are not. */
  readonly sealing: Sealing | undefined;
  /** Key and value pairs a state may have. */
  readonly statePairs: number;
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
  admit(sent: RequestHead, peer: Peer): Request | Refusal {
    const { access, router, parts, sealing } = this.parts;
    const scheme = sealing === undefined ? "http" : "https";
    let head = sent;
    let admission = admittedFreely;
    try {
      const found = parts.foundFor(sent, scheme);
      if (found?.head !== undefined) head = found.head;
      if (access !== undefined) {
        const needed = found?.needed ?? (isForAll(head) ? "any" : "one that allows it");
        admission = access.admit(head, peer, needed, sealing);
        const { verdict } = admission;
        if (verdict === "preflight") return requestOf(head, admission, preflight);
        if (verdict !== "route") return refusalOf(head, admission, verdict);
      }
      const route = found?.route(admission.scope) ?? router.route(head, admission.scope);
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
