/** Requests from web pages of other origins, by the Fetch standard (fetch.spec.whatwg.org, 3.2, "CORS"). */
import type { Fields } from "../http/fields.ts";
import { isHost } from "../http/host.ts";

const originPattern = /^([a-z][a-z0-9+.-]*):\/\/([^A-Z/?#]+)$/;
const usualPorts: { readonly [scheme: string]: string } = { http: ":80", https: ":443" };

/** s for which a browser may reuse a preflight's answer. A changed configuration takes that long to reach it. */
const preflightAge = 600;

/**
 * @returns whether a text is an origin the way browsers write one: scheme, host, and the port unless it is the scheme's
 *   own, all in lower case, without a path (RFC 6454, 6.2).
 */
export function isOrigin(text: string): boolean {
  const [, scheme = "", authority = ""] = originPattern.exec(text) ?? [];
  return isHost(authority) && !authority.endsWith(":") && !authority.endsWith(usualPorts[scheme] ?? "/");
}

/** @returns whether the request is a preflight. */
export function isPreflight(method: string, fields: Fields): boolean {
  return method === "OPTIONS" && fields.count("origin") > 0 && fields.count("access-control-request-method") > 0;
}

/** @param origin an allowed origin. @returns the field lines that let its page read the answer. */
export function originFields(origin: string): string {
  return (
    `Access-Control-Allow-Origin: ${origin}\r\nVary: Origin\r\nAccess-Control-Expose-Headers: Allow, ETag, ` +
    `Link, Retry-After\r\n`
  );
}

/** @returns the field lines that answer a preflight, besides `originFields`. */
export function preflightFields(fields: Fields): string {
  // https://wicg.github.io/private-network-access: a page of the Internet that requests something from a device of this
  // network.
  const isPrivate = fields.values["access-control-request-private-network"]?.toLowerCase() === "true";
  return (
    "Access-Control-Allow-Methods: GET, PUT, POST, DELETE\r\n" +
    "Access-Control-Allow-Headers: Content-Type, Authorization, Last-Event-ID, If-None-Match\r\n" +
    `Access-Control-Max-Age: ${preflightAge}\r\n` +
    (isPrivate ? "Access-Control-Allow-Private-Network: true\r\n" : "")
  );
}
