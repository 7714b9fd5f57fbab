/**
 * The strict reader of one response: bytes go in as they come. It has the grammar, the framing and the chunks of the
 * server's own requests (RFC 9112, 4 to 6); what two parties could read differently is refused.
 *
 *     const reader = new ResponseReader({ headBytes: 8_192, bodyBytes: 65_536 }, false);
 *     reader.take("HTTP/1.1 204 No Content\r\n\r\n");
 *     reader.isDone; // true
 *     reader.status; // 204
 */
import { spelled, type Transition, tokens, transitionTable } from "../../core/grammar/transition-table.ts";
import { ChunkedBody } from "../../core/http/chunked-body.ts";
import { Fields, withoutSurroundingWhiteSpace } from "../../core/http/fields.ts";
import { fieldLineTransitions, opaque } from "../../core/http/head-syntax.ts";
import { checkCoding, declaredLength } from "../../core/http/message-framing.ts";

/** The sizes a response may have, in bytes. */
export interface ResponseLimits {
  /** All heads together: those of interim responses come before that of the response. */
  readonly headBytes: number;
  readonly bodyBytes: number;
  /**
   * Whether a body must not end with the connection: on an encrypted one, somebody on the network could end that early
   * (RFC 9112, 9.8).
   */
  readonly isEndProven?: boolean;
}

/** Field lines of one head. */
const mostFields = 64;

/** The tokens are the status code, and those of the field lines. */
const headTransitions = (): readonly Transition[] => [
  ...spelled("status line", "HTTP/1.", "minor"),
  ["minor", ["01"], "before status"],
  ["before status", [" "], "status"],
  ["status", ["15"], "second digit", "begin"],
  ["second digit", ["09"], "third digit"],
  ["third digit", ["09"], "before reason"],
  ["before reason", [" "], "reason", "end"],
  ["reason", [" ", ...opaque], "reason"],
  ["reason", ["\r"], "line end"],
  ...fieldLineTransitions(),
];

/** Made for the first response. */
let headTable: ArrayBuffer | undefined;

const headEnd = "\r\n\r\n";

/** The begin of a response of HTTP/1.0, which is read as one of HTTP/1.1 without chunks (RFC 9112, 2.3). */
const oldVersion = "HTTP/1.0 ";

/** Switching to another protocol, which was not asked for. */
const switching = 101;

export class ResponseReader {
  /** Of the final response; 0 before its head is complete. */
  status = 0;
  isDone = false;
  /** Whether the server has said that it reads the body of a request that expects this (RFC 9110, 10.1.1). */
  isContinued = false;
  private readonly limits: ResponseLimits;
  private readonly keepsBody: boolean;
  /** A partial head; at last the whole of the final one, if the body is kept. */
  private head = "";
  private headBytes = 0;
  private chunks: ChunkedBody | undefined;
  /** Bytes of the body that are still to come; Infinity where it ends with the connection. */
  private missing = 0;
  private size = 0;
  private parts: string[] = [];
  private readonly onBody: ((bytes: string) => void) | undefined;

  /**
   * @param keepsBody whether body and fields are wanted; otherwise they are judged and dropped.
   * @param onBody gets the bytes of the body as they come, and then it is not kept. No chunks are accepted then.
   */
  constructor(limits: ResponseLimits, keepsBody: boolean, onBody?: (bytes: string) => void) {
    this.limits = limits;
    this.keepsBody = keepsBody;
    this.onBody = onBody;
  }

  /** The body so far, one character a byte; "" if it is not kept. */
  get body(): string {
    return this.chunks === undefined ? this.parts.join("") : this.chunks.body;
  }

  /** @returns the value of a field, its lines joined by commas; undefined without such a line, or if none is kept. */
  field(name: string): string | undefined {
    const begin = `${name.toLowerCase()}:`;
    const lines = this.head.split("\r\n").slice(1);
    const values = lines
      .filter((line) => line.toLowerCase().startsWith(begin))
      .map((line) => withoutSurroundingWhiteSpace(line.slice(begin.length)));
    return values.length === 0 ? undefined : values.join(", ");
  }

  /** @throws Error with a sentence at bytes that no response has, that exceed a limit, or behind its end. */
  take(bytes: string): void {
    let rest = bytes;
    while (this.status === 0 && rest !== "") rest = this.takeHead(rest);
    if (rest === "") return;
    if (this.isDone) throw new Error("More than one response has come.");
    rest = this.takeBody(rest);
    if (rest !== "") throw new Error("More than one response has come.");
  }

  /** The peer sends nothing more. @throws Error if the response is not complete. */
  end(): void {
    if (this.status !== 0 && this.missing === Number.POSITIVE_INFINITY) this.isDone = true;
    if (!this.isDone) throw new Error("The connection ended before the response did.");
  }

  /** @returns the bytes behind the head; "" while it is not complete. */
  private takeHead(bytes: string): string {
    const before = this.head.length;
    this.head += bytes;
    // The end of a head may have come in two pieces.
    const end = this.head.indexOf(headEnd, Math.max(0, before - headEnd.length));
    const length = end < 0 ? this.head.length : end + headEnd.length;
    if (this.headBytes + length > this.limits.headBytes) {
      throw new Error(`The head of the response is longer than ${this.limits.headBytes} bytes.`);
    }
    if (end < 0) return "";
    const head = this.head.slice(0, length);
    this.head = "";
    this.headBytes += length;
    this.readHead(head);
    return bytes.slice(length - before);
  }

  private readHead(head: string): void {
    headTable ??= transitionTable(headTransitions());
    const found = tokens(head, headTable);
    const fields = found && Fields.read(found, 1, mostFields);
    if (found === undefined || fields === undefined) throw new Error("The head of the response is malformed.");
    const status = Number(found[0]);
    if (status === switching) throw new Error("The server switches to another protocol without a request for it.");
    // An interim response: the final one follows.
    this.isContinued ||= status === 100;
    if (status < 200) return;
    this.status = status;
    if (this.keepsBody) this.head = head;
    this.frame(status, fields, head.startsWith(oldVersion));
  }

  /** RFC 9112, 6.3. */
  private frame(status: number, { values }: Fields, isOld: boolean): void {
    const { "transfer-encoding": coding, "content-length": length } = values;
    if (coding !== undefined) {
      if (isOld) throw new Error("A response of HTTP/1.0 has a transfer coding, which that version does not know.");
      if (this.onBody !== undefined) throw new Error("The response comes in chunks, which are not read here.");
      checkCoding(coding, length);
      this.chunks = new ChunkedBody(this.limits.bodyBytes);
      if (!this.keepsBody) this.chunks.skip();
    }
    const declared = length === undefined ? undefined : declaredLength(length);
    if (status === 204 || status === 304) {
      if (this.chunks !== undefined) throw new Error("A response without a body has a transfer coding.");
      this.isDone = true;
      return;
    }
    if (this.chunks !== undefined) return;
    if (declared !== undefined && declared > this.limits.bodyBytes) throw this.tooLong();
    if (declared === undefined && this.limits.isEndProven === true) {
      throw new Error("The response has neither a length nor chunks, so nobody knows whether all of it has come.");
    }
    this.missing = declared ?? Number.POSITIVE_INFINITY;
    this.isDone = this.missing === 0;
  }

  /** @returns the bytes behind the body. */
  private takeBody(bytes: string): string {
    if (this.chunks !== undefined) {
      const taken = this.chunks.take(bytes);
      this.isDone = this.chunks.done;
      return bytes.slice(taken);
    }
    const part = bytes.slice(0, this.missing);
    this.missing -= part.length;
    this.size += part.length;
    if (this.size > this.limits.bodyBytes) throw this.tooLong();
    if (this.onBody !== undefined) this.onBody(part);
    else if (this.keepsBody) this.parts.push(part);
    this.isDone = this.missing === 0;
    return bytes.slice(part.length);
  }

  private tooLong(): Error {
    return new Error(`The body is longer than ${this.limits.bodyBytes} bytes.`);
  }
}
