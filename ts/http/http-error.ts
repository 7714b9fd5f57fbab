/** The one error of the HTTP layer: a request that is refused, with everything its answer needs. */
import type { Status } from "./status.ts";

/** Error statuses. */
export type ErrorStatus = Exclude<Status, 200>;

/**
 * A refusal. The message is the problem document's detail: a sentence for the client that says what to mend and quotes
 * nothing of the request.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  /** The answer's status code. */
  readonly status: ErrorStatus;
  /** True when the connection ends with the answer, because what follows on it can no longer be trusted. */
  readonly close: boolean;

  private constructor(status: ErrorStatus, detail: string, close: boolean) {
    super(detail);
    this.status = status;
    this.close = close;
  }

  /** A refusal after which the connection is closed. */
  static closing(status: ErrorStatus, detail: string): HttpError {
    return new HttpError(status, detail, true);
  }

  /** A refusal of a request that was understood to its end: the connection goes on. */
  static keeping(status: ErrorStatus, detail: string): HttpError {
    return new HttpError(status, detail, false);
  }
}
