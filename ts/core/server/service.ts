/** What a server decides about a request while it is read: who may speak, where it goes, and what state its body is. */

import type { Access, Peer, Sealing } from "../access/access.ts";
import { type Admission, admittedFreely } from "../access/admission.ts";
import { preferredRepresentation } from "../http/accept.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request-head.ts";
import { isForAll, isNamed, withoutLastEventId } from "../http/request-target.ts";
import { emptyState } from "../noun/state.ts";
import { noContentRoute } from "../operations/no-content.ts";
import { readStateBody } from "../operations/state-body.ts";
import { type Answered, type Refusal, type Request, requestOf, withBody } from "./admitted-request.ts";
import type { Router } from "./router.ts";
import type { Found, Scheme, Source } from "./source.ts";

/** Answered by the field lines of the access check alone. */
const preflight = noContentRoute();

/** The parts of a service. */
export interface ServiceParts {
  /** Who may speak; undefined when everyone may. */
  readonly access: Access | undefined;
  readonly router: Router;
  readonly documents: Source | undefined;
  /** Opens the streams, or gives those that are open; undefined for a server without. */
  readonly openStreams: (() => Source) | undefined;
  /** Whether the list of changes can be followed. */
  readonly hasChanges: boolean;
  /** How the connections are encrypted; undefined if they are not. */
  readonly sealing: Sealing | undefined;
  /** Key and value pairs a state may have. */
  readonly statePairs: number;
}

/**
 * @returns whether a request to read prefers events. The field is parsed only if it may. Lower case and patterns take
 *   long on a browser's field, so `split` looks for a hyphen first.
 */
function prefersEvents({ method, fields }: RequestHead): boolean {
  const accept = method === "GET" || method === "HEAD" ? fields.values["accept"] : undefined;
  if (accept === undefined || accept.split("-", 2).length < 2 || !accept.toLowerCase().includes("event-stream"))
    return false;
  return preferredRepresentation(accept) === "text/event-stream";
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
    const { access, router, documents, openStreams, sealing } = this.parts;
    const forEvents = openStreams !== undefined && prefersEvents(sent);
    const head = forEvents ? { ...sent, target: withoutLastEventId(sent.target) } : sent;
    const scheme = sealing === undefined ? "http" : "https";
    let admission = admittedFreely;
    try {
      const found =
        documents?.find(head, scheme) ?? (forEvents ? this.eventsFor(head, scheme, openStreams) : undefined);
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

  /** @returns what a request for events is for. Nothing is opened before the access check. */
  private eventsFor(head: RequestHead, scheme: Scheme, openStreams: () => Source): Found {
    const { hasChanges, router } = this.parts;
    const route: Found["route"] = (scope) => {
      if (head.isOld) {
        throw HttpError.closing(505, "A stream of events needs HTTP/1.1; the request is of HTTP/1.0.");
      }
      return openStreams().find(head, scheme)?.route(scope) ?? router.route(head, scope);
    };
    return hasChanges && isNamed(head.target, "changes") ? { needed: "any", route } : { route };
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
