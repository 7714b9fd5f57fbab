/**
 * Reads the requests of one connection: bytes go in as they come, complete requests and refusals come out in turn.
 *
 *     reader.feed(bytes);
 *     for (let next = reader.next(); next !== undefined; next = reader.next()) ...
 *
 * A head is judged as soon as it is complete, so that a client does not send a body that nobody wants. What was seen before,
 * byte for byte, is not read again (`RequestMemory`). Nobody outside can tell.
 */
import type { Admission } from "../access/access.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { RequestParser } from "../http/request-parser.ts";
import { emptyState, type State } from "../noun/state.ts";
import type { Route } from "../operations/noun-route.ts";
import type { ServerLimits } from "./options.ts";
import type { Judge, Refusal, Request } from "./request.ts";
import type { KnownRequest, RequestMemory } from "./request-memory.ts";
import type { SimilarRequest } from "./similar-requests.ts";

/** Stands for 100 Continue: the client waits for it before it sends the body (RFC 9110, 10.1.1). */
export const goOn: Signal = { isSignal: true };

/** Stands for the end of what can be trusted: the body of a request that is answered already is malformed. */
export const badEnd: Signal = { isSignal: true };

/** What is neither a request nor a refusal. */
interface Signal {
  readonly isSignal: true;
  readonly route?: undefined;
}

/** What the readers of one server share. */
export interface ReaderContext {
  readonly limits: ServerLimits;
  readonly memory: RequestMemory;
  readonly judge: Judge;
}

/** A request whose head was admitted and whose body is still to come. */
interface Expected {
  readonly head: RequestHead;
  readonly admission: Admission;
  readonly route: Route;
}

const admittedFreely: Admission = Object.freeze({ fields: "", token: "" });

/** @throws what is no refusal. */
function refusal({ head, admission }: Pick<Expected, "head" | "admission">, error: unknown): Refusal {
  if (!(error instanceof HttpError)) throw error;
  return { head, admission, error, close: error.close };
}

function requestOf(head: RequestHead, admission: Admission, route: Route, state: State): Request {
  // Nothing but the state decides about the bytes of an answer with a state.
  const isPlain = head.method !== "HEAD" && !head.close && admission.fields === "" && route.isLast !== true;
  return { head, admission, route, state, isPlain };
}

/** One connection's reader. */
export class RequestReader {
  private readonly context: ReaderContext;
  private readonly peer: { readonly peer: string };
  /** Made when there is something to parse: a connection whose requests are all known needs none. */
  declare private parser?: RequestParser;
  /** Whether everything that has come has been read. */
  isIdle = true;
  /**
   * What was read last, if it was known by its bytes; until it is taken, this is not idle. A client that asks the same again and again is
   * answered without a look into the memory, which is 4,500 instructions of a GET, and 8,500 of a browser's.
   */
  declare private known?: KnownRequest | undefined;
  /** One that was known by all of its bytes but a value, its body or its target, and what the new one has there. */
  declare private similar?: SimilarRequest | undefined;
  declare private newText?: string;
  /** The bytes of a read at whose beginning nothing was unread; undefined once they are known not to be one request. */
  declare private whole?: string | undefined;
  declare private expected?: Expected | undefined;

  /** @param peer who sends, for the throttle of wrong tokens. */
  constructor(context: ReaderContext, peer: { readonly peer: string }) {
    this.context = context;
    this.peer = peer;
  }

  /** Takes bytes as they came, one character a byte. */
  feed(bytes: string): void {
    const { memory } = this.context;
    if (this.isIdle) {
      this.isIdle = false;
      const { known } = this;
      if (known !== undefined && known.key === bytes && known.generation === memory.generation) return;
      this.known = memory.find(bytes);
      if (this.known !== undefined) return;
      this.whole = bytes;
      const similar = memory.similar.find(bytes);
      if (similar !== undefined) {
        this.similar = similar;
        this.newText = memory.similar.text;
        return;
      }
    } else this.whole = undefined;
    this.parser ??= new RequestParser(this.context.limits);
    this.parser.feed(bytes);
  }

  /** What is being read: nothing, a head, a body, or the body of a refused request, which is skipped. */
  get progress(): "between" | "head" | "body" | "skipping" {
    if (this.expected !== undefined) return "body";
    if (this.isIdle) return "between";
    return (this.known ?? this.similar) !== undefined ? "head" : (this.parser?.progress ?? "between");
  }

  /** Bytes that are held and not read yet. */
  get unreadBytes(): number {
    return this.parser?.unreadBytes ?? 0;
  }

  /** @returns the next request, refusal or wish for 100 Continue; undefined until more bytes have come. */
  next(): Request | Refusal | Signal | undefined {
    const { known } = this;
    if (known !== undefined) {
      if (this.isIdle) return undefined;
      this.isIdle = true;
      return known.request;
    }
    const { similar, parser } = this;
    if (similar !== undefined) {
      const { newText = "" } = this;
      this.similar = undefined;
      this.isIdle = true;
      if (similar.place === "value") return similar.request;
      return similar.place === "body"
        ? this.takeNewBody(similar.request, newText)
        : this.takeNewTarget(similar.request, `/${newText}`);
    }
    if (parser === undefined) return undefined;
    if (this.expected !== undefined) return this.readBody(parser, this.expected);
    try {
      const head = parser.readHead();
      if (head !== undefined) return this.judge(parser, head);
      this.isIdle = parser.progress === "between";
      return undefined;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // A request that is refused already gets no second answer.
      return parser.progress === "skipping" ? badEnd : this.refuseUnread(error);
    }
  }

  /** @returns the refusal of what is being read now, and the end of reading. */
  refuse(error: HttpError): Refusal {
    const { expected } = this;
    this.expected = undefined;
    if (expected === undefined) return this.refuseUnread(error);
    return { head: expected.head, admission: expected.admission, error, close: true };
  }

  private refuseUnread(error: HttpError): Refusal {
    const method = this.parser?.method ?? "";
    return { head: { method, target: "", close: true }, admission: admittedFreely, error, close: true };
  }

  private judge(parser: RequestParser, head: RequestHead): Request | Refusal | Signal | undefined {
    const admission: Admission = { fields: "", token: "" };
    let route: Route;
    try {
      route = this.context.judge.admit(head, this.peer, admission);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const close = error.close || this.endsUnread(head);
      if (!close) parser.skipBody();
      return { head, admission, error, close };
    }
    if (!route.takesBody) return this.complete(parser, head, admission, route, emptyState);
    this.expected = { head, admission, route };
    const hasBody = head.chunked || head.contentLength > 0;
    return head.expectsContinue && hasBody ? goOn : this.readBody(parser, this.expected);
  }

  private readBody(parser: RequestParser, expected: Expected): Request | Refusal | undefined {
    try {
      const body = parser.readBody();
      if (body === undefined) return undefined;
      this.expected = undefined;
      const { head, admission, route } = expected;
      return this.complete(parser, head, admission, route, this.context.judge.readState(body, route));
    } catch (error) {
      this.expected = undefined;
      return refusal(expected, error);
    }
  }

  /** @param body one of the right length. */
  private takeNewBody(known: Request, body: string): Request | Refusal {
    const { memory, judge } = this.context;
    try {
      const { head, admission, route, isPlain } = known;
      const request = { head, admission, route, state: judge.readState(body, route), isPlain };
      if (this.whole !== undefined) memory.keepAgain(this.whole, request);
      return request;
    } catch (error) {
      return refusal(known, error);
    }
  }

  /** @param known one without a body. @param target another one, admitted as that of any head. */
  private takeNewTarget(known: Request, target: string): Request | Refusal {
    const { memory, judge } = this.context;
    const { method, contentType, close, fields } = known.head;
    const head: RequestHead = {
      method,
      target,
      contentLength: 0,
      chunked: false,
      contentType,
      expectsContinue: false,
      close,
      fields,
    };
    const admission: Admission = { fields: "", token: "" };
    try {
      const route = judge.admit(head, this.peer, admission);
      const request = requestOf(head, admission, route, route.takesBody ? judge.readState("", route) : emptyState);
      if (this.whole !== undefined) memory.keepAgain(this.whole, request);
      return request;
    } catch (error) {
      return refusal({ head, admission }, error);
    }
  }

  /** Remembers a request that came alone. */
  private complete(
    parser: RequestParser,
    head: RequestHead,
    admission: Admission,
    route: Route,
    state: State,
  ): Request {
    const { whole } = this;
    const request = requestOf(head, admission, route, state);
    this.whole = undefined;
    // Otherwise the next call finds out: that is 8,000 instructions of a request.
    this.isIdle = parser.unreadBytes === 0;
    if (whole !== undefined && whole.length === parser.headLength + parser.bodyBytes) {
      this.context.memory.keep(whole, parser.headLength, request);
    }
    return request;
  }

  /**
   * @returns whether the connection ends where a request is refused without its body: nobody reads more than a body may have only
   *   to throw it away, and after a final answer instead of 100 Continue one client sends its body, another the next request.
   */
  private endsUnread(head: RequestHead): boolean {
    if (head.chunked) return head.expectsContinue;
    return head.contentLength > (head.expectsContinue ? 0 : this.context.limits.bodyBytes);
  }
}
