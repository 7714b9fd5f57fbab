/** The one error of the HTTP layer: a request that is refused, with everything its answer needs. */
import type { ErrorStatus } from "./status.ts";

/** The other nouns that the sentence of a refusal is about. A client that may not read all of them gets another one. */
export interface About {
  /** In lower case. `*` stands for all nouns. */
  readonly nouns: readonly string[];
  /** The sentence without them. */
  readonly brief: string;
}

/** A refusal. The message is a sentence for the client that says what to correct and quotes nothing of the request. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: ErrorStatus;
  /** True when the connection ends with the answer, because what follows on it can no longer be trusted. */
  readonly close: boolean;
  /** Whole field lines that the answer has besides the usual ones. */
  readonly fields: string;
  /** Undefined for a sentence that every client may read. */
  readonly about: About | undefined;

  private constructor(status: ErrorStatus, detail: string, close: boolean, fields: string, about?: About) {
    super(detail);
    this.status = status;
    this.close = close;
    this.fields = fields;
    this.about = about;
  }

  /** A refusal after which the connection is closed. @param fields further field lines of the answer. */
  static closing(status: ErrorStatus, detail: string, fields = ""): HttpError {
    return new HttpError(status, detail, true, fields);
  }

  /** A refusal of a request that was understood to its end: the connection goes on. @param fields as of `closing`. */
  static keeping(status: ErrorStatus, detail: string, fields = ""): HttpError {
    return new HttpError(status, detail, false, fields);
  }

  /** A refusal with 409 whose sentence is about other nouns. */
  static conflict(detail: string, about: About): HttpError {
    return new HttpError(409, detail, false, "", about);
  }
}
