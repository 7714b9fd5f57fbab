/**
 * Cookies, which nothing here uses. A browser sends those of every program on the same host, whatever its port (RFC
 * 6265, 8.5). So their field lines are skipped: none is kept, and they count for no limit but their own.
 */

/** Bytes that the Cookie lines of one head may have, with their line ends. */
export const mostCookieBytes = 16_384;

/** The begin of a Cookie line, in lower case. */
export const cookieName = "cookie:";

/** A well-formed Cookie line with the line end before it, and without its own. */
const cookieLines = /\r\nCookie:[\t -~\x80-\xff]*(?=\r\n)/gi;

/**
 * @param lines whole lines with their ends.
 * @returns them without Cookie lines, but for malformed ones; undefined for too many.
 */
export function withoutCookies(lines: string): string | undefined {
  const kept = lines.replace(cookieLines, "");
  return lines.length - kept.length > mostCookieBytes ? undefined : kept;
}
