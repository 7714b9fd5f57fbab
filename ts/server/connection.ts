/**
 * One client's connection: its state, its time limits, its back-pressure and its end (RFC 9112, 9).
 *
 * Every event leads to `advance`. It performs and answers as much as it can, and then enters the next state. Every
 * request takes the same way there: the reader makes it of bytes, its route performs it, and its answer is sent at once
 * or takes its place in the replies.
 */
import { HttpError } from "../http/http-error.ts";
import { continueResponse } from "../http/response.ts";
import type { Socket, SocketHandler } from "../native/net.ts";
import { type Answer, abandon, isStreaming, RefusalAnswer, type StreamingAnswer } from "../operations/answer.ts";
import type { Asker } from "../operations/operation.ts";
import type { Timed } from "../time/deadlines.ts";
import { turnTime } from "../time/turns.ts";
import type { Refusal, Request } from "./admitted-request.ts";
import type { ConnectionContext } from "./connection-context.ts";
import {
  all,
  awaitingNouns,
  betweenRequests,
  type ConnectionState,
  closed,
  type Intake,
  inBody,
  inHead,
  inNextTurn,
  lingering,
  none,
  one,
  sending,
  serving,
  untrusted,
} from "./connection-state.ts";
import { describeAnswer } from "./log.ts";
import { noReplies, type Replies } from "./replies.ts";
import { continueSignal, RequestReader } from "./request-reader.ts";

/** Characters of answers that are collected before they are sent, while further requests are performed. */
const mostOutput = 65_536;

/** Characters of an answer that leaves in one packet, so that no byte of it waits in the kernel. */
const onePacket = 1_024;

/** ms to wait after a full read, because more may be in the kernel. */
const readTime = 20;

/**
 * The server's end of one connection. A field that most connections never set is not their own: each own field costs
 * every connection.
 */
export class Connection implements SocketHandler, Timed, Asker {
  deadline: number;
  /** The number of the server's last request that this connection made; its accept counts as one. */
  lastRequest: number;
  private readonly context: ConnectionContext;
  private readonly socket: Socket;
  private readonly reader: RequestReader;
  state: ConnectionState = inHead;
  declare private intake: Intake;
  /** Shared with other connections until a reply must wait. */
  declare private replies: Replies;
  /** Answers that are to be sent now. */
  private output = "";
  /** Characters of answers that the peer has still to take. */
  declare private unsent: number;
  /** What follows the text of the last answer. */
  declare private ending?: ArrayBuffer | StreamingAnswer | undefined;
  declare private peerEnded?: boolean;
  /** No bytes are taken from the socket. */
  declare private paused?: boolean;

  static {
    Connection.prototype.intake = all;
    Connection.prototype.replies = noReplies;
    Connection.prototype.unsent = 0;
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
    return this.unsent + this.output.length + this.reader.heldBytes + this.replies.held;
  }

  /** Whether a noun has a request of this client: then the connection is not closed for another one. */
  get isBusy(): boolean {
    return this.state === serving || this.replies.hasOperations;
  }

  /** Answers the client's first request before it is read, and closes. */
  refuse(error: HttpError): void {
    this.refuseRequest(this.reader.refuse(error));
    this.advance(false);
  }

  /** Closes as soon as what has begun is answered: at once when nothing has. */
  finish(): void {
    if (this.state === closed) this.close();
    if (this.intake !== all) return;
    const { progress } = this.reader;
    const { newest } = this.replies;
    if (progress === "body" || (progress === "head" && newest === undefined && this.state !== serving)) {
      this.intake = one;
      return;
    }
    if (newest !== undefined) newest.close = true;
    this.intake = none;
    this.advance(false);
  }

  /**
   * Closes at once. Answers that have not been sent are dropped, operations that have not begun are not executed. If a
   * step fails, because memory is short, the next call finishes the rest. The deadline is removed last, because its
   * timer retries.
   */
  close(): void {
    if (this.state !== closed) {
      this.state = closed;
      this.deadline = 0;
    }
    this.socket.close();
    this.release();
  }

  onBytes(bytes: string): void {
    if (this.state === lingering) return;
    this.reader.feed(bytes);
    this.advance(false);
    if (this.reader.isIdle) return;
    const { context } = this;
    // What had arrived in time is read first: after a stall, much of it may still lie in the kernel.
    if (bytes.length >= context.mostRead) this.deadline = Math.max(this.deadline, context.now() + readTime);
    context.relieve();
  }

  onEnd(): void {
    this.peerEnded = true;
    this.advance(false);
  }

  onBlocked(bytes: number): void {
    this.unsent = bytes;
    this.context.relieve();
    this.advance(false);
  }

  onDrain(): void {
    this.unsent = 0;
    this.advance(true);
  }

  onGone(): void {
    this.close();
  }

  onAnswer(): void {
    this.advance(false);
  }

  /** Goes on with requests that had to wait for this turn of the loop. */
  onTurn(): boolean {
    if (this.state !== inNextTurn) return true;
    this.state = betweenRequests;
    this.advance(true);
    return true;
  }

  onDeadline(now: number): void {
    const { state, intake, context, reader } = this;
    // Its request has come in time. How long its turn takes is the server's matter.
    if (state === inNextTurn) return;
    if (state === closed) {
      this.deadline = now + context.limits.shutdownTimeout; // should it fail again
      this.close();
    } else if (intake >= none || (state !== inHead && state !== inBody)) {
      this.close();
    } else {
      // A request that is answered already, its body being skipped, gets no second answer. Others may still wait.
      if (reader.progress === "skipping") this.intake = none;
      else this.refuseRequest(reader.refuse(HttpError.closing(408, "The request did not arrive completely in time.")));
      this.advance(false);
    }
  }

  /**
   * Reads, performs and answers as far as it goes now, and enters the next state. Does nothing when called from within
   * itself: the outer call goes on.
   * @param hadProgress whether a request or an answer has been completed since the last deadline was set.
   */
  private advance(hadProgress: boolean): void {
    const before = this.state;
    if (before === serving || before === closed) return;
    this.state = serving;
    let progressed = hadProgress;
    let isTurnOver = before === inNextTurn;
    const reader = this.reader;
    const context = this.context;
    try {
      for (let isMore = true; isMore; ) {
        if (this.replies.size > 0 && !isTurnOver && this.takeReplies()) progressed = true;
        while (
          !reader.isIdle &&
          !isTurnOver &&
          this.intake < none &&
          this.unsent === 0 &&
          this.output.length < mostOutput &&
          (this.replies.size === 0 || !this.replies.isFull(context.limits.maxPipelined)) &&
          this.state === serving
        ) {
          const next = reader.next();
          if (next === undefined) break;
          progressed = true;
          if (next.route !== undefined) this.perform(next);
          else if (next.error !== undefined) this.refuseRequest(next);
          else if (next === continueSignal) this.continueRequest();
          else this.intake = untrusted;
          if (!reader.isIdle) isTurnOver = this.leaveTurn();
        }
        isMore = this.output.length > 0 && this.send();
        if (isMore && this.replies.size > 0) isTurnOver ||= this.leaveTurn();
      }
      if ((this.state as ConnectionState) !== serving) return;
      if (isTurnOver) this.waitForTurn();
      else this.enterNext(before, progressed);
    } catch (error) {
      this.close(); // not foreseen, so this connection can no longer be trusted; the loop reports the error
      throw error;
    }
  }

  /** @returns whether the turn has taken so long that the connection goes on in the next one. */
  private leaveTurn(): boolean {
    if (this.context.clock.turnTime() < turnTime) return false;
    this.context.nextTurn.add(this);
    return true;
  }

  private perform(request: Request): void {
    const context = this.context;
    this.lastRequest = ++context.requests;
    if (context.isScarce()) context.relieve();
    const outcome = request.route.perform(request.state, this);
    if (this.state !== serving) {
      abandon(outcome);
      return;
    }
    if (request.head.close || request.route.isLast || this.intake === one) this.intake = none;
    const close = this.intake !== all;
    if (this.replies.size === 0 && outcome.status !== undefined) this.write(request, outcome, close);
    else this.replies = this.replies.add({ request, outcome, close });
  }

  private refuseRequest(refusal: Refusal): void {
    if (refusal.close) this.intake = untrusted;
    else if (refusal.head.close || this.intake === one) this.intake = none;
    const outcome = RefusalAnswer.of(refusal.error);
    this.replies = this.replies.add({ request: refusal, outcome, close: this.intake !== all });
    this.takeReplies();
  }

  private continueRequest(): void {
    if (this.replies.size > 0) this.replies.addInterim(continueResponse);
    else this.output += continueResponse;
  }

  /** Takes the replies whose turn has come, as many as may be sent now. @returns whether there were any. */
  private takeReplies(): boolean {
    let areReady = false;
    while (this.unsent === 0 && this.output.length < mostOutput) {
      const ready = this.replies.takeReady();
      if (ready === undefined) break;
      areReady = true;
      if (typeof ready === "string") this.output += ready;
      else this.write(ready.request, ready.outcome, ready.close);
    }
    return areReady;
  }

  private write(request: Request | Refusal, given: Answer, close: boolean): void {
    const headOnly = request.head.method === "HEAD";
    let answer = given;
    // Nothing follows a stream or bytes, so only such a route has any: most answers need not be asked.
    if (request.route?.isLast) {
      if (isStreaming(given)) answer = given.refusal(this.socket.peer) ?? given;
      if (!headOnly) this.ending = isStreaming(answer) ? answer : answer.bytes;
      else abandon(answer);
    }
    if (answer.rest !== undefined && !headOnly) this.replies = this.replies.addRest(answer.rest);
    const fields = request.admission.fields;
    const isPlain = !close && !headOnly && fields === "";
    const text = (isPlain ? answer.plain : undefined) ?? answer.write({ close, headOnly, fields });
    // It is `noAnswer`. The client would take the next answer for it, so that is the end.
    if (text === "") {
      this.replies.abandon();
      this.intake = untrusted;
    }
    // The kernel may hold the end of a longer answer for a while. A close would let one late byte destroy that.
    if (close && (text.length > onePacket || this.ending !== undefined || answer.rest !== undefined)) {
      this.intake = untrusted;
    }
    // To join it to an empty text would make a copy.
    this.output = this.output.length === 0 ? text : this.output + text;
    this.context.answered[answer.status] += 1;
    this.context.log?.(describeAnswer(this.socket.peer, request.head, answer, request.admission.token));
  }

  /** Sends the output, which is not empty. @returns whether that may have made room for received requests. */
  private send(): boolean {
    const text = this.output;
    const ending = this.ending;
    this.output = "";
    if (ending !== undefined && !(ending instanceof ArrayBuffer)) {
      this.state = closed;
      this.ending = undefined;
      this.release();
      ending.open(this.socket, text);
      return false;
    }
    // Then the next state ends the connection, as everything is said.
    const isLast = this.intake >= none && this.replies.size === 0;
    if (isLast ? this.socket.writeLast(text, ending) : this.socket.writeSoon(text)) {
      return !this.reader.isIdle || this.replies.size > 0;
    }
    this.unsent = text.length + (ending?.byteLength ?? 0);
    this.context.relieve();
    return false;
  }

  /** Gives up everything but the socket. */
  private release(): void {
    if (this.replies !== noReplies) this.replies.abandon();
    if (this.ending !== undefined && !(this.ending instanceof ArrayBuffer)) this.ending.abandon();
    this.output = "";
    if (this.unsent > 0) this.unsent = 0;
    this.context.onClosed(this);
  }

  /** Enters the state of what is waited for now, with its time limit. @param progressed as for `advance`. */
  private enterNext(before: ConnectionState, progressed: boolean): void {
    const context = this.context;
    const replies = this.replies;
    const hasRoom = this.unsent === 0 && (replies.size === 0 || !replies.isFull(context.limits.maxPipelined));
    // After the peer's FIN, a request that is half here stays half: it is not executed, nor is its body read as a
    // request.
    if (this.peerEnded && hasRoom && this.intake !== untrusted) this.intake = none;
    const readsRequests = this.intake < none;
    let next: ConnectionState = betweenRequests;
    if (!readsRequests && replies.size === 0) next = this.endState(before);
    else if (this.unsent > 0) next = sending;
    else if (readsRequests && !this.reader.isIdle) next = this.readingState(hasRoom);
    // The time for the first head runs from the accept, whether a byte of it has come or not.
    if (next === betweenRequests && replies.size > 0) next = awaitingNouns;
    else if (next === betweenRequests && before === inHead && !progressed) next = inHead;
    if (next === closed) {
      this.close();
      return;
    }
    this.state = next;
    if (next !== before || progressed) {
      this.deadline = context.now() + context.timeLimits[next];
      // In the same state, it only moves away.
      if (next !== before) context.deadlines.reschedule(this);
    }
    const canRead = readsRequests ? hasRoom : next === lingering;
    if (canRead === (this.paused === true)) this.setReading(canRead);
  }

  /** @returns the state of a request that has come in part. */
  private readingState(hasRoom: boolean): ConnectionState {
    const { progress } = this.reader;
    if (progress === "body" || progress === "skipping") return inBody;
    return progress === "head" && hasRoom ? inHead : betweenRequests;
  }

  /** @returns how a connection ends on which everything is said: at once, or with the peer's FIN. */
  private endState(before: ConnectionState): ConnectionState {
    const { reader, unsent } = this;
    if (before === lingering) return this.peerEnded && unsent === 0 ? closed : lingering;
    const isTrusted = this.intake === none && (reader.isIdle || reader.progress === "between");
    if (unsent === 0 && (this.peerEnded || isTrusted)) return closed;
    this.socket.finish();
    return lingering;
  }

  /** What has come already goes on in the next turn, and no more is taken in meanwhile. */
  private waitForTurn(): void {
    this.state = inNextTurn;
    if (this.reader.unreadBytes > this.context.mostRead) this.setReading(false);
  }

  private setReading(reading: boolean): void {
    if (reading !== (this.paused === true)) return;
    this.paused = !reading;
    this.socket.setReading(reading);
  }
}
