/**
 * The first half of a connection: from the bytes that have come to exchanges, one for each request, in their order. It knows
 * neither time nor what happens to the answers.
 */
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { RequestParser } from "../http/request-parser.ts";
import type { Socket } from "../native/net.ts";
import { emptyState } from "../noun/state.ts";
import type { Answers } from "./answers.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { Exchange, type ExchangeOwner } from "./exchange.ts";
import type { KnownRequest, RepeatedRequest } from "./known-requests.ts";
import { escapeForLog, type OnFailure } from "./log.ts";
import type { Phase } from "./phase.ts";
import type { Route } from "./router.ts";
import { type ExpectedBody, readState } from "./state-body.ts";

/** See the module's description. */
export abstract class RequestIntake implements ExchangeOwner {
  readonly answers: Answers;
  readonly log: ((text: string) => void) | undefined;
  readonly onFailure: OnFailure | undefined;
  protected readonly context: ConnectionContext;
  protected readonly socket: Socket;
  /** The context's `unfed` until there is something to read: a connection whose requests are known, or that sends none, has none. */
  protected parser: RequestParser;
  /** Requests without a complete answer, oldest first. */
  protected readonly exchanges: Exchange[] = [];
  /** The newest of them while its body is still to come. */
  protected expected: ExpectedBody | undefined;
  /** The bytes of a read at whose beginning nothing was outstanding, until a head has been read from it. */
  protected fresh = "";
  /** A head that has been read and not yet accepted. */
  private readAhead: RequestHead | undefined;
  /** The request that was last pipelined and seen before. */
  protected repeated: RepeatedRequest | undefined;
  protected phase: Phase = "open";
  /** A request was refused because what follows it can no longer be trusted. */
  protected untrusted = false;
  /** The next request is to be the last. */
  protected finishing = false;
  /** A request or an answer has been completed since this was last set to false. */
  protected progressed = false;

  constructor(context: ConnectionContext, socket: Socket) {
    this.context = context;
    this.socket = socket;
    this.answers = context.answers;
    this.parser = context.unfed;
    const { log } = context;
    this.onFailure = context.onFailure;
    this.log = log === undefined ? undefined : (text) => log(escapeForLog(`${socket.peer} ${text}`));
  }

  abstract onAnswer(): void;

  /** Takes bytes to be read. */
  protected feed(bytes: string): void {
    const { unfed, limits, known } = this.context;
    if (this.parser === unfed) this.parser = new RequestParser(limits, known.parsed);
    this.parser.feed(bytes);
  }

  /** Reads one head or body. @returns whether there was one. */
  protected readNext(): boolean {
    if (this.phase === "lingering") return false;
    if (this.expected !== undefined) return this.readBody(this.expected);
    if (this.phase !== "open" || this.exchanges.length >= this.context.limits.maxPipelined) return false;
    let head = this.readAhead;
    this.readAhead = undefined;
    try {
      head ??= this.parser.readHead();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.refuseUnread(error);
      return true;
    }
    if (head === undefined) return false;
    this.progressed = true;
    this.accept(head);
    return true;
  }

  /**
   * Reads the first request of a read at whose beginning nothing was outstanding. The exchange that others get, and what is done
   * for it on its way to the noun and back, is 40,000 instructions.
   * @returns the request, where it is all that was read, has no body, and its noun can be asked at once; it gets no exchange. Else
   *   undefined, and nothing is lost: `readNext` goes on from here, or comes to the same error and answers it.
   */
  protected takeAlone(): KnownRequest | undefined {
    const { parser, fresh } = this;
    const { access, router, known } = this.context;
    if (access !== undefined || this.log !== undefined || this.phase !== "open") return undefined;
    try {
      const head = parser.readHead();
      this.readAhead = head;
      if (head === undefined || fresh.length !== parser.headLength) return undefined;
      if (head.method !== "GET" && head.method !== "DELETE") return undefined;
      const route = router.route(head);
      if (route.registered.queue.occupied) return undefined;
      const request = { head, route, state: emptyState };
      if (parser.headWasKnown) known.keep(fresh, request);
      this.readAhead = undefined;
      this.fresh = "";
      return request;
    } catch {
      return undefined;
    }
  }

  private accept(head: RequestHead): void {
    const { fresh } = this;
    this.fresh = "";
    // Kept when its head is seen again, so that a client that never repeats itself costs nothing here.
    const whole = fresh.length === this.parser.headLength + head.contentLength;
    const bytes = whole && (this.parser.headWasKnown || head.fields.secret) ? fresh : "";
    const exchange = new Exchange(this, head);
    this.exchanges.push(exchange);
    if (this.finishing) exchange.close = true;
    if (exchange.close) this.phase = "last";
    const { access, router } = this.context;
    let route: Route;
    try {
      if (access !== undefined && access.admit(head, this.socket, exchange) === "preflight") {
        const close = this.endsUnread(head);
        exchange.answerPreflight(close);
        this.passOver(close);
        return;
      }
      route = router.route(head);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.refuseExchange(exchange, error, this.endsUnread(head));
      return;
    }
    if (route.verb === "GET" || route.verb === "DELETE") {
      if (exchange.fields === "") this.remember(bytes, { head, route, state: emptyState });
      exchange.begin(route, emptyState);
      return;
    }
    this.expected = { exchange, head, route, bytes };
    if (head.expectsContinue && head.contentLength > 0) exchange.sendContinue();
  }

  /** @param bytes all of a request without a body, where they were received alone; else "". */
  private remember(bytes: string, request: KnownRequest): void {
    const { known } = this.context;
    const { repeatedHead } = this.parser;
    if (bytes !== "") known.keep(bytes, request);
    if (repeatedHead === "" || this.log !== undefined || request.head.close || request.head.expectsContinue) return;
    this.repeated = { ...request, bytes: repeatedHead, era: known.era };
  }

  private readBody({ exchange, head, route, bytes }: ExpectedBody): boolean {
    const body = this.parser.readBody();
    if (body === undefined) return false;
    this.expected = undefined;
    this.progressed = true;
    try {
      const state = readState(body, route, this.context.limits.statePairs);
      if (bytes !== "" && exchange.fields === "") this.context.known.keep(bytes, { head, route, state });
      exchange.begin(route, state);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      exchange.refuse(error.status, error.message, error.close);
    }
    return true;
  }

  /** Refuses a request of which no head could be read. */
  protected refuseUnread(error: HttpError): void {
    const exchange = new Exchange(this, { method: this.parser.method, target: "", close: true });
    this.exchanges.push(exchange);
    this.refuseExchange(exchange, error, true);
  }

  /**
   * Whether the connection ends where this request is answered without its body: nobody reads more than a body may have only to
   * throw it away, and after a final answer in the place of 100 Continue one client sends its body, another the next request.
   */
  private endsUnread(head: RequestHead): boolean {
    return head.contentLength > (head.expectsContinue ? 0 : this.context.limits.bodyBytes);
  }

  /** @param unread whether the request's body makes the connection end, whatever the error says. */
  protected refuseExchange(exchange: Exchange, error: HttpError, unread: boolean): void {
    const close = error.close || unread;
    exchange.refuse(error.status, error.message, close, error.fields);
    this.passOver(close);
  }

  /** Passes over the body of a request that is answered without it. @param close whether the connection ends instead. */
  private passOver(close: boolean): void {
    if (close) {
      this.phase = "last";
      this.untrusted = true;
    } else {
      this.parser.skipBody();
    }
  }

  /** After the peer's FIN, a request that is half here stays half. It is not executed, nor is its body read as a request. */
  protected dropUnfinished(): void {
    if (this.expected === undefined) return;
    this.expected = undefined;
    this.exchanges.pop();
    this.phase = "last";
  }

  /** Whether a refused request's body is passed over, to get at the next request behind it. */
  protected get skipping(): boolean {
    return this.phase === "open" && this.parser.progress === "skipping";
  }
}
