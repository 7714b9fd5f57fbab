/**
 * What a request's fields say about where it ends and how its connection goes on (RFC 9112, 6 and 9; RFC 9110, 7.2 and
 * 10.1.1). Whatever two parties on the way could read differently is refused, and the connection closed: request
 * smuggling begins where they do.
 */
import type { Fields } from "./fields.ts";
import type { HeadText } from "./head-syntax.ts";
import { isHost, withoutZone } from "./host.ts";
import { HttpError } from "./http-error.ts";
import type { RequestHead } from "./request-head.ts";

/** Drops the zone of a host that has one, of its client's network. @throws HttpError unless there is one host. */
function dropZone(fields: Fields): void {
  const { values } = fields;
  const host = values["host"] === undefined ? undefined : withoutZone(values["host"]);
  if (host === undefined) throw refuseHost(fields);
  values["host"] = host;
}

/** @returns the refusal of a request that does not have exactly one host. */
function refuseHost(fields: Fields): HttpError {
  const count = fields.count("host");
  if (count === 0) return HttpError.closing(400, "The Host field is missing; this server requires it.");
  if (count > 1) return HttpError.closing(400, "The request has more than one Host field.");
  return HttpError.closing(400, "The Host field is not a host with an optional port.");
}

/** @param length the Content-Length field. @returns the declared length in bytes (RFC 9112, 6.2 and 6.3). */
export function declaredLength(length: string): number {
  // Several lines are joined by a comma, which is no digit.
  if (!/^[0-9]+$/.test(length)) {
    throw HttpError.closing(400, "A message must have one Content-Length, in decimal digits.");
  }
  return Number(length);
}

/** Refuses transfer codings but chunked (RFC 9112, 6.1). @throws HttpError 400 beside a length, otherwise 501. */
export function checkCoding(coding: string, length: string | undefined): void {
  if (length !== undefined) {
    throw HttpError.closing(400, "A message must not have both Content-Length and Transfer-Encoding.");
  }
  if (coding.toLowerCase() !== "chunked") {
    throw HttpError.closing(501, "This server supports only the transfer coding chunked, once.");
  }
}

/** @returns whether 100 Continue is expected. @throws HttpError 417 for any other expectation. */
function expectsContinue(fields: Fields): boolean {
  const expectations = fields.elements("expect");
  if (expectations.some((expectation) => expectation !== "100-continue")) {
    throw HttpError.closing(417, "This server supports only the expectation 100-continue.");
  }
  return expectations.length > 0;
}

/** A token (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** @returns whether the client wants to close. @throws HttpError 400 for no list of tokens (RFC 9110, 7.6.1). */
function asksForClose(fields: Fields): boolean {
  const options = fields.elements("connection");
  if (!options.every((option) => token.test(option))) {
    throw HttpError.closing(400, "The Connection field is not a list of connection options.");
  }
  return options.includes("close");
}

/** Methods whose requests have no body here: two parties could disagree about what it is (RFC 9110, 9.3.1). */
const methodsWithoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

/** The one of them that may come in chunks if there is no data in them. OpenWrt's uclient-fetch sends it so. */
export const methodOfEmptyChunks = "DELETE";

/**
 * @param bytes of the whole head.
 * @returns the head, with its framing. Whether the chunks of a DELETE are empty, their decoder finds.
 * @throws HttpError 400, 411, 417 or 501, all closing.
 */
export function requestHead({ method, target, fields, isOld }: HeadText, bytes: number): RequestHead {
  const { values } = fields;
  const { host, "transfer-encoding": coding, "content-length": sentLength, expect, connection } = values;
  // Several lines are joined by a comma, which no host has. HTTP/1.0 knows no Host (RFC 9112, 3.2).
  if (host === undefined ? !isOld : !isHost(host)) dropZone(fields);
  const chunked = coding !== undefined;
  if (chunked && isOld) throw HttpError.closing(400, "A request of HTTP/1.0 must not have Transfer-Encoding.");
  if (chunked) checkCoding(coding, sentLength);
  const contentLength = sentLength === undefined ? 0 : declaredLength(sentLength);
  if (sentLength === undefined && !chunked && (method === "PUT" || method === "POST")) {
    const remedy = method === "POST" ? "a POST without values sends {}, in curl --json '{}'" : "send the state as JSON";
    throw HttpError.closing(411, `The request has no body, neither by Content-Length nor in chunks: ${remedy}.`);
  }
  const hasBody = contentLength > 0 || (chunked && method !== methodOfEmptyChunks);
  if (hasBody && methodsWithoutBody.has(method)) {
    // One text for all of them: the answer to a HEAD has the length of the answer to a GET.
    throw HttpError.closing(400, "A request of GET, HEAD, DELETE or OPTIONS has no body.");
  }
  return {
    method,
    target,
    contentLength,
    chunked,
    // In the contract's order: a bad list of options is refused before an expectation. Nearly every client's list needs
    // not be taken apart.
    close: (connection !== undefined && connection !== "keep-alive" && asksForClose(fields)) || isOld,
    // A client of HTTP/1.0 does not know an interim answer (RFC 9110, 10.1.1).
    expectsContinue: expect !== undefined && expectsContinue(fields) && !isOld,
    isOld,
    fields,
    bytes,
  };
}
