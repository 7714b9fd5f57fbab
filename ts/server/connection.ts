/**
 * One client's connection: reads requests, keeps their answers in order, holds the client to its time limits, and holds back
 * one that sends faster than it takes (RFC 9112, 9).
 *
 * Every turn is the same: something happens (bytes, an answer, room to write), `advance` reads what can be read and sends
 * what can be sent, and `settle` decides what is waited for next, and until when.
 */
import { HttpError } from "../http/http-error.ts";
import type { Socket, SocketHandler } from "../native/net.ts";
import { closingResponse } from "./answers.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Timed } from "./deadlines.ts";
import { Exchange, takeReady } from "./exchange.ts";
import type { KnownRequest, RepeatedRequest } from "./known-requests.ts";
import { RequestIntake } from "./request-intake.ts";
import { timeFor, type Wait } from "./wait.ts";

/** See the module's description. */
export class Connection extends RequestIntake implements SocketHandler, Timed {
  deadline: number;
  /** What is to be sent before the answers of all exchanges. */
  private output = "";
  private wait: Wait = "head";
  /** Output waits for the peer to take it. */
  private blocked = false;
  /** The peer has sent FIN. */
  private peerEnded = false;
  private reading = true;
  private advancing = false;
  /** The known request that its noun has been handed, until the noun returns. */
  private performing: KnownRequest | undefined;

  /** @param socket just accepted; it is the connection's to close. */
  constructor(context: ConnectionContext, socket: Socket) {
    super(context, socket);
    this.deadline = context.clock.now() + context.limits.headersTimeout;
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
    if (this.over) this.close();
    if (this.phase !== "open") return;
    const newest = this.exchanges.at(-1);
    if (newest === undefined && this.performing === undefined && this.parser.progress === "head") {
      this.finishing = true;
      return;
    }
    if (newest !== undefined) newest.close = true;
    this.phase = "last";
    this.advance();
  }

  /**
   * Closes at once. Answers that have not been sent are dropped. Where a step fails, for want of memory, another call does what is
   * left: the deadline's at the latest, which is why that goes last.
   */
  close(): void {
    if (!this.over) {
      this.phase = "closed";
      this.deadline = 0;
    }
    this.socket.close();
    this.context.onClosed(this);
    this.context.deadlines.remove(this);
  }

  onBytes(bytes: string): void {
    if (this.phase === "lingering") return;
    const quiet = this.wait === "request" || (this.wait === "head" && this.parser.progress === "between");
    const known = quiet && this.log === undefined ? this.context.known.find(bytes) : undefined;
    if (known !== undefined && !known.route.registered.queue.occupied) {
      this.answerAlone(known);
      return;
    }
    this.fresh = quiet ? bytes : "";
    this.feed(bytes);
    if (quiet) {
      if (this.repeated !== undefined) {
        this.answerRepeated(this.repeated);
      } else {
        const request = this.takeAlone();
        if (request !== undefined) {
          this.answerAlone(request);
          return;
        }
      }
    }
    this.advance();
  }

  /** Answers the only request that is outstanding, without an exchange where its noun's answer has been written before. */
  private answerAlone(request: KnownRequest): void {
    const result = this.ask(request);
    const answer = this.phase === "open" ? this.answers.find(result) : undefined;
    const { close } = request.head;
    if (close) this.phase = "last";
    if (answer === undefined) {
      this.takeResult(request, result);
      return;
    }
    this.blocked = !(close ? this.socket.writeLast(closingResponse(answer)) : this.socket.write(answer.response));
    if (close && !this.blocked) {
      this.close(); // as `settle` would, for nothing is outstanding
    } else if (this.wait === "request" && !this.blocked) {
      // What `settle` would come to, without what it would look at; the deadline only moves away.
      this.deadline = this.context.clock.now() + this.context.limits.keepAliveTimeout;
    } else {
      this.progressed = true;
      this.settle();
    }
  }

  /** Answers, in one piece, what is pipelined as long as it is the same request again: it is told by its bytes, without a search. */
  private answerRepeated(repeated: RepeatedRequest): void {
    const { known, limits } = this.context;
    const { queue } = repeated.route.registered;
    for (let count = 0; count < limits.maxPipelined; count++) {
      if (queue.occupied || repeated.era !== known.era || !this.parser.takeExactly(repeated.bytes)) return;
      this.progressed = true;
      const result = this.ask(repeated);
      const answer = this.phase === "open" ? this.answers.find(result) : undefined;
      if (answer === undefined) {
        this.takeResult(repeated, result);
        return;
      }
      this.output += answer.response;
    }
  }

  /**
   * Hands a request to its noun at no further cost. Its interruption ends the whole callback from the loop, and
   * `onInterruption` follows.
   * @returns what the noun answers; a rejected promise when it throws.
   */
  private ask(request: KnownRequest): unknown {
    const { noun } = request.route.registered;
    // The noun may close the server: this connection then has a request in flight, although none is in its list yet.
    this.performing = request;
    let result: unknown;
    try {
      switch (request.route.verb) {
        case "GET":
          result = noun.getState();
          break;
        case "PUT":
          result = noun.setState(request.state);
          break;
        case "POST":
          result = noun.updateState(request.state);
          break;
        case "DELETE":
          result = noun.deleteState();
      }
    } catch (error) {
      result = Promise.reject(error);
    }
    this.performing = undefined;
    return result;
  }

  /** Goes on with a known request whose answer is not at hand. */
  private takeResult({ head, route }: KnownRequest, result: unknown): void {
    this.progressed = true;
    const exchange = new Exchange(this, head);
    if (this.phase !== "open") exchange.close = true;
    this.exchanges.push(exchange);
    exchange.take(route, result);
    this.advance();
  }

  onInterruption(error: unknown): void {
    const { performing } = this;
    this.performing = undefined;
    // Not foreseen: nothing of a noun's runs elsewhere in the midst of this connection's affairs.
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

  override onAnswer(): void {
    this.advance();
  }

  onDeadline(now: number): void {
    if (this.over) {
      this.deadline = now + this.context.limits.shutdownTimeout; // should it fail again
      this.close();
      return;
    }
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
        while (!this.blocked && this.readNext());
      } while (this.flush());
      this.settle();
    } catch (error) {
      this.close(); // not foreseen: whatever it was, this stream can no longer be trusted; the loop reports the error
      throw error;
    } finally {
      this.advancing = false;
    }
  }

  /** Sends what is ready and in order. @returns whether that has made room for requests that waited for it. */
  private flush(): boolean {
    const full = this.exchanges.length >= this.context.limits.maxPipelined;
    const text = this.output + takeReady(this.exchanges);
    if (text === "") return false;
    this.output = "";
    // Then `settle` finds everything said, and ends the connection.
    const last = this.phase === "last" && this.exchanges.length === 0;
    if (!(last ? this.socket.writeLast(text) : this.socket.write(text))) this.blocked = true;
    return full;
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

  private canRead(): boolean {
    if (this.phase === "lingering") return true;
    if (this.blocked) return false;
    if (this.expected !== undefined || this.skipping) return true;
    return this.phase === "open" && this.exchanges.length < this.context.limits.maxPipelined;
  }
}
