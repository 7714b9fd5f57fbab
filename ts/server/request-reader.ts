/**
 * Reads the requests of one connection: bytes go in as they come, complete requests and refusals come out in turn.
 *
 *     reader.feed(bytes);
 *     for (let next = reader.next(); next !== undefined; next = reader.next()) ...
 *
 * A head is judged as soon as it is complete, so that a client does not send a body that nobody wants. Neither a head
 * nor a whole request that was seen before is parsed again (`HeadMemory`). Nobody outside can tell.
 */
import { admittedFreely } from "../access/admission.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request-head.ts";
import { lengthOfLines, type Progress, parseHead, RequestParser } from "../http/request-parser.ts";
import type { Refusal, Request } from "./admitted-request.ts";
import type { HeadMemory } from "./head-memory.ts";
import type { ServerLimits } from "./options.ts";
import { refusalOf, type Service } from "./service.ts";

/** Neither a request nor a refusal. */
interface Signal {
  readonly isSignal: true;
  readonly route?: undefined;
  readonly error?: undefined;
}

/** The client waits for 100 Continue before it sends the body (RFC 9110, 10.1.1). */
export const continueSignal: Signal = { isSignal: true };

/** The body of a request that is answered already is malformed: nothing behind it can be trusted. */
export const untrustedSignal: Signal = { isSignal: true };

/** What the readers of one server share. */
export interface ReaderContext {
  readonly limits: ServerLimits;
  readonly heads: Pick<HeadMemory, "find" | "keep">;
  readonly service: Pick<Service, "admit" | "readBody">;
}

/** @returns the head; undefined if it must be refused, which the parser does. */
function readableHead(bytes: string, limits: ServerLimits): RequestHead | undefined {
  try {
    return parseHead(bytes, limits);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

export class RequestReader {
  private readonly context: ReaderContext;
  private readonly peer: { readonly peer: string };
  /** Whether everything that has come has been read. */
  isIdle = true;
  /** Bytes that came alone, until `next` looks at them: perhaps one request. */
  declare private fresh: string | undefined;
  /** Undefined while there is nothing to parse. */
  declare private parser: RequestParser | undefined;
  /** The request whose body is still to come. */
  declare private expected: Request | undefined;

  static {
    const { prototype } = RequestReader;
    prototype.fresh = prototype.parser = prototype.expected = undefined;
  }

  /** @param peer who sends, for the throttle of wrong tokens. */
  constructor(context: ReaderContext, peer: { readonly peer: string }) {
    this.context = context;
    this.peer = peer;
  }

  /** Takes bytes as they came, one character a byte. */
  feed(bytes: string): void {
    if (this.isIdle) {
      this.isIdle = false;
      this.fresh = bytes;
    } else {
      this.parse(bytes);
    }
  }

  /** What is being read: nothing, a head, a body, or the body of a refused request, which is skipped. */
  get progress(): Progress {
    if (this.isIdle) return "between";
    if (this.expected !== undefined) return "body";
    return this.fresh === undefined ? (this.parser?.progress ?? "between") : "head";
  }

  /** Bytes that have come and are not read yet. */
  get unreadBytes(): number {
    return this.fresh?.length ?? this.parser?.unreadBytes ?? 0;
  }

  /** Bytes held for the client: the head of a request with an incomplete body, and its body so far. */
  get heldBytes(): number {
    return (this.fresh?.length ?? this.parser?.heldBytes ?? 0) + (this.expected?.head.bytes ?? 0);
  }

  /** @returns the next request, refusal or signal; undefined until more bytes have come. */
  next(): Request | Refusal | Signal | undefined {
    const { fresh } = this;
    const known = fresh === undefined ? undefined : this.context.heads.find(fresh);
    if (known !== undefined && !known.awaitsBody) {
      this.fresh = undefined;
      this.isIdle = true;
      return known;
    }
    const alone = fresh === undefined ? undefined : this.readAlone(fresh, known);
    if (alone !== undefined) return alone;
    const parser = this.parse("");
    const next = this.expected === undefined ? this.readHead(parser) : this.readBody(parser, this.expected);
    // Its body came in chunks, or it came behind an empty line.
    if (fresh !== undefined && this.isIdle && next?.route !== undefined) this.context.heads.keep(fresh, next);
    return next;
  }

  /** @returns the parser, which has all bytes that have come, these too. */
  private parse(bytes: string): RequestParser {
    this.parser ??= new RequestParser(this.context.limits);
    if (this.fresh !== undefined) {
      this.parser.feed(this.fresh);
      this.fresh = undefined;
    }
    if (bytes !== "") this.parser.feed(bytes);
    return this.parser;
  }

  /**
   * Reads a request that came alone, without a parser.
   * @param found the request of the head, if the bytes are a head that is known.
   * @returns undefined, and has read nothing, if the bytes are no such request, or one with a body in chunks.
   */
  private readAlone(bytes: string, found: Request | undefined): Request | Refusal | undefined {
    const { heads, service, limits } = this.context;
    const end = bytes.endsWith("\r\n\r\n") ? bytes.length : lengthOfLines(bytes) + 4;
    if (end > bytes.length) return undefined;
    const headBytes = end === bytes.length ? bytes : bytes.slice(0, end);
    const known = end === bytes.length ? found : heads.find(headBytes);
    const head = known === undefined ? readableHead(headBytes, limits) : known.head;
    if (head === undefined || head.chunked || head.expectsContinue) return undefined;
    if (head.contentLength !== bytes.length - end || head.contentLength > limits.bodyBytes) return undefined;
    const admitted = known ?? service.admit(head, this.peer);
    this.fresh = undefined;
    this.isIdle = true;
    if (admitted.route === undefined) return admitted;
    if (known === undefined) heads.keep(headBytes, admitted);
    if (!admitted.awaitsBody) return admitted;
    const request = service.readBody(admitted, bytes.slice(end));
    if (request.route !== undefined) heads.keep(bytes, request);
    return request;
  }

  private readHead(parser: RequestParser): Request | Refusal | Signal | undefined {
    const { heads, service } = this.context;
    try {
      const bytes = parser.nextHead();
      if (bytes === undefined) {
        this.isIdle = parser.progress === "between";
        if (this.isIdle) this.parser = undefined;
        return undefined;
      }
      const known = heads.find(bytes);
      if (known !== undefined) {
        parser.begin(known.head, bytes.length);
        return this.begin(parser, known);
      }
      const head = parser.readHead(bytes);
      const admitted = service.admit(head, this.peer);
      if (admitted.route === undefined) return this.refuseHead(parser, head, admitted);
      heads.keep(bytes, admitted);
      return this.begin(parser, admitted);
    } catch (error) {
      // A request that is refused already gets no second answer.
      if (error instanceof HttpError && parser.progress === "skipping") return untrustedSignal;
      return this.refuseUnread(error);
    }
  }

  /** @returns the refusal of what is being read now, and the end of reading. */
  refuse(error: HttpError): Refusal {
    const { expected } = this;
    this.expected = undefined;
    if (expected === undefined) return this.refuseUnread(error);
    return { ...refusalOf(expected.head, expected.admission, error), close: true };
  }

  private refuseUnread(error: unknown): Refusal {
    const head = { method: this.parser?.method ?? "", target: "", close: true };
    return { ...refusalOf(head, admittedFreely, error), close: true };
  }

  /**
   * Skips the body of a refused request, or ends with it: nobody reads more than a body may have only to throw it away,
   * and after a final answer instead of 100 Continue one client sends its body, another the next request.
   */
  private refuseHead(parser: RequestParser, head: RequestHead, refusal: Refusal): Refusal {
    const { chunked, contentLength, expectsContinue } = head;
    const mostSkipped = expectsContinue ? 0 : this.context.limits.bodyBytes;
    if (refusal.close || (chunked ? expectsContinue : contentLength > mostSkipped)) return { ...refusal, close: true };
    parser.skipBody();
    return refusal;
  }

  private begin(parser: RequestParser, request: Request): Request | Refusal | Signal | undefined {
    if (!request.awaitsBody) return this.complete(parser, request);
    this.expected = request;
    const { expectsContinue, chunked, contentLength } = request.head;
    return expectsContinue && (chunked || contentLength > 0) ? continueSignal : this.readBody(parser, request);
  }

  private readBody(parser: RequestParser, expected: Request): Request | Refusal | undefined {
    try {
      const body = parser.readBody();
      if (body === undefined) return undefined;
      this.expected = undefined;
      const request = this.context.service.readBody(expected, body);
      return request.route === undefined ? request : this.complete(parser, request);
    } catch (error) {
      this.expected = undefined;
      return refusalOf(expected.head, expected.admission, error);
    }
  }

  private complete(parser: RequestParser, request: Request): Request {
    if (parser.unreadBytes === 0) {
      this.isIdle = true;
      this.parser = undefined;
    }
    return request;
  }
}
