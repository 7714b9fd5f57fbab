/** The response writer: a status and a body become the text that goes on the wire (RFC 9112, 4; RFC 9110, 15). */
import { type ErrorStatus, reasonPhrase, type Status } from "./status.ts";
import { utf8Length } from "./utf8.ts";

/** 100 Continue, complete (RFC 9110, 15.2.1). */
export const continueResponse = "HTTP/1.1 100 Continue\r\n\r\n";

/** What differs between the answers to two requests for the same thing. */
export interface Delivery {
  /** The connection ends with this answer. */
  readonly close: boolean;
  /** The request was a HEAD: the answer has the fields of its body, and no body (RFC 9110, 9.3.2). */
  readonly headOnly: boolean;
  /** Whole field lines besides the usual ones; "" for none. */
  readonly fields: string;
  /** The request came from a browser that shows the answer: a refusal is a page. */
  readonly isForBrowser?: boolean;
}

const noStore = "Cache-Control: no-store\r\n";

/** Whatever a body holds, no browser takes it for another type, a script for instance (Fetch, 3.7). */
export const nosniff = "X-Content-Type-Options: nosniff\r\n";

/**
 * @param fields whole field lines besides the usual ones. There is no Date field: a device without a battery-backed
 *   clock must not send one (RFC 9110, 6.6.1).
 * @param length bytes of the body.
 * @returns the head of an answer with a body.
 */
export function responseHead(status: Status, contentType: string, length: number, fields: string): string {
  return (
    `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\nContent-Type: ${contentType}\r\n` +
    `Content-Length: ${length}\r\n${nosniff}${fields}\r\n`
  );
}

/** @returns field lines with one Vary line that has these names, too (RFC 9110, 12.5.5). @param names joined by commas. */
export function withVary(fields: string, names: string): string {
  const at = fields.indexOf("Vary: ");
  if (at < 0) return `${fields}Vary: ${names}\r\n`;
  return `${fields.slice(0, at)}Vary: ${names}, ${fields.slice(at + "Vary: ".length)}`;
}

/** Says that the connection ends with the answer. */
export const closeField = "Connection: close\r\n";

/** The beginning of an answer with a state. It is made once, because each new state needs it. */
const stateBegin = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
const stateFields = `\r\n${nosniff}${noStore}`;

/** @param state the state as JSON. @param length bytes that it has. @returns a 200 with it. */
export function stateResponse(state: string, delivery: Delivery, length = utf8Length(state)): string {
  const { close, headOnly, fields } = delivery;
  return `${stateBegin}${length}${stateFields}${fields}${close ? closeField : ""}\r\n${headOnly ? "" : state}`;
}

/** @returns a 204, which has neither a body nor a length (RFC 9110, 8.6). */
export function noContentResponse({ fields, close }: Omit<Delivery, "headOnly">): string {
  const end = close ? closeField : "";
  return `HTTP/1.1 204 ${reasonPhrase(204)}\r\nCache-Control: no-store\r\n${fields}${end}\r\n`;
}

/** @param detail a sentence for the client. @returns a problem document (RFC 9457). */
export function problemDocument(status: ErrorStatus, detail: string): string {
  return JSON.stringify({ status, title: reasonPhrase(status), detail });
}

/** For a page that loads nothing, runs nothing and is in no frame. */
export const plainPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @param detail as for `problemDocument`. @returns a page of this one sentence. */
function refusalAsHtml(status: ErrorStatus, detail: string): string {
  const text = detail.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${status} ${reasonPhrase(status)}</title><p>${text}</html>\n`
  );
}

/** @param detail as for `problemDocument`. @returns an answer with one, or with a page for a browser. */
export function problemResponse(status: ErrorStatus, detail: string, delivery: Delivery): string {
  const { close, headOnly, isForBrowser = false } = delivery;
  const body = isForBrowser ? refusalAsHtml(status, detail) : problemDocument(status, detail);
  const type = isForBrowser ? "text/html; charset=utf-8" : "application/problem+json";
  const policy = isForBrowser ? `Content-Security-Policy: ${plainPolicy}\r\n` : "";
  const fields = noStore + policy + delivery.fields + (close ? closeField : "");
  const whole = responseHead(status, type, utf8Length(body), fields);
  return headOnly ? whole : whole + body;
}
