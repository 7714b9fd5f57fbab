/** A request that the service performs, and a request that was refused before. */
import type { Admission } from "../access/admission.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request-head.ts";
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

/** A request whose head is admitted. Immutable: equal requests may share one. */
export interface Request {
  readonly head: RequestHead;
  readonly admission: Admission;
  readonly route: Route;
  /** The state in the body; empty until the body has come, and for a request without a body. */
  readonly state: State;
  /** Bytes of the body. */
  readonly bodyBytes: number;
}

/** A request that is refused. */
export interface Refusal {
  /** A request has this property; this object does not. */
  readonly route?: undefined;
  readonly head: Answered;
  readonly admission: Admission;
  readonly error: HttpError;
  /** Whether the connection ends with the refusal. */
  readonly close: boolean;
}
