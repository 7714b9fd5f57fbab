/**
 * A unit on a serial line: it answers the questions for its number, among those for others and their answers. It never
 * answers once other bytes have come, because the master has gone on.
 */
import { Alarm } from "../../../core/time/alarm.ts";
import type { Clock } from "../../../native/loop.ts";
import type { Link, LinkHandler } from "../bus.ts";
import { findTraffic, longestFrame, rtuFrame, silenceOf } from "../framing.ts";
import { Inquiry, type RegisterMap } from "./register-map.ts";

/** ms until a line that could not be opened is tried again. */
const reopenTime = 1_000;

export class ModbusLine implements LinkHandler {
  private readonly clock: Clock;
  private readonly link: Link;
  private readonly unit: number;
  private readonly silence: number;
  private readonly map: RegisterMap;
  private readonly report: (sentence: string) => void;
  private readonly alarm: Alarm;
  private received = "";
  /** What the line may return of the last answer. */
  private sent = "";
  /** An answer that waits for the silence before it; "" for none. */
  private answer = "";
  /** The last question. */
  private inquiry: Inquiry | undefined;
  private reported = "";
  private isOpen = false;
  private isEnded = false;

  /** @param report receives why the line cannot be used. */
  constructor(
    clock: Clock,
    link: Link,
    { unit, baud }: { readonly unit: number; readonly baud: number },
    map: RegisterMap,
    report: (sentence: string) => void,
  ) {
    this.clock = clock;
    this.link = link;
    this.unit = unit;
    this.silence = Math.ceil(silenceOf(baud));
    this.map = map;
    this.report = report;
    this.alarm = new Alarm(clock, () => this.onAlarm());
    this.open();
  }

  onBytes(bytes: string): void {
    // The master has gone on.
    this.abandon();
    this.answer = "";
    this.received = (this.received + bytes).slice(-2 * longestFrame);
    if (this.sent !== "" && !this.takeEcho()) return;
    for (;;) {
      const frame = findTraffic(this.received);
      if (frame === undefined) return;
      this.received = this.received.slice(frame.end);
      const isLast = this.received === "";
      if (frame.isQuestion && (frame.unit === this.unit || frame.unit === 0))
        this.take(frame.unit, frame.bytes, isLast);
    }
  }

  onGone(reason: string): void {
    this.isOpen = false;
    this.tell(reason);
    if (!this.isEnded) this.alarm.set(this.clock.now() + reopenTime);
  }

  close(): void {
    this.isEnded = true;
    this.alarm.stop();
    this.abandon();
    this.link.close();
  }

  private abandon(): void {
    this.inquiry?.abandon();
    this.inquiry = undefined;
  }

  private open(): void {
    this.link.open(this, (reason) => {
      this.isOpen = reason === undefined;
      if (reason === undefined) this.reported = "";
      else {
        this.tell(reason);
        this.alarm.set(this.clock.now() + reopenTime);
      }
    });
  }

  private tell(reason: string): void {
    if (reason !== this.reported) this.report(reason);
    this.reported = reason;
  }

  private onAlarm(): void {
    if (!this.isOpen) {
      this.open();
      return;
    }
    const { answer } = this;
    this.answer = "";
    if (answer === "") return;
    this.sent = answer;
    this.link.send(answer);
  }

  /** Takes off the answer that some adapters return. @returns whether what came is more than that. */
  private takeEcho(): boolean {
    if (this.sent.startsWith(this.received) && this.received.length < this.sent.length) return false;
    if (this.received.startsWith(this.sent)) this.received = this.received.slice(this.sent.length);
    this.sent = "";
    return this.received !== "";
  }

  /** @param isLast whether nothing has come behind the question. */
  private take(unit: number, question: string, isLast: boolean): void {
    const onAnswer = (answer: string): void => {
      // All units take a question for 0, and none answers it.
      if (unit === 0 || !isLast) return;
      this.answer = rtuFrame(unit, answer);
      this.alarm.move(this.clock.now() + this.silence);
    };
    this.inquiry = new Inquiry(this.map, { by: "modbus", onAnswer });
    this.inquiry.begin(question);
  }
}
