/**
 * Reads the requests of one connection: bytes go in as they come, complete requests and refusals come out in turn.
 *
 *     reader.feed(bytes);
 *     for (let next = reader.next(); next !== undefined; next = reader.next()) ...
 *
 * However the bytes are cut, the outcome is the same. The reader has no clock and no socket; the connection watches the
 * time by `progress`.
 *
 * A head is judged as soon as it is complete, so that a client does not send a body that nobody wants. Neither a head
 * nor a whole request that was seen before is parsed again (`HeadMemory`). Nobody outside can tell.
 */
import { admittedFreely } from "../access/admission.ts";
import { ChunkedBody } from "../http/chunked-body.ts";
import { HeadCheck } from "../http/head-check.ts";
import { HttpError } from "../http/http-error.ts";
import { methodOfEmptyChunks } from "../http/message-framing.ts";
import { parseHead } from "../http/parse-head.ts";
import type { RequestHead } from "../http/request-head.ts";
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

/** The parts that the readers of one server share. */
export interface ReaderContext {
  readonly limits: ServerLimits;
  readonly heads: Pick<HeadMemory, "find" | "keep" | "keepWhole" | "withoutCookies">;
  readonly service: Pick<Service, "admit" | "readBody">;
}

type Next = Request | Refusal | Signal;

/** What is being read: nothing, a head, a body, or the body of a refused request, which is skipped. */
export type Progress = "between" | "head" | "body" | "skipping";

/** Bytes of the longest slice that the engine copies. A longer slice keeps its whole string in memory. */
const longestCopy = 1_024;

/** @returns bytes before the first empty line: all, if there is none. */
function lengthOfLines(bytes: string): number {
  // In quickjs-ng 0.17.0, `split` finds a text four times as fast as `indexOf`.
  return (bytes.split("\r\n\r\n", 1)[0] as string).length;
}

/** A field that most connections never set is not their own. */
export class RequestReader {
  private readonly context: ReaderContext;
  private readonly peer: { readonly peer: string };
  /** Whether everything that has come has been read. */
  isIdle = true;
  /** Bytes that came alone, until `next` looks at them: perhaps one request. */
  declare private fresh: string | undefined;
  /** Other bytes that are not read yet. */
  declare private buffer: string;
  /** The empty line before a request line has come. */
  declare private emptyLineSeen: boolean;
  /** The check of the head that is not complete yet. */
  declare private check: HeadCheck | undefined;
  /** The request whose body is still to come. */
  declare private expected: Request | undefined;
  /** The chunks of that body, or of one that is skipped. */
  declare private chunks: ChunkedBody | undefined;
  /** Bytes of a refused request's body that are still to come. */
  declare private toSkip: number;

  static {
    const { prototype } = RequestReader;
    prototype.fresh = prototype.check = prototype.expected = prototype.chunks = undefined;
    prototype.buffer = "";
    prototype.emptyLineSeen = false;
    prototype.toSkip = 0;
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
      return;
    }
    this.unfold();
    this.buffer = this.buffer === "" ? bytes : this.buffer + bytes;
    if (this.toSkip > 0) this.skip();
  }

  get progress(): Progress {
    if (this.isIdle) return "between";
    if (this.expected !== undefined) return "body";
    if (this.toSkip > 0 || this.chunks !== undefined) return "skipping";
    return this.unreadBytes === 0 && !this.emptyLineSeen ? "between" : "head";
  }

  /** Bytes that have come and are not read yet. */
  get unreadBytes(): number {
    return (this.fresh ?? this.buffer).length;
  }

  /** Bytes held for the client: the head of a request with an incomplete body, and its body so far. */
  get heldBytes(): number {
    return this.unreadBytes + (this.chunks?.held ?? 0) + (this.expected?.head.bytes ?? 0);
  }

  /** @returns the next request, refusal or signal; undefined until more bytes have come. */
  next(): Next | undefined {
    const fresh = this.fresh;
    const known = fresh === undefined ? undefined : this.context.heads.find(fresh);
    if (known !== undefined && !known.awaitsBody) {
      this.fresh = undefined;
      this.isIdle = true;
      return known;
    }
    return this.readNew(fresh, known);
  }

  /** @param fresh bytes that came alone. @param known the request of their head, if it is known. */
  private readNew(fresh: string | undefined, known: Request | undefined): Next | undefined {
    const alone = fresh === undefined ? undefined : this.readAlone(fresh, known);
    if (alone !== undefined) return alone;
    this.unfold();
    const next = this.expected === undefined ? this.readRequest() : this.readBody(this.expected);
    this.isIdle = this.progress === "between";
    // Its body came in chunks. Behind an empty line it would be found behind a second one, too, which is refused.
    const isAlone = fresh !== undefined && this.isIdle && !fresh.startsWith("\r");
    if (isAlone && next?.route !== undefined) this.context.heads.keepWhole(fresh, next);
    return next;
  }

  /**
   * Reads a request that came alone, as most do, without a buffer.
   * @param found the request of the head, if the bytes are a head that is known.
   * @returns undefined, and has read nothing, if the bytes are no such request, or one with a body in chunks.
   */
  private readAlone(bytes: string, found: Request | undefined): Request | Refusal | undefined {
    try {
      const context = this.context;
      const heads = context.heads;
      const end = bytes.endsWith("\r\n\r\n") ? bytes.length : lengthOfLines(bytes) + 4;
      if (end > bytes.length) return undefined;
      const headBytes = end === bytes.length ? bytes : bytes.slice(0, end);
      const known = end === bytes.length ? found : heads.find(headBytes);
      const head = known === undefined ? parseHead(headBytes, context.limits, heads.withoutCookies) : known.head;
      if (head === undefined || head.chunked || head.expectsContinue) return undefined;
      if (head.contentLength !== bytes.length - end || head.contentLength > context.limits.bodyBytes) return undefined;
      const admitted = known ?? context.service.admit(head, this.peer);
      this.fresh = undefined;
      this.isIdle = true;
      if (admitted.route === undefined) return admitted;
      if (known === undefined) heads.keep(headBytes, admitted);
      if (!admitted.awaitsBody) return admitted;
      const request = context.service.readBody(admitted, bytes.slice(end));
      if (request.route !== undefined) heads.keepWhole(bytes, request);
      return request;
    } catch (error) {
      return this.refuse(error);
    }
  }

  /** @returns the refusal of what is being read now, and the end of reading. @throws what is no HttpError. */
  refuse(error: unknown): Refusal {
    const { fresh: bytes = this.buffer, expected } = this;
    // No method is known while a body is read.
    const method = this.progress === "head" ? bytes.slice(0, Math.max(bytes.indexOf(" "), 0)) : "";
    const { head = { method, target: "", close: true }, admission = admittedFreely } = expected ?? {};
    if (expected !== undefined) this.expected = undefined;
    return { ...refusalOf(head, admission, error), close: true };
  }

  /** Bytes that came alone are bytes like others from now on. */
  private unfold(): void {
    if (this.fresh === undefined) return;
    this.buffer = this.fresh;
    this.fresh = undefined;
  }

  /** @returns the next request, with its body if that has come. */
  private readRequest(): Next | undefined {
    try {
      return this.progress === "skipping" && !this.skip() ? undefined : this.readHead();
    } catch (error) {
      // A request that is refused already gets no second answer.
      if (error instanceof HttpError && this.progress === "skipping") return untrustedSignal;
      return this.refuse(error);
    }
  }

  private readHead(): Next | undefined {
    const { limits, heads, service } = this.context;
    const bytes = this.nextHead();
    if (bytes === undefined) return undefined;
    const known = heads.find(bytes);
    const head = known === undefined ? parseHead(bytes, limits, heads.withoutCookies) : known.head;
    if (head === undefined) {
      this.refuseMalformed();
      throw new Error("The two readings of the head's grammar disagree.");
    }
    this.consume(bytes.length);
    if (this.emptyLineSeen) this.emptyLineSeen = false;
    if (this.check !== undefined) this.check = undefined;
    const admitted = known ?? service.admit(head, this.peer);
    if (admitted.route === undefined) return this.refuseHead(head, admitted);
    if (known === undefined) heads.keep(bytes, admitted);
    if (!admitted.awaitsBody) return admitted;
    this.expected = admitted;
    if (head.chunked) this.chunks = this.chunksOf(head);
    const isAwaited = head.expectsContinue && (head.chunked || head.contentLength > 0);
    return isAwaited ? continueSignal : this.readBody(admitted);
  }

  /**
   * @returns the bytes of the next head, with its empty line; undefined while it is not complete.
   * @throws HttpError, and nothing else, for a head that cannot become well-formed. The connection has to end.
   */
  private nextHead(): string | undefined {
    // RFC 9112, 2.2: one empty line before a request line is ignored.
    if (!this.emptyLineSeen && this.buffer.startsWith("\r\n")) {
      this.emptyLineSeen = true;
      this.consume(2);
    }
    const { buffer } = this;
    if (buffer === "" || (buffer === "\r" && !this.emptyLineSeen)) return undefined;
    // The empty line may have begun with the last three bytes that were checked.
    const from = Math.max((this.check?.sound ?? 0) - 3, 0);
    const end = from + lengthOfLines(from === 0 ? buffer : buffer.slice(from)) + 4;
    if (end > buffer.length || (this.check?.skipped ?? 0) > 0) this.refuseMalformed();
    if (end <= buffer.length) return buffer.slice(0, end);
    this.buffer = this.check?.skipCookies(buffer) ?? buffer;
    return undefined;
  }

  /** @throws HttpError where what has been received can no longer become a head. */
  private refuseMalformed(): void {
    this.check ??= new HeadCheck(this.context.limits);
    this.check.check(this.buffer);
  }

  /**
   * Skips the body of a refused request, or ends with it: nobody reads more than a body may have only to throw it away,
   * and after a final answer instead of 100 Continue one client sends its body, another the next request.
   */
  private refuseHead(head: RequestHead, refusal: Refusal): Refusal {
    const { chunked, contentLength, expectsContinue } = head;
    const mostSkipped = expectsContinue ? 0 : this.context.limits.bodyBytes;
    if (refusal.close || (chunked ? expectsContinue : contentLength > mostSkipped)) return { ...refusal, close: true };
    if (contentLength > 0) {
      this.toSkip = contentLength;
      this.skip();
    } else if (chunked) {
      this.chunks = this.chunksOf(head);
      this.chunks.skip();
    }
    return refusal;
  }

  private chunksOf({ method }: RequestHead): ChunkedBody {
    return new ChunkedBody(method === methodOfEmptyChunks ? 0 : this.context.limits.bodyBytes);
  }

  private readBody(expected: Request): Request | Refusal | undefined {
    try {
      const body = this.takeBody(expected.head.contentLength);
      if (body === undefined) return undefined;
      this.expected = undefined;
      return this.context.service.readBody(expected, body);
    } catch (error) {
      this.expected = undefined;
      this.chunks = undefined;
      return refusalOf(expected.head, expected.admission, error);
    }
  }

  /** @returns the whole body, one character a byte; undefined while it is not complete. @throws HttpError for chunks. */
  private takeBody(contentLength: number): string | undefined {
    const { buffer, chunks } = this;
    if (chunks !== undefined) return this.takeChunks(chunks) ? chunks.body : undefined;
    if (buffer.length < contentLength) return undefined;
    this.consume(contentLength);
    return buffer.slice(0, contentLength);
  }

  /** @returns whether the body that is skipped has come to its end. @throws HttpError for chunks, closing. */
  private skip(): boolean {
    if (this.chunks !== undefined) return this.takeChunks(this.chunks);
    const skipped = Math.min(this.buffer.length, this.toSkip);
    this.consume(skipped);
    this.toSkip -= skipped;
    return this.toSkip === 0;
  }

  private takeChunks(chunks: ChunkedBody): boolean {
    this.consume(chunks.take(this.buffer));
    if (chunks.done) this.chunks = undefined;
    return chunks.done;
  }

  /**
   * Takes bytes from the beginning of the buffer. So that the engine does not keep them, a rest that is shorter becomes
   * a string of its own.
   */
  private consume(length: number): void {
    const rest = length === this.buffer.length ? "" : this.buffer.slice(length);
    this.buffer = rest.length > longestCopy && rest.length < length ? [rest].join("") : rest;
  }
}
