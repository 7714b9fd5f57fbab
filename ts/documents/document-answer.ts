/** Answers with documents. */
import type { closeField, Delivery, responseHead, withVary } from "../http/response.ts";
import type { Answer } from "../server/answer.ts";

/** What ts/http/response.ts has for any answer. */
export interface Wire {
  readonly responseHead: typeof responseHead;
  readonly closeField: typeof closeField;
  readonly withVary: typeof withVary;
}

/** How a document may be kept. */
export interface Keeping {
  /** Whole field lines. */
  readonly fields: string;
  /** The fields of the request that it depends on, with a comma between them; "" for none. */
  readonly vary: string;
}

function fieldsOf({ withVary }: Wire, { fields, vary }: Keeping, delivered: string): string {
  return fields + (vary === "" ? delivered : withVary(delivered, vary));
}

/** A 200 with a document. */
export class DocumentAnswer implements Answer {
  readonly status = 200;
  readonly note = "";
  private readonly wire: Wire;
  private readonly text: string;
  private readonly type: string;
  private readonly keeping: Keeping;

  /** @param type the media type, with its parameters. */
  constructor(wire: Wire, text: string, type: string, keeping: Keeping) {
    this.wire = wire;
    this.text = text;
    this.type = type;
    this.keeping = keeping;
  }

  write({ close, headOnly, fields }: Delivery): string {
    const { responseHead, closeField } = this.wire;
    const all = fieldsOf(this.wire, this.keeping, fields) + (close ? closeField : "");
    return responseHead(200, this.type, this.text, all) + (headOnly ? "" : this.text);
  }
}

/** A 304: the client has the document already. It has neither a body nor a length (RFC 9110, 15.4.5). */
export class NotModifiedAnswer implements Answer {
  readonly status = 304;
  readonly note = "";
  private readonly wire: Wire;
  private readonly keeping: Keeping;

  constructor(wire: Wire, keeping: Keeping) {
    this.wire = wire;
    this.keeping = keeping;
  }

  write({ close, fields }: Delivery): string {
    const end = close ? this.wire.closeField : "";
    return `HTTP/1.1 304 Not Modified\r\n${fieldsOf(this.wire, this.keeping, fields)}${end}\r\n`;
  }
}
