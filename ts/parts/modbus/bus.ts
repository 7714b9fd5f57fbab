/**
 * A line or a connection with Modbus units, and its only owner: it asks one question at a time, in the order of the
 * callers, and leaves the silence between frames that the line needs.
 *
 *     const bus = new Bus(clock, link, { framing: "tcp", baud: 0 });
 *     bus.ask({ unit: 1, question: readQuestion("input", 0, 2), time: 500, counts, done });
 */

import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { Milliseconds } from "../../native/units.ts";
import { type FoundFrame, findFrame, longestFrame, rtuFrame, silenceOf, takeTcpFrame, tcpFrame } from "./framing.ts";
import { exceptionOf, exceptionText, isAnswer, type Question } from "./functions.ts";

/** The receiver of the events of a link. */
export interface LinkHandler {
  onBytes(bytes: string): void;
  /** The link has closed. @param reason the end of a sentence. */
  onGone(reason: string): void;
}

/** A serial device, or a connection. */
export interface Link {
  /**
   * Opens it.
   * @param done called once, now or later; with a reason, the end of a sentence, if it cannot be opened.
   */
  open(handler: LinkHandler, done: (reason?: string) => void): void;
  send(bytes: string): void;
  close(): void;
  /** False for a link that never returns what was sent; undefined if that is unknown. */
  readonly isEchoing?: false;
}

/**
 * Counts of failures. Each unit that was opened has its own.
 *
 * @example
 * const { counts }: { counts: ModbusCounts } = openModbus({ device: "/dev/ttyS1" });
 * counts.timeouts; // 0
 */
export interface ModbusCounts {
  /** Questions without an answer. */
  timeouts: number;
  /** Questions that were answered by bytes with a wrong checksum, or by noise. */
  garbled: number;
  /** Frames of other units. */
  strays: number;
  /** Answers to questions that were given up, or that nobody asked. */
  late: number;
  /** Exceptions. */
  exceptions: number;
  /** The code of the last one; null before the first. */
  lastException: number | null;
}

/** @returns counts of nothing. */
export function noCounts(): ModbusCounts {
  return { timeouts: 0, garbled: 0, strays: 0, late: 0, exceptions: 0, lastException: null };
}

/** Why a question has no answer. */
export interface Failure {
  /** Whether the unit has answered with an exception: then its code. */
  readonly exception?: number;
  /** The end of a sentence. */
  readonly reason: string;
}

/** What was answered, without framing; or why nothing was. */
export type Outcome = string | Failure;

/** A question that is asked in its turn. */
export interface Ask {
  /** 0 to 255. */
  readonly unit: number;
  readonly question: Question;
  /** ms that the unit has for its answer. */
  readonly time: Milliseconds;
  readonly counts: ModbusCounts;
  /** Whether it is sent to a silent unit, too: a write, which must not wait until somebody reads again. */
  readonly isUrgent?: boolean;
  readonly done: (outcome: Outcome) => void;
}

export interface BusOptions {
  readonly framing: "rtu" | "tcp";
  /** Bits a second, of a serial line. */
  readonly baud: number;
}

/** Questions that may wait. More would be older than anybody wants to know. */
const mostWaiting = 256;

/** ms until a unit that has not answered is asked again, at most. */
const longestPause = 30_000;

/** ms until a link that could not be opened is tried again. */
const reopenTime = 1_000;

/** Questions without an answer after which a connection is opened anew. */
const mostUnanswered = 2;

/** A unit that does not answer. */
interface Silent {
  readonly times: number;
  /** In ms on the clock. */
  readonly until: Milliseconds;
}

export class Bus implements LinkHandler {
  private readonly clock: Clock;
  private readonly link: Link;
  private readonly options: BusOptions;
  private readonly silence: Milliseconds;
  private readonly alarm: Alarm;
  private readonly waiting: Ask[] = [];
  private readonly silent = new Map<number, Silent>();
  private asked: Ask | undefined;
  private deadline: Milliseconds = 0;
  private state: "closed" | "opening" | "open" | "ended" = "closed";
  /** Why the link could not be opened, until `reopenAt`. */
  private refusal = "";
  private reopenAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private quietFrom: Milliseconds = Number.NEGATIVE_INFINITY;
  private received = "";
  /** The frame that the line may return before the answer; "" once it has, and behind a server. */
  private sent = "";
  /** Whether the line returns what is sent, as some RS-485 adapters do; undefined before the first answer. */
  private isEchoing: boolean | undefined;
  private transaction = 0;
  private unanswered = 0;
  /** Whether a question was answered since the link was opened. */
  private hasAnswered = false;
  private lastCounts: ModbusCounts | undefined;
  private isAdvancing = false;

  constructor(clock: Clock, link: Link, options: BusOptions) {
    this.clock = clock;
    this.link = link;
    this.options = options;
    this.silence = options.framing === "rtu" ? Math.ceil(silenceOf(options.baud)) : 0;
    this.isEchoing = link.isEchoing;
    this.alarm = new Alarm(clock, () => this.onAlarm());
  }

  /** Asks in the caller's turn. `done` is called once, perhaps before this returns. */
  ask(ask: Ask): void {
    if (this.state === "ended" || this.waiting.length >= mostWaiting) {
      ask.done({ reason: this.state === "ended" ? "it is closed" : "too many questions wait" });
      return;
    }
    this.waiting.push(ask);
    this.advance();
  }

  /** Ends all questions. Calling it again has no effect. */
  close(): void {
    if (this.state === "ended") return;
    // Also a link that has closed by itself: it may wait for its device.
    this.link.close();
    this.state = "ended";
    this.alarm.stop();
    const { asked } = this;
    this.asked = undefined;
    for (const ask of [...(asked ? [asked] : []), ...this.waiting.splice(0)]) ask.done({ reason: "it is closed" });
  }

  onBytes(bytes: string): void {
    this.quietFrom = this.clock.now() + this.silence;
    this.received = (this.received + bytes).slice(-2 * longestFrame);
    if (this.options.framing === "rtu") this.takeRtu();
    else this.takeTcp();
    this.advance();
  }

  onGone(reason: string): void {
    if (this.state === "ended") return;
    const { asked, options } = this;
    // A server may close a connection that was idle, or after each answer: the next question opens another one.
    const isUsual = options.framing === "tcp" && this.hasAnswered;
    this.state = "closed";
    this.received = "";
    this.unanswered = 0;
    this.reopenAt = this.clock.now() + (isUsual ? 0 : reopenTime);
    this.refusal = reason;
    if (isUsual && asked !== undefined) this.askAgain(asked);
    else this.finish({ reason });
    this.advance();
  }

  /** Asks the next question, if it may. It is never entered from within itself. */
  private advance(): void {
    if (this.isAdvancing) return;
    this.isAdvancing = true;
    try {
      while (this.step());
    } finally {
      this.isAdvancing = false;
    }
  }

  /** @returns whether another step may follow at once. */
  private step(): boolean {
    const [next] = this.waiting;
    if (next === undefined || this.asked !== undefined || this.state === "opening" || this.state === "ended") {
      return false;
    }
    const now = this.clock.now();
    const pause = next.isUrgent === true ? 0 : (this.silent.get(next.unit)?.until ?? now) - now;
    const closed = this.state === "closed" ? this.reopenAt - now : 0;
    if (pause > 0 || closed > 0) {
      this.waiting.shift();
      const wait = `it is asked again in ${Math.ceil(Math.max(pause, closed) / 1_000)} s`;
      next.done({ reason: closed > 0 ? this.refusal : `it does not answer; ${wait}` });
      return true;
    }
    if (this.state === "closed") {
      this.open();
      return true;
    }
    if (now < this.quietFrom) {
      this.alarm.move(this.quietFrom);
      return false;
    }
    this.waiting.shift();
    this.send(next);
    return false;
  }

  private open(): void {
    this.state = "opening";
    this.hasAnswered = false;
    this.link.open(this, (reason) => {
      if (this.state !== "opening") return;
      this.state = reason === undefined ? "open" : "closed";
      if (reason !== undefined) {
        this.refusal = reason;
        this.reopenAt = this.clock.now() + reopenTime;
      }
      this.quietFrom = this.clock.now() + this.silence;
      this.advance();
    });
  }

  private send(ask: Ask): void {
    const { framing, baud } = this.options;
    const { unit, question } = ask;
    this.asked = ask;
    this.lastCounts = ask.counts;
    if (framing === "rtu") this.received = "";
    this.transaction = (this.transaction + 1) & 0xffff;
    const frame = framing === "rtu" ? rtuFrame(unit, question.bytes) : tcpFrame(this.transaction, unit, question.bytes);
    this.sent = framing === "rtu" ? frame : "";
    // The time of the bytes on the line is not the unit's.
    const travel = framing === "rtu" ? ((frame.length + question.answerLength + 3) * 11_000) / baud : 0;
    this.deadline = this.clock.now() + ask.time + travel;
    this.alarm.move(this.deadline);
    this.link.send(frame);
  }

  private onAlarm(): void {
    const { asked } = this;
    if (asked === undefined) this.advance();
    else if (this.clock.now() < this.deadline) this.alarm.set(this.deadline);
    else this.giveUp(asked);
  }

  private giveUp(asked: Ask): void {
    // The only copy of a write is the answer, if the line is not known to return anything.
    if (this.isUndecided(asked) && this.received.endsWith(this.sent)) {
      this.isEchoing = false;
      this.takeRtu();
      this.advance();
      return;
    }
    if (this.sent.startsWith(this.received)) this.received = "";
    if (this.options.framing === "rtu" && this.received !== "") {
      asked.counts.garbled += 1;
      this.received = "";
      this.finish({ reason: "its answer has a wrong checksum" });
      this.advance();
      return;
    }
    asked.counts.timeouts += 1;
    const now = this.clock.now();
    const times = (this.silent.get(asked.unit)?.times ?? 0) + 1;
    // A late answer comes while it is not asked, and is told apart.
    this.silent.set(asked.unit, {
      times,
      until: now + Math.min(longestPause, asked.time * 2 ** Math.min(times - 1, 16)),
    });
    this.unanswered += 1;
    this.finish({ reason: `it did not answer within ${asked.time} ms` });
    if (this.options.framing === "tcp" && this.unanswered >= mostUnanswered && this.state === "open") {
      this.link.close();
      this.state = "closed";
      this.received = "";
      this.unanswered = 0;
      this.reopenAt = now;
    }
    this.advance();
  }

  /** Whether the answer to a question is a copy of it, and the line may have made the first copy. */
  private isUndecided({ question }: Ask): boolean {
    return this.sent !== "" && this.isEchoing === undefined && question.answerStart === question.bytes;
  }

  /** Takes off the program's own bytes, which come before the answer. @returns whether they may still be coming. */
  private takeEcho(asked: Ask): boolean {
    const { sent, received } = this;
    const isCopy = asked.question.answerStart === asked.question.bytes;
    if (sent === "" || (isCopy && this.isEchoing === false)) return false;
    const at = received.indexOf(sent); // noise may come before them
    if (at < 0) return sent.startsWith(received);
    const rest = received.slice(at + sent.length);
    if (rest === "" && this.isUndecided(asked)) return true;
    this.received = rest;
    this.sent = "";
    this.isEchoing = true;
    return false;
  }

  private takeRtu(): void {
    if (this.asked !== undefined && this.takeEcho(this.asked)) return;
    for (;;) {
      const frame = findFrame(this.received, 0);
      if (frame === undefined) return;
      this.received = this.received.slice(frame.end);
      if (this.isFor(this.asked, frame)) {
        this.received = "";
        this.conclude(frame.bytes);
        return;
      }
      this.countOther(frame.unit);
    }
  }

  private takeTcp(): void {
    try {
      for (;;) {
        const frame = takeTcpFrame(this.received);
        if (frame === undefined) return;
        this.received = this.received.slice(frame.end);
        const isAsked = this.asked !== undefined && frame.transaction === this.transaction;
        if (isAsked && this.isFor(this.asked, frame)) this.conclude(frame.bytes);
        else this.countOther(frame.unit);
      }
    } catch (error) {
      this.link.close();
      this.onGone(error instanceof Error ? error.message : "it does not speak Modbus TCP");
    }
  }

  private isFor(asked: Ask | undefined, frame: FoundFrame): asked is Ask {
    return asked !== undefined && asked.unit === frame.unit && isAnswer(asked.question, frame.bytes);
  }

  private countOther(unit: number): void {
    const counts = this.asked?.counts ?? this.lastCounts;
    if (counts === undefined) return;
    if (this.asked !== undefined && unit !== this.asked.unit && !this.silent.has(unit)) counts.strays += 1;
    else counts.late += 1;
  }

  private conclude(answer: string): void {
    const { asked } = this;
    if (asked === undefined) return;
    this.silent.delete(asked.unit);
    this.unanswered = 0;
    this.hasAnswered = true;
    if (this.sent !== "") this.isEchoing = false;
    const exception = exceptionOf(answer);
    if (exception === undefined) {
      this.finish(answer);
      return;
    }
    asked.counts.exceptions += 1;
    asked.counts.lastException = exception;
    this.finish({ exception, reason: exceptionText(exception) });
  }

  /** Asks a question that came too late for its connection, by the next one. To write the same value twice is harmless. */
  private askAgain(asked: Ask): void {
    this.asked = undefined;
    this.alarm.stop();
    this.waiting.unshift(asked);
  }

  private finish(outcome: Outcome): void {
    const { asked } = this;
    if (asked === undefined) return;
    this.asked = undefined;
    this.alarm.stop();
    asked.done(outcome);
  }
}
