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
  /** Answers whose number, of Modbus TCP, is that of no question. */
  misnumbered: number;
  /** Answers to questions that were given up, or had an answer already. */
  late: number;
  /** Exceptions. */
  exceptions: number;
  /** The code of the last one; null before the first. */
  lastException: number | null;
}

/** @returns counts of nothing. */
export function noCounts(): ModbusCounts {
  return { timeouts: 0, garbled: 0, strays: 0, misnumbered: 0, late: 0, exceptions: 0, lastException: null };
}

/** Why a question has no answer. */
export interface Failure {
  /** Whether the unit has answered with an exception: then its code. */
  readonly exception?: number;
  /** Whether the question was sent: the unit may have done what it asks. */
  readonly wasSent?: boolean;
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
  /** Whether it was asked before, without an answer. */
  readonly isRepeated?: true;
  /** The first deadline of one that was sent by a connection that closed: the unit may have done what it asks. */
  readonly lapsesAt?: Milliseconds;
  readonly done: (outcome: Outcome) => void;
}

export interface BusOptions {
  readonly framing: "rtu" | "tcp";
  /** Bits a second, of a serial line; also of one behind a server that passes on the bytes as they are. */
  readonly baud: number;
  /** Whether the link is a connection, which may be opened anew at any time. */
  readonly isConnection: boolean;
}

/** Questions that may wait. More would be older than anybody wants to know. */
const mostWaiting = 256;

/** ms until a unit that has not answered is asked again, at most. */
const longestPause = 30_000;

/** ms until a link that could not be opened is tried again. */
const reopenTime = 1_000;

/** Questions without an answer after which a connection is opened anew. */
const mostUnanswered = 2;

/** ms that a connection has for its first answer: some units are deaf for seconds after each connection. */
const deafTime = 10_000;

/** How often a unit that may be deaf is asked, once in `deafPause` ms. */
const deafQuestions = 8;
const deafPause = 1_000;

/** ms after an answer in which a question may come too soon for a gateway. */
const soon = 1_000;

/** ms of the first pause between an answer and a question, and of the longest one. */
const [firstPause, mostPause] = [150, 600];

/** How many questions may be asked before one that waits for longer. */
const mostOvertaken = 4;

/** How many questions back an answer may still come, or come twice. */
const mostEarlier = 16;

/** Questions without an answer for which a unit is taken for a late one, after it was late. */
const lateQuestions = 3;

/** What is known of a unit. */
interface Peer {
  /** When it has answered last, in ms on the clock. */
  answeredAt: Milliseconds;
  /** Up to how many `silences` it is taken for a late one, because it has answered a question that was given up. */
  lateUntil: number;
  /** Questions without an answer, since the last one. */
  silences: number;
  /** When it is asked again, in ms on the clock. */
  until: Milliseconds;
  /** On a line without numbers, when an answer can be no longer that of a question that was given up. */
  settled: Milliseconds;
  /** ms that a question waits after an answer, as some gateways need; found out. */
  pause: Milliseconds;
  /** Questions in a row that came too soon after an answer, and the ms between. */
  swallowed: number;
  swallowedGap: Milliseconds;
}

export class Bus implements LinkHandler {
  private readonly clock: Clock;
  private readonly link: Link;
  private readonly options: BusOptions;
  private readonly isRtu: boolean;
  private readonly silence: Milliseconds;
  private readonly alarm: Alarm;
  private readonly waiting: Ask[] = [];
  private readonly peers = new Map<number, Peer>();
  private asked: Ask | undefined;
  /** The question that has just ended, and its outcome. */
  private ended: Ask | undefined;
  private outcome: Outcome = "";
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
  /** Why an answer was not taken for the one that is awaited, as the end of a sentence. */
  private stranger = "";
  private openedAt: Milliseconds = 0;
  private answeredAt: Milliseconds = Number.NEGATIVE_INFINITY;
  /** ms between an answer and the question that is asked. */
  private gap = 0;
  /** How often in a row a question was asked before one that waits for longer. */
  private overtaken = 0;
  private unanswered = 0;
  /** Whether a question was answered since the link was opened. */
  private hasAnswered = false;
  private lastCounts: ModbusCounts | undefined;
  private isAdvancing = false;

  constructor(clock: Clock, link: Link, options: BusOptions) {
    this.clock = clock;
    this.link = link;
    this.options = options;
    this.isRtu = options.framing === "rtu";
    this.silence = this.isRtu ? Math.ceil(silenceOf(options.baud)) : 0;
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

  now(): Milliseconds {
    return this.clock.now();
  }

  /** Calls back each `time` ms. @returns a function that ends this. */
  every(time: Milliseconds, step: () => void): () => void {
    const alarm = new Alarm(this.clock, () => {
      alarm.move(this.clock.now() + time);
      step();
    });
    alarm.set(this.clock.now() + time);
    return () => alarm.stop();
  }

  /** Waits, while others ask. */
  rest(time: Milliseconds): Promise<void> {
    return new Promise((resolve) => {
      new Alarm(this.clock, () => resolve()).set(this.clock.now() + time);
    });
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

  readonly onBytes = (bytes: string): void => {
    this.quietFrom = this.clock.now() + this.silence;
    const received = this.received + bytes;
    this.received = received.length > 2 * longestFrame ? received.slice(-2 * longestFrame) : received;
    if (this.isRtu) this.takeRtu();
    else this.takeTcp();
    const { ended } = this;
    if (ended !== undefined) {
      this.ended = undefined;
      ended.done(this.outcome);
    }
    if (this.waiting.length > 0) this.advance();
  };

  onGone(reason: string): void {
    if (this.state === "ended") return;
    const { asked } = this;
    // A server may close a connection that was idle, or after each answer: the next question opens another one.
    const isUsual = this.options.isConnection && this.hasAnswered;
    this.state = "closed";
    this.received = "";
    this.unanswered = 0;
    this.reopenAt = this.clock.now() + (isUsual ? 0 : reopenTime);
    this.refusal = reason;
    if (isUsual && asked !== undefined) this.askAgain(asked);
    else this.finish({ reason, wasSent: true });
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
    if (this.asked !== undefined || this.waiting.length === 0) return false;
    const isOpen = this.state === "open";
    if (!isOpen && this.state !== "closed") return false;
    const now = this.clock.now();
    let wake = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.waiting.length; index++) {
      const next = this.waiting[index] as Ask;
      const peer = this.peerOf(next.unit);
      const isRefused = !isOpen && now < this.reopenAt;
      if (isRefused || (peer.silences > 0 && peer.until > now && next.isUrgent !== true)) {
        this.waiting.splice(index, 1);
        const seconds = Math.ceil((peer.until - now) / 1_000);
        const reason = isRefused ? this.refusal : `it does not answer; it is asked again in ${seconds} s`;
        next.done({ reason, ...(next.lapsesAt !== undefined && { wasSent: true }) });
        return true;
      }
      if (!isOpen) {
        this.open();
        return true;
      }
      let from = this.quietFrom;
      if (this.answeredAt + peer.pause > from) from = this.answeredAt + peer.pause;
      // Only the answer to a write says what it answers.
      if (this.isRtu && peer.settled > from && isReading(next.question)) from = peer.settled;
      if (from <= now) {
        // Mostly the only one.
        if (index === 0) this.waiting.shift();
        else this.waiting.splice(index, 1);
        this.overtaken = index === 0 ? 0 : this.overtaken + 1;
        this.send(next, now);
        return false;
      }
      wake = Math.min(wake, from);
      // Each answer to another unit makes its pause longer.
      if (this.overtaken >= mostOvertaken) break;
    }
    if (wake < Number.POSITIVE_INFINITY) this.alarm.move(wake);
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
      this.openedAt = this.clock.now();
      this.quietFrom = this.openedAt + this.silence;
      this.advance();
    });
  }

  private send(ask: Ask, now: Milliseconds): void {
    const { unit, question } = ask;
    this.asked = ask;
    this.gap = now - this.answeredAt;
    this.stranger = "";
    this.lastCounts = ask.counts;
    this.deadline = now + ask.time;
    let frame: string;
    if (!this.isRtu) {
      this.transaction = (this.transaction + 1) & 0xffff;
      frame = tcpFrame(this.transaction, unit, question.bytes);
    } else {
      this.received = "";
      frame = rtuFrame(unit, question.bytes);
      this.sent = frame;
      // The time of the bytes on the line is not the unit's.
      this.deadline += ((frame.length + question.answerLength + 3) * 11_000) / this.options.baud;
    }
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
      this.onBytes("");
      return;
    }
    if (this.sent.startsWith(this.received)) this.received = "";
    if (this.isRtu && this.received !== "") {
      asked.counts.garbled += 1;
      this.received = "";
      this.finish({ reason: "its answer has a wrong checksum", wasSent: true });
      this.advance();
      return;
    }
    if (asked.isRepeated !== true) asked.counts.timeouts += 1;
    const now = this.clock.now();
    const peer = this.peerOf(asked.unit);
    this.noteGivenUp(asked, peer, now);
    const reopens = this.reopens(peer, now);
    if (this.mayHaveComeTooSoon(asked, peer)) {
      this.asked = undefined;
      peer.swallowedGap = this.gap;
      this.waiting.push({ ...asked, isRepeated: true });
    } else {
      this.wait(asked, peer, now);
      const later = isLate(peer) ? ", but later" : "";
      this.finish({ reason: `it did not answer within ${asked.time} ms${this.stranger || later}`, wasSent: true });
    }
    if (reopens && this.state === "open") {
      this.link.close();
      this.state = "closed";
      this.received = "";
      this.unanswered = 0;
      this.reopenAt = now;
    }
    this.advance();
  }

  private peerOf(unit: number): Peer {
    const known = this.peers.get(unit);
    if (known !== undefined) return known;
    const never = Number.NEGATIVE_INFINITY;
    const peer: Peer = {
      answeredAt: never,
      lateUntil: -1,
      silences: 0,
      until: never,
      settled: never,
      pause: 0,
      swallowed: 0,
      swallowedGap: 0,
    };
    this.peers.set(unit, peer);
    return peer;
  }

  /** Remembers that an answer may still come. */
  private noteGivenUp({ time }: Ask, peer: Peer, now: Milliseconds): void {
    this.unanswered += 1;
    peer.settled = now + (isLate(peer) ? 4 * time : time);
  }

  /** Whether the connection is of no use. A unit that never answered by it may be deaf for a while. */
  private reopens(peer: Peer, now: Milliseconds): boolean {
    if (!this.options.isConnection || this.unanswered < mostUnanswered) return false;
    return this.hasHeard(peer) || now - Math.max(this.openedAt, this.answeredAt) >= deafTime;
  }

  /** Whether a unit has answered since the link was opened. */
  private hasHeard({ answeredAt }: Peer): boolean {
    return answeredAt >= this.openedAt;
  }

  /**
   * Whether a unit that answers has not got this question: some gateways drop one that follows an answer at once, and
   * some units are deaf after each connection.
   */
  private mayHaveComeTooSoon({ question, isRepeated, isUrgent }: Ask, peer: Peer): boolean {
    if (isRepeated === true || isUrgent === true || peer.silences > 0) return false;
    if (peer.answeredAt === Number.NEGATIVE_INFINITY) return false;
    return isReading(question) && (this.gap < soon || !this.hasHeard(peer));
  }

  /** Has a unit wait for its next question: a late answer comes meanwhile, and is told apart. */
  private wait({ time, isUrgent }: Ask, peer: Peer, now: Milliseconds): void {
    // Those who insist ask more often, which says nothing about how long it is silent.
    if (isUrgent !== true || peer.silences === 0) peer.silences += 1;
    const isDeaf = this.options.isConnection && !this.hasHeard(peer) && peer.silences <= deafQuestions;
    const pause = Math.min(isDeaf ? deafPause : longestPause, time * 2 ** Math.min(peer.silences - 1, 16));
    peer.until = Math.max(now + pause, this.isRtu ? peer.settled : now);
  }

  /** Finds out how long a gateway must rest between an answer and a question. */
  private learnPause(peer: Peer): void {
    if (!this.hasHeard(peer)) return;
    peer.swallowed += 1;
    // Once may be by chance.
    if (peer.swallowed < 2) return;
    peer.swallowed = 0;
    peer.pause = Math.min(mostPause, peer.pause === 0 ? firstPause : 2 * peer.pause);
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
      while (this.received !== "") {
        const frame = takeTcpFrame(this.received);
        if (frame === undefined) return;
        this.received = this.received.slice(frame.end);
        this.unanswered = 0; // the connection is of use
        const isNumbered = frame.transaction === this.transaction;
        if (isNumbered && this.isFor(this.asked, frame)) this.conclude(frame.bytes);
        else if (isNumbered || this.isEarlier(frame.transaction)) this.countOther(frame.unit);
        else this.countMisnumbered();
      }
    } catch (error) {
      this.link.close();
      this.onGone(error instanceof Error ? error.message : "it does not speak Modbus TCP");
    }
  }

  private isFor(asked: Ask | undefined, frame: FoundFrame): asked is Ask {
    return asked !== undefined && asked.unit === frame.unit && isAnswer(asked.question, frame.bytes);
  }

  /** Whether one of the last questions had a number. */
  private isEarlier(transaction: number): boolean {
    const age = (this.transaction - transaction) & 0xffff;
    // The first one has the number 1.
    return age <= mostEarlier && age < this.transaction;
  }

  /** Counts an answer that is not the one that is awaited. */
  private countOther(unit: number): void {
    const counts = this.asked?.counts ?? this.lastCounts;
    if (counts === undefined) return;
    const peer = this.peers.get(unit);
    const mayBeLate = peer !== undefined && this.clock.now() < Math.max(peer.until, peer.settled);
    if (this.asked !== undefined && unit !== this.asked.unit && !mayBeLate) {
      counts.strays += 1;
      this.stranger = `, but unit ${unit} did`;
      return;
    }
    counts.late += 1;
    if (mayBeLate) peer.lateUntil = peer.silences + lateQuestions;
  }

  private countMisnumbered(): void {
    const counts = this.asked?.counts ?? this.lastCounts;
    if (counts !== undefined) counts.misnumbered += 1;
    this.stranger = ", but an answer has the number of another question";
  }

  private conclude(answer: string): void {
    const { asked } = this;
    if (asked === undefined) return;
    const peer = this.peerOf(asked.unit);
    peer.silences = 0;
    if (asked.isRepeated === true) this.learnPause(peer);
    else if (this.gap <= peer.swallowedGap) peer.swallowed = 0;
    this.answeredAt = this.clock.now();
    peer.answeredAt = this.answeredAt;
    // This may be the answer to the first copy of a question: that to the last one then comes as long after it as the
    // last one was sent after the first.
    if (asked.lapsesAt !== undefined) peer.settled = this.answeredAt + this.deadline - asked.lapsesAt + asked.time;
    this.unanswered = 0;
    this.hasAnswered = true;
    if (this.sent !== "") this.isEchoing = false;
    const exception = exceptionOf(answer);
    this.outcome = answer;
    if (exception !== undefined) {
      asked.counts.exceptions += 1;
      asked.counts.lastException = exception;
      this.outcome = { exception, reason: exceptionText(exception) };
    }
    this.asked = undefined;
    this.ended = asked;
    this.alarm.stop();
  }

  /** Asks a question that came too late for its connection, by the next one. To write the same value twice is harmless. */
  private askAgain(asked: Ask): void {
    this.asked = undefined;
    this.alarm.stop();
    this.waiting.unshift({ ...asked, lapsesAt: asked.lapsesAt ?? this.deadline });
  }

  private finish(outcome: Outcome): void {
    const { asked } = this;
    if (asked === undefined) return;
    this.asked = undefined;
    this.alarm.stop();
    asked.done(outcome);
  }
}

function isReading({ bytes }: Question): boolean {
  return bytes.charCodeAt(0) <= 4;
}

function isLate({ silences, lateUntil }: Peer): boolean {
  return silences <= lateUntil;
}
