/** What the parser makes of a request's head. */
import type { Fields } from "./fields.ts";
import type { MessageFraming } from "./message-framing.ts";

/** A request whose head has been read and whose framing can be trusted. Immutable: equal heads may share one. */
export interface RequestHead extends MessageFraming {
  /** The method as sent; methods are case-sensitive (RFC 9110, 9.1). */
  readonly method: string;
  /** The request target as sent: visible ASCII characters, its form not yet looked at. */
  readonly target: string;
  /** The Content-Type field's value; those of several lines are joined by a comma, which is no media type. */
  readonly contentType: string | undefined;
  /** The fields that decide who may speak: `Authorization`, `Host`, `Origin`. */
  readonly fields: Fields;
  /** Bytes of the head as it was sent. */
  readonly bytes: number;
}
