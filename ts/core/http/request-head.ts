/** What the parser makes of a request's head. */
import type { Fields } from "./fields.ts";

/** A request whose head has been read and whose framing can be trusted. Immutable: equal heads may share one. */
export interface RequestHead {
  /** The method as sent; methods are case-sensitive (RFC 9110, 9.1). */
  readonly method: string;
  /** The request target as sent: visible ASCII characters, its form not yet looked at. */
  readonly target: string;
  /** The fields that decide who may speak: `Authorization`, `Host`, `Origin`. */
  readonly fields: Fields;
  /** Bytes of the head as it was sent, without cookies that it would be too long with. */
  readonly bytes: number;
  /** Bytes of the body; 0 where it comes in chunks. */
  readonly contentLength: number;
  /** The body comes in chunks (RFC 9112, 7.1). */
  readonly chunked: boolean;
  /** The version is HTTP/1.0: the answer has a length, and is the last one. */
  readonly isOld: boolean;
  /** The client wants the connection closed after the answer. */
  readonly close: boolean;
  /** The client waits for 100 Continue. */
  readonly expectsContinue: boolean;
}
