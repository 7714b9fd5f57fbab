/** The text of a request that this program sends, on a connection of its own (RFC 9112, 3 to 6). */
import { utf8Length } from "../http/utf8.ts";
import type { HttpUrl } from "./url.ts";

/** The parts of a request. */
export interface RequestParts {
  readonly method: string;
  readonly url: HttpUrl;
  /** The product that sends: `nound/1.2.3`. */
  readonly agent: string;
  /** Field lines, each with its line end. */
  readonly fields: string;
  /** Undefined for none; "" for an empty one. */
  readonly body: string | undefined;
}

/** @returns the whole request. It asks for the end of the connection. */
export function requestText({ method, url, agent, fields, body }: RequestParts): string {
  const length = body === undefined ? "" : `Content-Length: ${utf8Length(body)}\r\n`;
  return (
    `${method} ${url.path} HTTP/1.1\r\nHost: ${url.host}\r\nUser-Agent: ${agent}\r\n${fields}${length}` +
    `Connection: close\r\n\r\n${body ?? ""}`
  );
}
