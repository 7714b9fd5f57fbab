/**
 * One client's connection: its time limits, its back-pressure and its end (RFC 9112, 9).
 *
 * Every request takes the same way, which `serve` shows: the reader makes it of bytes, the service performs it, its answer is sent
 * at once or takes its place in the replies. Then `settle` decides what is waited for next, and until when.
 */
import { HttpError } from "../http/http-error.ts";
import { continueResponse } from "../http/response.ts";
import type { Socket, SocketHandler } from "../native/net.ts";
import { type Answer, isStreaming, lastDelivery, RefusalAnswer, type StreamingAnswer } from "../operations/answer.ts";
import type { Asker } from "../operations/operation.ts";
import type { ConnectionContext } from "./connection-context.ts";
import type { Timed } from "./deadlines.ts";
import { describeAnswer } from "./log.ts";
import { closed, last, lingering, open, type Phase } from "./phase.ts";
import { noReplies, type Replies } from "./replies.ts";
import type { Refusal, Request } from "./request.ts";
import { goOn, RequestReader } from "./request-reader.ts";
import { nextWait, timeFor, type Wait } from "./wait.ts";

/** Characters of answers that are collected before they are sent, and may wait there while further requests are performed. */
const mostOutput = 65_536;

/** ms within which that is read, once the sockets are looked at again. */
const readTime = 20;

/** ms of one turn of the loop after which a connection's next request waits for the next turn. */
const turnTime = 1;

/** The server's end of one connection. A field that most connections never set is not their own: to add one costs 600 instructions. */
export class Connection implements SocketHandler, Timed, Asker {
  deadline: number;
  /** Which request of the server its last one was; its accept counts as one. */
  lastRequest: number;
  private readonly context: ConnectionContext;
  private readonly socket: Socket;
  private readonly reader: RequestReader;
  /** Shared with other connections until a reply must wait. */
  declare private replies: Replies;
  /** Answers that are to be sent now. */
  private output = "";
  /** Characters of answers that the peer has still to take. */
  declare private unsent: number;
  private phase: Phase = open;
  declare private wait: Wait;
  /** The next request is waited for, nothing but nouns is under way, the peer has taken all answers and may still ask. */
  declare private isAtRest?: boolean;
  declare private peerEnded?: true;
  /** No bytes are taken from the socket. */
  declare private paused?: boolean;
  private serving = false;
  /** The next turn of the loop goes on with requests that have come already. */
  declare private postponed?: boolean;
  /** A request was refused because what follows it can no longer be trusted. */
  declare private untrusted?: true;
  /** The request that is being read is the last. */
  declare private finishing?: true;
  /** What follows the text of the last answer. */
  declare private bytes?: ArrayBuffer | undefined;
  /** An answer that goes on once what waits has been sent; it is the last. */
  declare private stream?: StreamingAnswer;
  /** When as much was read as is read at once, in ms by the clock. */
  declare private filled?: number;

  static {
    Connection.prototype.replies = noReplies;
    Connection.prototype.unsent = 0;
    Connection.prototype.wait = "head";
  }

  /** @param socket just accepted; it is the connection's to close. */
  constructor(context: ConnectionContext, socket: Socket) {
    this.context = context;
    this.socket = socket;
    this.reader = new RequestReader(context, socket);
    context.requests += 1;
    this.lastRequest = context.requests;
    this.deadline = context.now() + context.limits.headersTimeout;
    socket.handler = this;
  }

  /** Bytes and characters that are held for the client. */
  get held(): number {
    return this.unsent + this.output.length + this.reader.unreadBytes + this.replies.held;
  }

  /** Whether a noun has a request of this client: then the connection is not closed for another one. */
  get isBusy(): boolean {
    return this.context.performing === this || this.replies.hasOperations;
  }

  /** Answers the client's first request before it is read, and closes. */
  refuse(error: HttpError): void {
    this.refuseRequest(this.reader.refuse(error));
    this.serve(false);
  }

  /** Closes as soon as what has begun is answered: at once when nothing has. */
  finish(): void {
    if (this.phase === closed) this.close();
    if (this.phase !== open) return;
    const { progress } = this.reader;
    const { newest } = this.replies;
    if (progress === "body" || (progress === "head" && newest === undefined && this.context.performing !== this)) {
      this.finishing = true;
      return;
    }
    if (newest !== undefined) newest.close = true;
    this.phase = last;
    this.serve(false);
  }

  /**
   * Closes at once. Answers that have not been sent are dropped, operations that have not begun are not executed. Where a step fails,
   * because memory is short, another call does what is left: the deadline's at the latest, which is why that goes last.
   */
  close(): void {
    if (this.phase !== closed) {
      this.phase = closed;
      this.deadline = 0;
    }
    this.socket.close();
    this.leave();
  }

  onBytes(bytes: string): void {
    if (this.phase === lingering) return;
    this.reader.feed(bytes);
    this.serve(false);
    if (this.reader.isIdle) return;
    if (bytes.length >= this.context.mostRead) this.filled = this.context.now();
    this.context.relieve();
  }

  onEnd(): void {
    this.peerEnded = true;
    this.isAtRest = false;
    this.serve(false);
  }

  onBlocked(bytes: number): void {
    this.unsent = bytes;
    this.isAtRest = false;
    this.context.relieve();
    this.serve(false);
  }

  onDrain(): void {
    this.unsent = 0;
    this.serve(true);
  }

  onGone(): void {
    this.close();
  }

  onAnswer(): void {
    this.serve(false);
  }

  /** Goes on with requests that had to wait for this turn of the loop. */
  onTurn(): void {
    this.postponed = false;
    this.serve(true);
  }

  onDeadline(now: number): void {
    if (this.phase === closed) {
      this.deadline = now + this.context.limits.shutdownTimeout; // should it fail again
      this.close();
      return;
    }
    // What had arrived in time is read first: after a stall, much of it may still lie in the kernel.
    if (this.postponed || (this.filled !== undefined && now - this.filled <= readTime)) return;
    if (this.wait === "request" && this.replies.size > 0) {
      // The client waits for nouns. Every operation has its own limit.
      this.deadline = now + this.context.limits.keepAliveTimeout;
      return;
    }
    const { progress } = this.reader;
    if (this.phase !== open) {
      // Also where a refusal failed half way, because memory was short: nobody knows how much of it was made.
      this.close();
      return;
    }
    if (this.wait === "head" || (this.wait === "body" && progress === "body")) {
      this.refuseRequest(this.reader.refuse(HttpError.closing(408, "The request did not arrive completely in time.")));
    } else if (this.wait === "body") {
      // A request that is answered already, its body being skipped, gets no second answer. Others may still wait.
      this.phase = last;
    } else {
      this.close();
      return;
    }
    this.serve(false);
  }

  /**
   * Reads, performs and answers as far as it goes now. Does nothing when called from within itself: the outer call goes on.
   * @param hadProgress whether a request or an answer has been completed since the last deadline was set.
   */
  private serve(hadProgress: boolean): void {
    if (this.serving || this.phase === closed) return;
    const { reader } = this;
    this.serving = true;
    let progressed = hadProgress;
    try {
      // At rest, all that `mayPerform` looks at is as it must be.
      let mayPerform = this.isAtRest === true;
      for (let isMore = true; isMore; isMore = this.output.length > 0 && this.flush()) {
        if (this.replies.size > 0 && this.takeReplies()) progressed = true;
        while (!reader.isIdle && (mayPerform || this.mayPerform())) {
          mayPerform = false;
          const next = reader.next();
          if (next === undefined) break;
          progressed = true;
          if (next.route !== undefined) this.perform(next);
          else if (next.isSignal === undefined) this.refuseRequest(next);
          else if (next === goOn && this.replies.size > 0) this.replies.addInterim(continueResponse);
          else if (next === goOn) this.output += continueResponse;
          else {
            this.untrusted = true;
            this.phase = last;
          }
          if (!reader.isIdle && this.context.clock.turnTime() >= turnTime) {
            this.postponed = true;
            this.context.nextTurn.add(this);
          }
        }
      }
      const { context, replies } = this;
      if (
        this.isAtRest &&
        reader.isIdle &&
        this.phase === open &&
        (replies.size === 0 || replies.size < context.limits.maxPipelined)
      ) {
        // Most turns end here: `settle` would come to the same, at four times the cost. The deadline only moves away.
        this.deadline = context.now() + context.limits.keepAliveTimeout;
      } else this.settle(progressed);
    } catch (error) {
      this.context.performing = undefined;
      this.close(); // not foreseen: whatever it was, this stream can no longer be trusted; the loop reports the error
      throw error;
    } finally {
      this.serving = false;
    }
  }

  /** Whether the next request that has come may be performed now. */
  private mayPerform(): boolean {
    return (
      this.phase === open &&
      this.unsent === 0 &&
      !this.postponed &&
      this.output.length < mostOutput &&
      this.replies.size < this.context.limits.maxPipelined
    );
  }

  private perform(request: Request): void {
    const { context, replies } = this;
    const count = context.requests + 1;
    context.requests = count;
    this.lastRequest = count;
    if (context.isScarce()) context.relieve();
    context.performing = this;
    const outcome = request.route.perform(request.state, this);
    context.performing = undefined;
    if (request.isPlain && this.phase === open && replies.size === 0 && !this.finishing && context.log === undefined) {
      const { plain } = outcome as Partial<Answer>;
      if (plain !== undefined) {
        // Most requests: what follows would do the same, at twice the cost. To join it to an empty text would make a copy.
        const { output } = this;
        this.output = output.length === 0 ? plain : output + plain;
        context.answered.ok += 1;
        return;
      }
    }
    if (this.phase === closed) {
      if (outcome.status === undefined) outcome.abandon();
      return;
    }
    if (request.head.close || request.route.isLast || this.finishing) this.phase = last;
    const close = this.phase !== open;
    if (replies.size === 0 && outcome.status !== undefined) this.write(request, outcome, close);
    else this.replies = replies.add({ request, outcome, close });
  }

  private refuseRequest(refusal: Refusal): void {
    if (refusal.close) this.untrusted = true;
    if (refusal.close || refusal.head.close || this.finishing) this.phase = last;
    const outcome = RefusalAnswer.of(refusal.error);
    this.replies = this.replies.add({ request: refusal, outcome, close: this.phase !== open });
    this.takeReplies();
  }

  /** Takes the replies whose turn has come. @returns whether there were any. */
  private takeReplies(): boolean {
    let areReady = false;
    for (let ready = this.replies.takeReady(); ready !== undefined; ready = this.replies.takeReady()) {
      areReady = true;
      if (typeof ready === "string") this.output += ready;
      else this.write(ready.request, ready.outcome, ready.close);
    }
    return areReady;
  }

  private write(request: Request | Refusal, given: Answer, close: boolean): void {
    const { head, admission } = request;
    const headOnly = head.method === "HEAD";
    let answer = given;
    // Nothing follows a stream or bytes, so only such a route has any: most answers need not be asked.
    if (request.route?.isLast) {
      if (isStreaming(given)) answer = given.refusal(this.socket.peer) ?? given;
      if (isStreaming(answer) && !headOnly) this.stream = answer;
      else if (!headOnly) this.bytes = given.bytes;
    }
    const { fields } = admission;
    const text = answer.write(close && !headOnly && fields === "" ? lastDelivery : { close, headOnly, fields });
    this.output = this.output.length === 0 ? text : this.output + text;
    this.context.answered.add(answer.status);
    this.context.log?.(describeAnswer(this.socket.peer, head, answer, admission.token));
  }

  /** Sends the output, which is not empty. @returns whether that may have made room for requests that have come already. */
  private flush(): boolean {
    const text = this.output;
    this.output = "";
    const { stream } = this;
    if (stream !== undefined) {
      this.phase = closed;
      this.leave();
      stream.begin(this.socket, text);
      return false;
    }
    // Then `settle` finds everything said, and ends the connection.
    const isLast = this.phase === last && this.replies.size === 0;
    if (isLast ? this.socket.writeLast(text, this.bytes) : this.socket.writeSoon(text)) return !this.reader.isIdle;
    this.onBlocked(text.length + (this.bytes?.byteLength ?? 0));
    return false;
  }

  /** Gives up everything but the socket. */
  private leave(): void {
    if (this.replies !== noReplies) this.replies.abandon();
    this.output = "";
    if (this.unsent > 0) this.unsent = 0;
    this.context.onClosed(this);
  }

  /** Decides what is waited for next, once all that could be read and sent has been. @param progressed as for `serve`. */
  private settle(progressed: boolean): void {
    if (this.phase === closed) return;
    if (this.postponed) {
      this.isAtRest = false;
      // What has come already waits for its turn, and no more is taken in meanwhile.
      if (this.reader.unreadBytes > this.context.mostRead) this.setReading(false);
      return;
    }
    const { context, replies, reader, unsent } = this;
    const hasRoom = unsent === 0 && replies.size < context.limits.maxPipelined;
    // After the peer's FIN, a request that is half here stays half: it is not executed, nor is its body read as a request.
    if (this.peerEnded && hasRoom) this.phase = last;
    if (replies.size === 0 && this.phase !== open) this.closeOrLinger();
    if ((this.phase as Phase) === closed) return;
    const canRead = this.phase === lingering || (this.phase === open && hasRoom);
    // The time for the first head runs from the accept, whether a byte of it has come or not.
    const isFirst = this.wait === "head" && !progressed && replies.size === 0;
    const wait = unsent > 0 ? "output" : nextWait(this.phase, reader.progress, canRead, isFirst);
    if (wait !== this.wait || progressed) {
      this.wait = wait;
      this.deadline = context.now() + timeFor(wait, context.limits);
      context.deadlines.reschedule(this);
    }
    this.setReading(canRead);
    this.isAtRest = wait === "request" && this.paused !== true && this.phase === open;
  }

  private setReading(reading: boolean): void {
    if (reading !== (this.paused === true)) return;
    this.paused = !reading;
    this.socket.setReading(reading);
  }

  /** Ends a connection on which everything is said. */
  private closeOrLinger(): void {
    const { reader, unsent } = this;
    const isTrusted = !this.untrusted && (reader.isIdle || reader.progress === "between");
    if (this.phase === lingering) {
      if (this.peerEnded && unsent === 0) this.close();
    } else if (unsent > 0 || !(this.peerEnded || isTrusted)) {
      this.socket.finish();
      this.phase = lingering;
    } else {
      this.close();
    }
  }
}
