/**
 * What a server decides about a request while it is read: who may speak, where the request goes, and what state its body is. Every request
 * takes this way, and then that of its route.
 */

import type { Access, Admission, Peer } from "../access/access.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { isForAll } from "../http/request-target.ts";
import { decodeUtf8 } from "../http/utf8.ts";
import { checkState } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { StateError } from "../noun/state-error.ts";
import { parseState } from "../noun/state-parser.ts";
import { StateSyntaxError } from "../noun/state-syntax-error.ts";
import { noContentRoute } from "../operations/no-content.ts";
import type { Route } from "../operations/noun-route.ts";
import type { Documents } from "./companions.ts";
import type { Judge } from "./request.ts";
import type { Router } from "./router.ts";

/** Answered by the field lines of the access check alone. */
const preflight = noContentRoute();

/** What a service consists of. */
export interface ServiceParts {
  /** Who may speak; undefined when everyone may. */
  readonly access: Access | undefined;
  readonly router: Router;
  readonly documents: Documents | undefined;
  /** Key and value pairs a state may have. */
  readonly statePairs: number;
}

/** The service of one server. */
export class Service implements Judge {
  private readonly parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.parts = parts;
  }

  admit(head: RequestHead, peer: Peer, admission: Admission): Route {
    const { access, router, documents } = this.parts;
    const found = documents?.find(head);
    if (access !== undefined) {
      const needed = found?.needed ?? (isForAll(head) ? "any" : "one that allows it");
      if (access.admit(head, peer, admission, needed) === "preflight") return preflight;
    }
    return found === undefined ? router.route(head, admission.reach) : found.route(admission.reach);
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
}
