/** A request that the service performs, and a request that was refused before. */
import type { Admission, Peer } from "../access/access.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import type { State } from "../noun/state.ts";
import type { Route } from "../operations/noun-route.ts";

/** The parts of a request that its answer depends on. A refused request may have only these. */
export interface Answered {
  readonly method: string;
  /** As sent. */
  readonly target: string;
  /** The client wants the connection closed after the answer. */
  readonly close: boolean;
}

/** A complete request that may be performed. Immutable: equal requests may share one. */
export interface Request {
  readonly head: RequestHead;
  readonly admission: Admission;
  readonly route: Route;
  /** The state in the body; empty for a request without a body. */
  readonly state: State;
  /** Whether the answer is the usual one: complete, without further field lines, on a connection that stays open. */
  readonly isPlain: boolean;
}

/** A request that is refused. */
export interface Refusal {
  /** A request has this property; this object does not. */
  readonly route?: undefined;
  readonly isPlain?: undefined;
  readonly isSignal?: undefined;
  readonly head: Answered;
  readonly admission: Admission;
  readonly error: HttpError;
  /** Whether the connection ends with the refusal. */
  readonly close: boolean;
}

/** Decides about a request while it is being read. */
export interface Judge {
  /**
   * Decides about a head: the access check, and the route of the request.
   * @param peer the client's address, for the throttle of wrong tokens.
   * @param admission receives the field lines that the answer must have, even if it is a refusal.
   * @throws HttpError, the refusal.
   */
  admit(head: RequestHead, peer: Peer, admission: Admission): Route;
  /**
   * @param body the whole body, one character a byte.
   * @returns the state it holds.
   * @throws HttpError 400 or 422, the refusal.
   */
  readState(body: string, route: Route): State;
}
