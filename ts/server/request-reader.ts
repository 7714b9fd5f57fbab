/**
 * Reads the requests of one connection: bytes go in as they come, complete requests and refusals come out in turn.
 *
 *     reader.feed(bytes);
 *     for (let next = reader.next(); next !== undefined; next = reader.next()) ...
 *
 * A head is judged as soon as it is complete, so that a client does not send a body that nobody wants. What was seen
 * before, byte for byte, is not read again (`RequestMemory`). Nobody outside can tell.
 */
import { admittedFreely } from "../access/admission.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request-head.ts";
import { type Progress, RequestParser } from "../http/request-parser.ts";
import { emptyState } from "../noun/state.ts";
import type { AdmittedHead, Refusal, Request } from "./admitted-request.ts";
import type { ServerLimits } from "./options.ts";
import { longestRequest, type RequestMemory } from "./request-memory.ts";
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
  readonly memory: Pick<RequestMemory, "find" | "keep">;
  readonly service: Pick<Service, "admit" | "readBody">;
}

function withoutBody(admitted: AdmittedHead): Request {
  return { ...admitted, state: emptyState, bodyBytes: 0 };
}

export class RequestReader {
  private readonly context: ReaderContext;
  private readonly peer: { readonly peer: string };
  /** Undefined while there is nothing to parse. */
  declare private parser?: RequestParser | undefined;
  /** Whether everything that has come has been read. */
  isIdle = true;
  /** The result of the lookup, until `next` returns it. */
  declare private found?: Request | Refusal | undefined;
  /** The bytes being parsed, if they came alone: perhaps one request. Undefined for more than are remembered. */
  declare private whole?: string | undefined;
  /** The request whose body is still to come. */
  declare private expected?: AdmittedHead | undefined;

  /** @param peer who sends, for the throttle of wrong tokens. */
  constructor(context: ReaderContext, peer: { readonly peer: string }) {
    this.context = context;
    this.peer = peer;
  }

  /** Takes bytes as they came, one character a byte. */
  feed(bytes: string): void {
    if (this.isIdle) {
      this.isIdle = false;
      const found = this.context.memory.find(bytes);
      if (found !== undefined) {
        this.found = found;
        return;
      }
      this.whole = bytes.length <= longestRequest ? bytes : undefined;
    } else if (this.whole !== undefined) {
      this.whole = undefined;
    }
    this.parser ??= new RequestParser(this.context.limits);
    this.parser.feed(bytes);
  }

  /** What is being read: nothing, a head, a body, or the body of a refused request, which is skipped. */
  get progress(): Progress {
    if (this.isIdle) return "between";
    if (this.expected !== undefined) return "body";
    return this.found === undefined ? (this.parser?.progress ?? "between") : "head";
  }

  /** Bytes that have come and are not read yet. */
  get unreadBytes(): number {
    return this.parser?.unreadBytes ?? 0;
  }

  /** Bytes held for the client: the head of a request with an incomplete body, and its body so far. */
  get heldBytes(): number {
    return (this.parser?.heldBytes ?? 0) + (this.expected?.head.bytes ?? 0);
  }

  /** @returns the next request, refusal or signal; undefined until more bytes have come. */
  next(): Request | Refusal | Signal | undefined {
    const found = this.found;
    if (found !== undefined) {
      this.found = undefined;
      // Bytes that came since are in a parser.
      this.isIdle = this.parser === undefined;
      return found;
    }
    if (this.parser === undefined) return undefined;
    const result = this.read(this.parser);
    // What follows a refusal in the same bytes did not come alone.
    if (result !== undefined) this.whole = undefined;
    return result;
  }

  private read(parser: RequestParser): Request | Refusal | Signal | undefined {
    const { expected } = this;
    if (expected !== undefined) return this.readBody(parser, expected);
    try {
      const head = parser.readHead();
      if (head !== undefined) return this.admit(parser, head);
      this.isIdle = parser.progress === "between";
      if (this.isIdle) this.parser = undefined;
      return undefined;
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

  private admit(parser: RequestParser, head: RequestHead): Request | Refusal | Signal | undefined {
    const admitted = this.context.service.admit(head, this.peer);
    if (admitted.route === undefined) {
      if (!admitted.close && !this.endsUnread(head)) {
        parser.skipBody();
        return admitted;
      }
      return { ...admitted, close: true };
    }
    // Whether the chunks of a DELETE are empty is known at their end.
    if (!admitted.route.takesBody && !head.chunked) return this.complete(parser, withoutBody(admitted));
    this.expected = admitted;
    const hasBody = head.chunked || head.contentLength > 0;
    return head.expectsContinue && hasBody ? continueSignal : this.readBody(parser, admitted);
  }

  private readBody(parser: RequestParser, expected: AdmittedHead): Request | Refusal | undefined {
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

  /** Remembers a request that came alone. */
  private complete(parser: RequestParser, request: Request): Request {
    if (parser.unreadBytes === 0) {
      this.isIdle = true;
      this.parser = undefined;
      if (this.whole !== undefined) this.context.memory.keep(this.whole, request);
    }
    return request;
  }

  /**
   * @returns whether the connection ends where a request is refused without its body: nobody reads more than a body may
   *   have only to throw it away, and after a final answer instead of 100 Continue one client sends its body, another
   *   the next request.
   */
  private endsUnread(head: RequestHead): boolean {
    if (head.chunked) return head.expectsContinue;
    return head.contentLength > (head.expectsContinue ? 0 : this.context.limits.bodyBytes);
  }
}
