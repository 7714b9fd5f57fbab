/**
 * Reads a complete head: its grammar, and what its fields say about its body and its connection. A head that is within
 * the limits with its cookies is read with them, because its fields are the same, and to take them out takes as long.
 */
import { mostCookieBytes, withoutCookies } from "./cookies.ts";
import { refuseTunnel } from "./head-check.ts";
import { matchHead } from "./head-syntax.ts";
import type { RequestLimits } from "./limits.ts";
import { requestHead } from "./message-framing.ts";
import type { RequestHead } from "./request-head.ts";

/**
 * @param bytes a head with its empty line.
 * @param kept the same without cookies, if that is known.
 * @returns the head; undefined if it is malformed or over a limit, which `HeadCheck` explains.
 * @throws HttpError, closing.
 */
export function parseHead(bytes: string, limits: RequestLimits, kept?: string): RequestHead | undefined {
  // A head of that many bytes has not too many cookies.
  const read = kept ?? (bytes.length > mostCookieBytes ? withoutCookies(bytes) : bytes);
  const text = read === undefined ? undefined : matchHead(read, limits);
  if (read === undefined || text === undefined) {
    const rest = kept === undefined ? withoutCookies(bytes) : undefined;
    return rest === undefined || rest === read ? undefined : parseHead(bytes, limits, rest);
  }
  if (text.method === "CONNECT") throw refuseTunnel(text.target);
  return requestHead(text, read.length);
}
