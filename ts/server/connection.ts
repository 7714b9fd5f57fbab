/**
 * One client's connection: reads requests, keeps their answers in order, holds the client to its time limits, and holds back
 * one that sends faster than it takes (RFC 9112, 9).
 *
 * Every turn is the same: something happens (bytes, an answer, room to write), `advance` reads what can be read and sends
 * what can be sent, and `settle` decides what is waited for next, and until when.
 */
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request.ts";
import { RequestParser } from "../http/request-parser.ts";
import type { Socket, SocketHandler } from "../native/net.ts";
import { emptyState } from "../noun/state.ts";
import { type Answers, closingResponse } from "./answers.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Timed } from "./deadlines.ts";
import { Exchange, type ExchangeOwner, perform, takeReady } from "./exchange.ts";
import type { KnownRequest } from "./known-requests.ts";
import { escapeForLog } from "./log.ts";
import type { Phase } from "./phase.ts";
import type { Route } from "./router.ts";
import { type ExpectedBody, readState } from "./state-body.ts";
import { timeFor, type Wait } from "./wait.ts";

/** See the module's description. */
export class Connection implements SocketHandler, ExchangeOwner, Timed {
  deadline: number;
  readonly answers: Answers;
  readonly log: ((text: string) => void) | undefined;
  private readonly context: ConnectionContext;
  private readonly socket: Socket;
  private readonly parser: RequestParser;
  /** Requests without a complete answer, oldest first. */
  private readonly exchanges: Exchange[] = [];
  /** The newest of them while its body is still to come. */
  private expected: ExpectedBody | undefined;
  /** The bytes of a read at whose beginning nothing was outstanding, until a head has been read from it. */
  private fresh = "";
  private phase: Phase = "open";
  private wait: Wait = "head";
  /** Output waits for the peer to take it. */
  private blocked = false;
  /** The peer has sent FIN. */
  private peerEnded = false;
  /** A request was refused because what follows it can no longer be trusted. */
  private untrusted = false;
  /** The next request is to be the last. */
  private finishing = false;
  private reading = true;
  private advancing = false;
  /** The known request that its noun has been handed, until the noun returns. */
  private performing: KnownRequest | undefined;
  /** A request or an answer has been completed since `settle` looked last. */
  private progressed = false;

  /** @param socket just accepted; it is the connection's to close. */
  constructor(context: ConnectionContext, socket: Socket) {
    this.context = context;
    this.socket = socket;
    this.answers = context.answers;
    this.parser = new RequestParser(context.limits, context.known.parsed);
    this.deadline = context.clock.now() + context.limits.headTime;
    const { log } = context;
    this.log = log === undefined ? undefined : (text) => log(escapeForLog(`${socket.peer} ${text}`));
    socket.handler = this;
    context.deadlines.add(this);
  }

  /** Answers the client's first request before it is read, and closes. */
  refuse(error: HttpError): void {
    this.refuseUnread(error);
    this.advance();
  }

  /** Closes as soon as what has begun is answered: at once when nothing has. */
  finish(): void {
    if (this.phase !== "open") return;
    const newest = this.exchanges.at(-1);
    if (newest === undefined && this.parser.progress === "head") {
      this.finishing = true;
      return;
    }
    if (newest !== undefined) newest.close = true;
    this.phase = "last";
    this.advance();
  }

  /** Closes at once. Answers that have not been sent are dropped. */
  close(): void {
    if (this.phase === "closed") return;
    this.phase = "closed";
    this.deadline = Number.POSITIVE_INFINITY;
    this.socket.close();
    this.context.deadlines.remove(this);
    this.context.onClosed(this);
  }

  onBytes(bytes: string): void {
    if (this.phase === "lingering") return;
    const quiet = this.wait === "request" || (this.wait === "head" && this.parser.progress === "between");
    if (quiet && this.answerKnown(bytes)) return;
    this.fresh = quiet ? bytes : "";
    this.parser.feed(bytes);
    this.advance();
  }

  /** Answers a request seen before without parsing, routing and writing it. @returns false, nothing done, where it cannot. */
  private answerKnown(bytes: string): boolean {
    const known = this.context.known.find(bytes);
    if (known === undefined || this.log !== undefined || known.route.registered.queue.occupied) return false;
    let result: unknown;
    // The noun may close the server: this connection then has a request in flight, although none is in its list yet.
    this.performing = known;
    try {
      result = perform(known.route, known.state);
    } catch (error) {
      result = Promise.reject(error);
    }
    this.performing = undefined;
    const answer = this.phase === "open" ? this.answers.find(result) : undefined;
    const { close } = known.head;
    if (close) this.phase = "last";
    if (answer === undefined) return this.takeResult(known, result);
    this.blocked = !this.socket.write(close ? closingResponse(answer) : answer.response);
    if (this.wait === "request" && !this.blocked && !close) {
      // What `settle` would come to, without what it would look at; the deadline only moves away.
      this.deadline = this.context.clock.now() + this.context.limits.idleTime;
    } else {
      this.progressed = true;
      this.settle();
    }
    return true;
  }

  /** Goes on with a known request whose answer is not at hand. */
  private takeResult({ head, route }: KnownRequest, result: unknown): true {
    this.progressed = true;
    const exchange = new Exchange(this, head);
    if (this.phase !== "open") exchange.close = true;
    this.exchanges.push(exchange);
    exchange.take(route, result);
    this.advance();
    return true;
  }

  onInterruption(error: unknown): void {
    const { performing } = this;
    this.performing = undefined;
    // What a noun had returned ran without end, somewhere in the midst of this connection's affairs.
    if (performing === undefined) throw error;
    if (performing.head.close) this.phase = "last";
    this.takeResult(performing, Promise.reject(error));
  }

  onEnd(): void {
    this.peerEnded = true;
    this.advance();
  }

  onDrain(): void {
    this.blocked = false;
    this.progressed = true;
    this.advance();
  }

  onGone(): void {
    this.close();
  }

  onAnswer(): void {
    this.advance();
  }

  onDeadline(): void {
    const late = HttpError.closing(408, "The request did not arrive completely in time.");
    if (this.wait === "head") {
      this.refuseUnread(late);
    } else if (this.wait === "body" && this.expected !== undefined) {
      this.refuseExchange(this.expected.exchange, late, true);
      this.expected = undefined;
    } else if (this.wait === "body") {
      // A request that is answered already, its body being passed over, gets no second answer. Others may still wait.
      this.phase = "last";
    } else {
      this.close();
      return;
    }
    this.advance();
  }

  /** Reads and sends as far as it goes now. Does nothing when called from within itself: the outer call goes on. */
  private advance(): void {
    if (this.advancing || this.performing !== undefined || this.phase === "closed") return;
    this.advancing = true;
    try {
      do {
        while (this.readNext());
      } while (this.flush());
      this.settle();
    } catch (error) {
      this.close(); // not foreseen: whatever it was, this stream can no longer be trusted; the loop reports the error
      throw error;
    } finally {
      this.advancing = false;
    }
  }

  /** Reads one head or body. @returns whether there was one. */
  private readNext(): boolean {
    if (this.blocked || this.phase === "lingering") return false;
    if (this.expected !== undefined) return this.readBody(this.expected);
    if (this.phase !== "open" || this.exchanges.length >= this.context.limits.pipeline) return false;
    let head: RequestHead | undefined;
    try {
      head = this.parser.readHead();
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
      if (bytes !== "" && exchange.fields === "") this.context.known.keep(bytes, { head, route, state: emptyState });
      exchange.begin(route, emptyState);
      return;
    }
    this.expected = { exchange, head, route, bytes };
    if (head.expectsContinue && head.contentLength > 0) exchange.sendContinue();
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
  private refuseUnread(error: HttpError): void {
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
  private refuseExchange(exchange: Exchange, error: HttpError, unread: boolean): void {
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

  /** Sends what is ready and in order. @returns whether there was anything. */
  private flush(): boolean {
    const text = takeReady(this.exchanges);
    if (text === "") return false;
    if (!this.socket.write(text)) this.blocked = true;
    return true;
  }

  /** Decides what is waited for next, once all that could be read and sent has been. */
  private settle(): void {
    if (this.atRest() && !this.peerEnded) {
      // Most turns end here, and all that follows would come to the same, at four times the cost.
      this.waitFor("request");
      return;
    }
    if (this.peerEnded && !this.blocked) this.dropUnfinished();
    if (this.exchanges.length === 0 && (this.phase !== "open" || this.peerEnded)) this.part();
    if (this.over) return;
    const wait = this.nextWait();
    if (wait !== this.wait || this.progressed) this.waitFor(wait);
    const reading = this.canRead();
    if (reading !== this.reading) {
      this.reading = reading;
      this.socket.setReading(reading);
    }
  }

  /** Whether nothing is outstanding on either side. */
  private atRest(): boolean {
    return (
      this.phase === "open" &&
      this.exchanges.length === 0 &&
      this.progressed &&
      this.reading &&
      !this.blocked &&
      this.parser.progress === "between"
    );
  }

  private waitFor(wait: Wait): void {
    this.wait = wait;
    this.progressed = false;
    this.deadline = this.context.clock.now() + timeFor(wait, this.context.limits);
    this.context.deadlines.hurry(this);
  }

  private get over(): boolean {
    return this.phase === "closed";
  }

  /** After the peer's FIN, a request that is half here stays half. It is not executed, nor is its body read as a request. */
  private dropUnfinished(): void {
    if (this.expected === undefined) return;
    this.expected = undefined;
    this.exchanges.pop();
    this.phase = "last";
  }

  /** Ends a connection on which everything is said. */
  private part(): void {
    if (this.peerEnded && !this.blocked) {
      this.close();
    } else if (this.blocked || this.untrusted || this.parser.progress !== "between") {
      if (this.phase !== "lingering") this.socket.finish();
      this.phase = "lingering";
    } else if (this.phase !== "lingering") {
      this.close();
    }
  }

  private nextWait(): Wait {
    if (this.blocked) return "output";
    if (this.phase === "lingering") return "fin";
    const { progress } = this.parser;
    if (this.expected !== undefined || this.skipping) return "body";
    if (progress === "head" && this.canRead()) return "head";
    if (this.exchanges.length > 0) return "answers";
    // The time for the first head runs from the accept, whether a byte of it has come or not.
    return this.wait === "head" && !this.progressed ? "head" : "request";
  }

  /** Whether a refused request's body is passed over, to get at the next request behind it. */
  private get skipping(): boolean {
    return this.phase === "open" && this.parser.progress === "skipping";
  }

  private canRead(): boolean {
    if (this.phase === "lingering") return true;
    if (this.blocked) return false;
    if (this.expected !== undefined || this.skipping) return true;
    return this.phase === "open" && this.exchanges.length < this.context.limits.pipeline;
  }
}
