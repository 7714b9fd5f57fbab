/** Answers with documents. */
import { closeField, type Delivery, nosniff, withVary } from "../../core/http/response.ts";
import { utf8Length } from "../../core/http/utf8.ts";
import type { Answer } from "../../core/operations/answer.ts";
import type { DocumentText } from "./document-text.ts";

/** How a cache may keep a document. */
export interface Keeping {
  /** Complete field lines. */
  readonly fields: string;
  /** The fields of the request that the document depends on, separated by commas; "" for none. */
  readonly vary: string;
}

function head(status: string, { fields, vary }: Keeping, delivery: Delivery): string {
  const all = fields + (vary === "" ? delivery.fields : withVary(delivery.fields, vary));
  return `HTTP/1.1 ${status}\r\n${all}${delivery.close ? closeField : ""}\r\n`;
}

/** @param content the field lines of the content. */
function okHead(content: string, { fields, vary }: Keeping, delivery: Delivery): string {
  return head("200 OK", { fields: content + nosniff + fields, vary }, delivery);
}

/**
 * @param type the media type, with its parameters.
 * @param text what follows `begin`.
 * @returns a 200 with a document.
 */
export function documentAnswer(begin: string, type: string, keeping: Keeping, text?: DocumentText): Answer {
  const [first = "", ...rest] = text?.parts ?? [];
  const length = utf8Length(begin) + (text?.bytes ?? 0);
  const content = `Content-Type: ${type}\r\nContent-Length: ${length}\r\n`;
  return {
    status: 200,
    note: "",
    held: length,
    rest,
    write: (delivery) => okHead(content, keeping, delivery) + (delivery.headOnly ? "" : begin + first),
  };
}

/** @returns a 200 whose head is followed by these bytes, compressed by gzip. */
export function compressedAnswer(bytes: ArrayBuffer, type: string, keeping: Keeping): Answer {
  const content = `Content-Type: ${type}\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.byteLength}\r\n`;
  return { status: 200, note: "", bytes, write: (delivery) => okHead(content, keeping, delivery) };
}

/** @returns a 304: the client has the document already. It has neither a body nor a length (RFC 9110, 15.4.5). */
export function notModifiedAnswer(keeping: Keeping): Answer {
  return { status: 304, note: "", write: (delivery) => head("304 Not Modified", keeping, delivery) };
}
