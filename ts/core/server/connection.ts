/**
 * One client's connection: what it waits for, its time limits, its back-pressure and its end (RFC 9112, 9).
 *
 * It performs one request at a time. Bytes that are pipelined behind a request wait in the reader, so the answers are
 * in order, and a client has one operation at most. Every event leads to `advance`, which goes on step by step as far
 * as it can, and then waits.
 */

import type { Socket, SocketHandler } from "../../native/net.ts";
import { isFromBrowser } from "../http/accept.ts";
import { HttpError } from "../http/http-error.ts";
import { continueResponse } from "../http/response.ts";
import { type Answer, abandon, isStreaming, RefusalAnswer, type StreamingAnswer } from "../operations/answer.ts";
import type { Asker, PendingAnswer } from "../operations/operation.ts";
import type { Timed } from "../time/deadlines.ts";
import { type Postponed, turnTime } from "../time/turns.ts";
import type { Refusal, Request } from "./admitted-request.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { describeAnswer } from "./log.ts";
import { continueSignal, RequestReader } from "./request-reader.ts";
import {
  all,
  forBody,
  forFin,
  forHead,
  forNothing,
  forNoun,
  forPeer,
  forRequest,
  forTurn,
  type Intake,
  none,
  noneUntilFin,
  one,
  type Wait,
} from "./waits.ts";

/** Characters of answers that are collected before they are sent, while further requests are performed. */
const mostOutput = 65_536;

/** Characters of an answer that leaves in one packet, so that no byte of it waits in the kernel. */
const onePacket = 1_024;

/** ms to wait after a full read, because more may be in the kernel. */
const readTime = 20;

const never = Number.POSITIVE_INFINITY;

/** The server's end of one connection. A field that most connections never set is not their own, which costs memory. */
export class Connection implements SocketHandler, Timed, Asker, Postponed {
  deadline: number;
  /** The number of the server's last request that this connection made; its accept counts as one. */
  lastRequest: number;
  wait: Wait = forHead;
  /** Whether it performs requests at this moment. */
  isAdvancing = false;
  readonly socket: Socket;
  private readonly context: ConnectionContext;
  private readonly reader: RequestReader;
  declare private intake: Intake;
  /** The request whose answer is not ready yet. */
  declare private current: { readonly request: Request; readonly outcome: PendingAnswer } | undefined;
  /** Texts of the last answer that are not written yet. */
  declare private rest: string[] | undefined;
  /** Text that is to be sent now. */
  private output = "";
  /** Characters that the peer has still to take. */
  declare private unsent: number;
  /** What follows the text of the last answer. */
  declare private ending: ArrayBuffer | StreamingAnswer | undefined;
  declare private peerEnded: boolean;
  /** No bytes are taken from the socket. */
  declare private isPaused: boolean;
  /** It goes on in the next turn of the loop. */
  declare private isPostponed: boolean;

  static {
    const { prototype } = Connection;
    prototype.intake = all;
    prototype.unsent = 0;
    prototype.current = prototype.rest = prototype.ending = undefined;
    prototype.peerEnded = prototype.isPaused = prototype.isPostponed = false;
  }

  /** @param socket just accepted; it is the connection's to close. */
  constructor(context: ConnectionContext, socket: Socket) {
    this.context = context;
    this.socket = socket;
    this.reader = new RequestReader(context, socket);
    this.lastRequest = ++context.counted.requests;
    this.deadline = context.now() + context.limits.headersTimeout;
    socket.handler = this;
  }

  /** Bytes and characters that are held for the client. */
  get held(): number {
    const { current, rest = [] } = this;
    const ofRequest = current === undefined ? 0 : current.request.head.bytes + current.request.bodyBytes;
    const ofRest = rest.reduce((sum, { length }) => sum + length, 0);
    return this.unsent + this.output.length + this.reader.heldBytes + ofRequest + ofRest;
  }

  /**
   * Whether a noun has a request of this client: then the connection is not closed for another one. A document does not
   * count.
   */
  get isBusy(): boolean {
    return this.isAdvancing || (this.current !== undefined && this.current.request.route.isOfDocument !== true);
  }

  /** Answers the client's first request before it is read, and closes. */
  refuse(error: HttpError): void {
    this.refuseRequest(this.reader.refuse(error));
    this.advance(false);
  }

  /**
   * Closes as soon as the request that has begun is answered: at once if there is none.
   * @param newTime ms for the first request of a client that has connected, and thrice as many since it has.
   */
  finish(newTime: number): void {
    if (this.wait === forNothing) this.close();
    if (this.intake !== all) return;
    const { context, reader } = this;
    const isNew = newTime > 0 && this.wait === forHead && reader.isIdle;
    const isReading = reader.progress === "head" || reader.progress === "body";
    this.intake = (isNew || isReading) && this.current === undefined && !this.isAdvancing ? one : none;
    if (this.intake === none) this.advance(false);
    else if (isNew) {
      // On a busy computer, a client may be slow to begin.
      const accepted = this.deadline - context.limits.headersTimeout;
      this.deadline = Math.min(this.deadline, Math.max(context.now() + newTime, accepted + 3 * newTime));
      context.deadlines.reschedule(this);
    }
  }

  /**
   * Closes at once. An answer that has not been sent is dropped, an operation that has not begun is not executed. If a
   * step fails, because memory is short, the next call finishes the rest. The deadline is removed last, because its
   * timer retries.
   */
  close(): void {
    if (this.wait !== forNothing) {
      this.wait = forNothing;
      this.deadline = 0;
    }
    this.socket.close();
    this.release();
  }

  onBytes(bytes: string): void {
    if (this.wait === forFin) return;
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
    this.awaitPeer(bytes);
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

  onTurn(): boolean {
    this.isPostponed = false;
    this.advance(true);
    return true;
  }

  onDeadline(now: number): void {
    const { wait, context, reader } = this;
    if (wait === forNothing) this.deadline = now + context.limits.shutdownTimeout; // should it fail again
    const isAwaited = wait === forBody || (wait === forHead && !(reader.isIdle && this.intake === one));
    if (!isAwaited) {
      this.close();
      return;
    }
    // A request that is answered already, its body being skipped, gets no second answer.
    if (reader.progress === "skipping") this.intake = none;
    else this.refuseRequest(reader.refuse(HttpError.closing(408, "The request did not arrive completely in time.")));
    this.advance(false);
  }

  /**
   * The only function that moves the connection on. It does nothing when called from within itself: the outer call goes
   * on.
   * @param hadProgress whether a request or an answer has been completed since the last deadline was set.
   */
  private advance(hadProgress: boolean): void {
    if (this.isAdvancing || this.wait === forNothing) return;
    this.isAdvancing = true;
    let progressed = hadProgress;
    try {
      while (this.unsent === 0 && !this.isPostponed && this.step()) {
        progressed = true;
        if (this.rest === undefined && (this.reader.isIdle || this.current !== undefined || this.intake >= none)) break;
        if (this.output.length >= mostOutput) this.send();
        this.postpone();
      }
      if (this.output.length > 0) this.send();
      this.waitForNext(progressed);
    } catch (error) {
      this.close(); // not foreseen, so this connection can no longer be trusted; the loop reports the error
      throw error;
    } finally {
      this.isAdvancing = false;
    }
  }

  /** Goes on in the next turn, if this one has taken long. */
  private postpone(): void {
    if (this.context.clock.turnTime() < turnTime) return;
    this.context.turns.add(this);
    this.isPostponed = true;
  }

  /** Writes a part of an answer, or a whole one, or performs a request. @returns false if it has to wait. */
  private step(): boolean {
    const rest = this.rest;
    if (rest !== undefined) {
      this.output += rest.shift();
      if (rest.length === 0) this.rest = undefined;
      return true;
    }
    const current = this.current;
    if (current !== undefined) {
      const { answer } = current.outcome;
      if (answer === undefined) return false;
      this.current = undefined;
      this.write(current.request, answer);
      return true;
    }
    const reader = this.reader;
    if (reader.isIdle || this.intake >= none) return false;
    const next = reader.next();
    if (next === undefined) return false;
    if (next.route !== undefined) return this.perform(next);
    if (next.error !== undefined) this.refuseRequest(next);
    else if (next === continueSignal) this.output += continueResponse;
    else this.intake = noneUntilFin;
    return this.wait !== forNothing;
  }

  /** @returns false if that has ended the connection. */
  private perform(request: Request): boolean {
    const context = this.context;
    this.lastRequest = ++context.counted.requests;
    if (context.isScarce()) context.relieve();
    const outcome = request.route.perform(request.state, this, request);
    if (this.wait === forNothing) {
      abandon(outcome);
      return false;
    }
    if (this.intake === one || (!request.isPlain && (request.head.close || request.route.isLast))) this.intake = none;
    if (outcome.status === undefined) this.current = { request, outcome };
    else this.write(request, outcome);
    return true;
  }

  private refuseRequest(refusal: Refusal): void {
    if (refusal.close) this.intake = noneUntilFin;
    else if (refusal.head.close || this.intake === one) this.intake = none;
    this.write(refusal, RefusalAnswer.of(refusal.error));
  }

  private write(request: Request | Refusal, given: Answer): void {
    let answer = given;
    // Most answers are this one text, and leave alone.
    let text = request.isPlain && this.intake === all ? given.plain : undefined;
    const isAlone = text !== undefined && this.output.length === 0 && this.reader.isIdle;
    if (text === undefined) {
      const headOnly = request.head.method === "HEAD";
      // Nothing follows a stream or bytes, so only such a route has any.
      if (request.route?.isLast) {
        if (isStreaming(given)) answer = given.refusal(this.socket.peer) ?? given;
        if (!headOnly) this.ending = isStreaming(answer) ? answer : answer.bytes;
        else abandon(answer);
      }
      if (answer.rest !== undefined && answer.rest.length > 0 && !headOnly) this.rest = [...answer.rest];
      const close = this.intake !== all;
      const isForBrowser = answer.status >= 400 && isFromBrowser(request.head);
      const { fields, scope: reader } = request.admission;
      text = answer.write({ close, headOnly, fields, reader, isForBrowser });
      // It is `noAnswer`. The client would take the next answer for it, so that is the end. And the kernel may hold the
      // end of a long answer for a while: a close would let one late byte destroy that.
      const isLong = text.length > onePacket || this.ending !== undefined || this.rest !== undefined;
      if (text === "" || (close && isLong)) this.intake = noneUntilFin;
    }
    const context = this.context;
    if (isAlone) {
      context.counted.alone += 1;
      if (!this.socket.writeSoon(text)) this.awaitPeer(text.length);
    } else {
      // To join it to an empty text would make a copy.
      this.output = this.output.length === 0 ? text : this.output + text;
      context.answered[answer.status] += 1;
    }
    if (context.log === undefined) return;
    context.log(describeAnswer(this.socket.peer, request.head, answer, request.admission.token));
  }

  /** Sends the output, which is not empty. Then a stream has the socket, if the output is the beginning of one. */
  private send(): void {
    const output = this.output;
    const ending = this.ending;
    this.output = "";
    if (ending !== undefined && !(ending instanceof ArrayBuffer)) {
      this.wait = forNothing;
      this.ending = undefined;
      this.release();
      ending.open(this.socket, output);
      return;
    }
    const isLast = this.intake >= none && this.current === undefined && this.rest === undefined;
    if (isLast ? this.socket.writeLast(output, ending) : this.socket.writeSoon(output)) return;
    this.awaitPeer(output.length + (ending?.byteLength ?? 0));
  }

  private awaitPeer(unsent: number): void {
    this.unsent = unsent;
    this.context.relieve();
  }

  /** Gives up everything but the socket. */
  private release(): void {
    this.current?.outcome.abandon();
    if (this.ending !== undefined && !(this.ending instanceof ArrayBuffer)) this.ending.abandon();
    // Without memory, no field can be added.
    if (this.current !== undefined) this.current = undefined;
    if (this.rest !== undefined) this.rest = undefined;
    this.output = "";
    if (this.unsent > 0) this.unsent = 0;
    this.context.onClosed(this);
  }

  /** @param progressed as for `advance`. */
  private waitForNext(progressed: boolean): void {
    const context = this.context;
    const reader = this.reader;
    const before = this.wait;
    if (before === forNothing) return;
    if (this.isPostponed) {
      this.wait = forTurn;
      this.deadline = never;
      if (reader.unreadBytes > context.mostRead) this.setReading(false);
      return;
    }
    let next: Wait = forRequest;
    if (this.unsent > 0) next = forPeer;
    else if (this.current !== undefined) next = forNoun;
    else if (this.intake >= none || this.peerEnded) next = this.lastWait();
    else if (!reader.isIdle && reader.progress !== "between") next = reader.progress === "head" ? forHead : forBody;
    // The time for the first head runs from the accept, whether a byte of it has come or not.
    else if (before === forHead && !progressed) next = forHead;
    if (next === forNothing) {
      this.close();
      return;
    }
    const isNew = next !== before;
    if (isNew || progressed) this.deadline = context.now() + (context.times[next] as number);
    // If it waits for the same, the deadline only moves away.
    if (isNew) {
      this.wait = next;
      context.deadlines.reschedule(this);
    }
    // What is pipelined behind a request is one read at most.
    if (next === forNoun) this.setReading(reader.isIdle);
    else if (isNew) this.setReading(next !== forPeer);
  }

  /**
   * @returns what it waits for before it closes, as no further request is read. After the peer's FIN, a request that is
   *   half here is not executed.
   */
  private lastWait(): Wait {
    if (this.peerEnded || (this.intake === none && this.reader.progress === "between")) return forNothing;
    if (this.wait !== forFin) this.socket.finish();
    return forFin;
  }

  private setReading(reading: boolean): void {
    if (reading !== this.isPaused) return;
    this.isPaused = !reading;
    this.socket.setReading(reading);
  }
}
