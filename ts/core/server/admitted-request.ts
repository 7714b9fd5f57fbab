/** A request that the service performs, and a request that was refused before. */
import type { Admission } from "../access/admission.ts";
import type { Fields } from "../http/fields.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request-head.ts";
import { emptyState, type State } from "../noun/state.ts";
import type { Route } from "../operations/noun-route.ts";

/** The parts of a request that its answer depends on. A refused request may have only these. */
export interface Answered {
  readonly method: string;
  /** As sent. */
  readonly target: string;
  /** The client wants the connection closed after the answer. */
  readonly close: boolean;
  /** Undefined if they were not read. */
  readonly fields?: Fields;
}

/** A request whose head is admitted. Immutable: equal requests may share one. */
export interface Request {
  readonly head: RequestHead;
  readonly admission: Admission;
  readonly route: Route;
  /** Whether its body is still to be read. That of a DELETE in chunks is read to find that it is empty. */
  readonly awaitsBody: boolean;
  /** The state in the body; empty until the body has come, and for a request without a body. */
  readonly state: State;
  /** Bytes of the body. */
  readonly bodyBytes: number;
  /** Whether it is answered as most are: with a body, only the usual field lines, and another request may follow. */
  readonly isPlain: boolean;
}

/** @returns the request of a head. What follows from the head is found here once, because the head may come again. */
export function requestOf(head: RequestHead, admission: Admission, route: Route): Request {
  const isPlain = !head.close && route.isLast !== true && head.method !== "HEAD" && admission.fields === "";
  const awaitsBody = route.takesBody === true || head.chunked;
  return { head, admission, route, awaitsBody, state: emptyState, bodyBytes: 0, isPlain };
}

/** @returns the complete request. It inherits everything else, because a copy takes several times as long. */
export function withBody(request: Request, state: State, bodyBytes: number): Request {
  const complete: { -readonly [K in keyof Request]: Request[K] } = Object.create(request);
  complete.awaitsBody = false;
  complete.state = state;
  complete.bodyBytes = bodyBytes;
  return complete;
}

/** A request that is refused. */
export interface Refusal {
  /** A request has this property; this object does not. */
  readonly route?: undefined;
  readonly isPlain?: undefined;
  readonly head: Answered;
  readonly admission: Admission;
  readonly error: HttpError;
  /** Whether the connection ends with the refusal. */
  readonly close: boolean;
}
