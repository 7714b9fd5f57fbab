/** Answers with documents. */
import { closeField, type Delivery, responseHead, withVary } from "../http/response.ts";
import type { Answer } from "../operations/answer.ts";

/** How a cache may keep a document. */
export interface Keeping {
  /** Complete field lines. */
  readonly fields: string;
  /** The fields of the request that the document depends on, separated by commas; "" for none. */
  readonly vary: string;
}

function fieldsOf({ fields, vary }: Keeping, { fields: delivered, close }: Delivery): string {
  return fields + (vary === "" ? delivered : withVary(delivered, vary)) + (close ? closeField : "");
}

/** @param type the media type, with its parameters. @returns a 200 with a document. */
export function documentAnswer(text: string, type: string, keeping: Keeping): Answer {
  return {
    status: 200,
    note: "",
    held: text.length,
    write: (delivery) => responseHead(200, type, text, fieldsOf(keeping, delivery)) + (delivery.headOnly ? "" : text),
  };
}

/** @returns a 200 whose head is followed by these bytes, compressed by gzip. */
export function compressedAnswer(bytes: ArrayBuffer, type: string, keeping: Keeping): Answer {
  return {
    status: 200,
    note: "",
    bytes,
    write: (delivery) =>
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: gzip\r\n` +
      `Content-Length: ${bytes.byteLength}\r\n${fieldsOf(keeping, delivery)}\r\n`,
  };
}

/** @returns a 304: the client has the document already. It has neither a body nor a length (RFC 9110, 15.4.5). */
export function notModifiedAnswer(keeping: Keeping): Answer {
  return {
    status: 304,
    note: "",
    write: (delivery) => `HTTP/1.1 304 Not Modified\r\n${fieldsOf(keeping, delivery)}\r\n`,
  };
}
