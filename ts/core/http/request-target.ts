/** The request target's forms (RFC 9112, 3.2) and the decoding of a path segment (RFC 3986, 2). */
import { isHost } from "./host.ts";
import { HttpError } from "./http-error.ts";
import type { RequestHead } from "./request-head.ts";

// pchar and "/" (RFC 3986, 3.3). A "%" is let through here: a bad one makes a name that no noun has.
const pathPattern = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/;
const badEncoding = /%(?![0-9A-Fa-f]{2})/;
const absoluteForm = /^http:\/\/([^/?#]*)(.*)$/i;
/** event-source-polyfill sends the id of its last event so, because a field would need a preflight. */
const lastEventId = /\?lastEventId=[A-Za-z0-9\-._~!$'()*+,;:@%/]*$/;
const unreserved = /^[A-Za-z0-9\-._~]$/;

/**
 * @param target in origin-form or absolute-form: visible ASCII characters.
 * @returns the path, percent-encoded as sent; `/` for an absolute-form target without one.
 * @throws HttpError 400, keeping the connection: another form, an authority that is not a host, or a query component.
 */
export function targetPath(target: string): string {
  const absolute = target.startsWith("/") ? null : absoluteForm.exec(target);
  if (absolute !== null && !isHost(absolute[1] ?? "")) {
    throw HttpError.keeping(400, "The authority of the request target is not a host with an optional port.");
  }
  const rest = absolute === null ? target : absolute[2] || "/";
  if (rest.includes("?")) {
    throw HttpError.keeping(
      400,
      "The request target has a query, which nothing here takes: leave out the ? and what follows it. " +
        "To set a value, send it as JSON with PUT.",
    );
  }
  const path = absolute !== null && !rest.startsWith("/") ? `/${rest}` : rest;
  if (badEncoding.test(path)) {
    throw HttpError.keeping(
      400,
      "The request target has a percent sign that is not followed by two hexadecimal digits.",
    );
  }
  if (!pathPattern.test(path)) {
    throw HttpError.keeping(400, "The request target is neither a path nor an absolute http URI.");
  }
  return path;
}

/** @param target of a request for events. @returns it without the id of the last event, which is not needed here. */
export function withoutLastEventId(target: string): string {
  return target.includes("?") ? target.replace(lastEventId, "") : target;
}

/** @returns the authority of an absolute-form target, whether it is a host or not; undefined for any other form. */
export function targetAuthority(target: string): string | undefined {
  return target.startsWith("/") ? undefined : absoluteForm.exec(target)?.[1];
}

/** @returns the path without its first slash, in lower case: the name that is asked for. @throws as `targetPath`. */
export function nameIn(target: string): string {
  return decodeUnreserved(targetPath(target).slice(1)).toLowerCase();
}

/** Decodes the percent-encoded unreserved characters, which mean the same either way (RFC 3986, 2.3), and no others. */
export function decodeUnreserved(segment: string): string {
  if (!segment.includes("%")) return segment;
  return segment.replace(/%([0-9A-Fa-f]{2})/g, (encoded, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(character) ? character : encoded;
  });
}

/** @returns whether a request is for no noun of its own, so that any token is enough. */
export function isForAll({ method, target }: Pick<RequestHead, "method" | "target">): boolean {
  return target === "/" || (target === "*" && method === "OPTIONS") || (!target.startsWith("/") && isNamed(target, ""));
}

/** @returns whether a target is the path of this name; not if its form is refused. */
export function isNamed(target: string, name: string): boolean {
  try {
    return nameIn(target) === name;
  } catch {
    return false; // its form is refused later
  }
}
