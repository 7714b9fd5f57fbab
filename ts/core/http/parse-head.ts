/** Reads a complete head: its grammar, and what its fields say about its body and its connection. */
import { withoutCookies } from "./cookies.ts";
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
export function parseHead(
  bytes: string,
  limits: RequestLimits,
  kept: string | undefined = withoutCookies(bytes),
): RequestHead | undefined {
  const text = kept === undefined ? undefined : matchHead(kept, limits);
  if (kept === undefined || text === undefined) return undefined;
  if (text.method === "CONNECT") throw refuseTunnel(text.target);
  return requestHead(text, kept.length);
}
