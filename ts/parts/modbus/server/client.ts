/**
 * A client of Modbus TCP: its frames, one after the other. It holds the bytes of one read at most, a question has time
 * to become whole, and answers that it does not take end it.
 */

import { clientOf } from "../../../core/access/client-address.ts";
import type { Host } from "../../../core/server/host.ts";
import { Alarm } from "../../../core/time/alarm.ts";
import type { Postponed } from "../../../core/time/turns.ts";
import type { Socket, SocketHandler } from "../../../native/net.ts";
import { takeTcpFrame, tcpFrame } from "../framing.ts";
import { Inquiry, type Master, type RegisterMap } from "./register-map.ts";

export class ModbusClient implements SocketHandler, Postponed, Master {
  /** When its last question was answered, in ms on the clock; before any time if it has asked none. */
  usedAt = Number.NEGATIVE_INFINITY;
  readonly by: string;
  /** Whose client it is. */
  readonly of: string;
  private readonly socket: Socket;
  private readonly host: Host;
  private readonly inquiry: Inquiry;
  private readonly onClosed: (client: ModbusClient) => void;
  private readonly alarm: Alarm;
  private received = "";
  /** Of the question that is answered. */
  private transaction = 0;
  private unit = 0;
  /** Whether it waits for something: reading is stopped, or a time is set. */
  private isHeld = false;
  /** Whether a question begins in this turn. */
  private isAsking = false;
  private isBlocked = false;
  private isPostponed = false;
  private isEnding = false;
  private isOpen = true;

  /** @param onClosed called once. */
  constructor(socket: Socket, host: Host, map: RegisterMap, by: string, onClosed: (client: ModbusClient) => void) {
    this.socket = socket;
    this.host = host;
    this.inquiry = new Inquiry(map, this);
    this.by = by;
    this.of = clientOf(socket.peer);
    this.onClosed = onClosed;
    this.alarm = new Alarm(host.clock, () => this.close());
    socket.setLongLived();
  }

  get hasAsked(): boolean {
    return this.usedAt > Number.NEGATIVE_INFINITY;
  }

  /** Whether it waits for a noun. */
  get isBusy(): boolean {
    return this.inquiry.isWaiting;
  }

  onBytes(bytes: string): void {
    this.received += bytes;
    this.advance();
  }

  onEnd(): void {
    this.isEnding = true;
    if (!this.isBusy) this.close();
  }

  onDrain(): void {
    this.isBlocked = false;
    this.advance();
  }

  onGone(): void {
    this.close();
  }

  onTurn(): boolean {
    this.isPostponed = false;
    this.advance();
    return true;
  }

  /** Answers the question that waits for a noun, if there is one, and closes. */
  finish(): void {
    this.isEnding = true;
    this.received = "";
    if (!this.isBusy) this.close();
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.alarm.stop();
    this.inquiry.abandon();
    this.socket.close();
    this.onClosed(this);
  }

  /** Answers what has come, while there is time in this turn. */
  private advance(): void {
    let isFirst = true;
    while (this.received !== "" && !this.isBlocked && !this.isPostponed && !this.isBusy) {
      if (!isFirst && !this.host.turns.hasTime()) {
        this.isPostponed = true;
        this.host.turns.add(this);
        break;
      }
      isFirst = false;
      if (!this.takeQuestion()) break;
    }
    // Most questions are answered at once.
    if (this.received === "" && !this.isHeld && !this.isBlocked && !this.isEnding && !this.isBusy) return;
    if (this.isOpen) this.hold();
  }

  /** Reads on only once it may, and sets its time. */
  private hold(): void {
    if (this.isEnding && !this.isBusy && !this.isBlocked) {
      this.close();
      return;
    }
    // It sends no more than one read while it waits.
    const mayRead = !this.isBusy && !this.isBlocked && !this.isPostponed;
    this.socket.setReading(mayRead);
    this.setDeadline();
    this.isHeld = !mayRead || this.alarm.isSet;
  }

  /** A question must become whole, and answers must be taken, in their time. */
  private setDeadline(): void {
    const { clock, limits } = this.host;
    const isHalf = !this.isBusy && !this.isPostponed && this.received !== "";
    if (this.isBlocked) this.alarm.set(clock.now() + limits.sendTimeout);
    else if (isHalf) this.alarm.set(clock.now() + limits.headersTimeout);
    else this.alarm.stop();
  }

  /** @returns whether there was a whole question. */
  private takeQuestion(): boolean {
    let frame: ReturnType<typeof takeTcpFrame>;
    try {
      frame = takeTcpFrame(this.received, 2);
    } catch {
      // Nothing says where its next frame begins.
      this.close();
      return false;
    }
    if (frame === undefined) return false;
    this.received = this.received.slice(frame.end);
    this.transaction = frame.transaction;
    this.unit = frame.unit;
    this.isAsking = true;
    this.inquiry.begin(frame.bytes);
    this.isAsking = false;
    return this.isOpen;
  }

  onAnswer(answer: string): void {
    if (!this.isOpen) return;
    this.usedAt = this.host.clock.now();
    if (!this.socket.writeBytes(tcpFrame(this.transaction, this.unit, answer))) this.isBlocked = true;
    if (!this.isAsking) this.advance();
  }
}
