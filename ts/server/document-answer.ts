/** Answers with documents. */
import type { closeField, Delivery, responseHead } from "../http/response.ts";
import type { Answer } from "./answer.ts";

/** What ts/http/response.ts has for any answer. */
export interface Wire {
  readonly responseHead: typeof responseHead;
  readonly closeField: typeof closeField;
}

/** A 200 with a document. */
export class DocumentAnswer implements Answer {
  readonly status = 200;
  readonly note = "";
  private readonly wire: Wire;
  private readonly text: string;
  private readonly type: string;
  private readonly fields: string;

  /**
   * @param type the media type, with its parameters.
   * @param fields whole field lines that say how it may be kept.
   */
  constructor(wire: Wire, text: string, type: string, fields: string) {
    this.wire = wire;
    this.text = text;
    this.type = type;
    this.fields = fields;
  }

  write({ close, headOnly, fields }: Delivery): string {
    const { responseHead, closeField } = this.wire;
    const all = this.fields + fields + (close ? closeField : "");
    return responseHead(200, this.type, this.text, all) + (headOnly ? "" : this.text);
  }
}

/** A 304: the client has the document already. It has neither a body nor a length (RFC 9110, 15.4.5). */
export class NotModifiedAnswer implements Answer {
  readonly status = 304;
  readonly note = "";
  private readonly wire: Wire;
  private readonly fields: string;

  /** @param fields the document's own field lines. */
  constructor(wire: Wire, fields: string) {
    this.wire = wire;
    this.fields = fields;
  }

  write({ close, fields }: Delivery): string {
    const end = close ? this.wire.closeField : "";
    return `HTTP/1.1 304 Not Modified\r\n${this.fields}${fields}${end}\r\n`;
  }
}
