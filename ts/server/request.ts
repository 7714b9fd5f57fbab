/** A request as the service performs it, and one that is refused before. */
import type { Admission, Peer } from "../access/access.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import type { State } from "../noun/state.ts";
import type { Route } from "./noun-route.ts";

/** What the answer to a request takes over from it; a refused request may have no more than this. */
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
  /** What the body holds; empty for a request without one. */
  readonly state: State;
  /** The answer is the usual one: whole, without further field lines, on a connection that goes on. */
  readonly isPlain: boolean;
}

/** A request that is refused. */
export interface Refusal {
  /** What a request has, and this has not. */
  readonly route?: undefined;
  readonly isPlain?: undefined;
  readonly isSignal?: undefined;
  readonly head: Answered;
  readonly admission: Admission;
  readonly error: HttpError;
  /** The connection ends with the refusal. */
  readonly close: boolean;
}

/** Decides about a request while it is being read. */
export interface Judge {
  /**
   * Decides about a head: who may speak, and where the request goes.
   * @param peer the client's address, for the throttle of wrong tokens.
   * @param admission takes what the answer must have, a refusal included.
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
