/**
 * Commands to another device, one after the other on one connection. The device gets a command's body only after it has
 * said that it reads it (RFC 9110, 10.1.1): a device that hangs gets none, and executes none when it goes on later. A
 * command whose body was sent is never sent again.
 */

import { Alarm } from "../../core/time/alarm.ts";
import type { Socket, SocketHandler } from "../../native/net.ts";
import type { ExchangeContext, Outcome } from "../client/exchange.ts";
import { ResponseReader } from "../client/response-reader.ts";
import type { OtherDeviceOptions } from "./other-device.ts";

interface Command {
  /** The head, whose last line is still to come. */
  readonly head: string;
  readonly body: string;
  /** In ms on the clock. */
  readonly deadline: number;
  readonly done: (outcome: Outcome) => void;
}

/** ms from the command to its answer. A noun's operation takes no longer. */
const time = 4_500;
/** ms after which a connection without commands is closed. */
const idleTime = 5_000;

const limits = { headBytes: 8_192, bodyBytes: 65_536 };

export class Commands implements SocketHandler {
  private readonly context: ExchangeContext;
  private readonly options: OtherDeviceOptions;
  private readonly waiting: Command[] = [];
  private current: Command | undefined;
  private socket: Socket | undefined;
  /** Of the response to the current command. */
  private reader: ResponseReader | undefined;
  /** Whether the connection has brought an answer before. */
  private isUsed = false;
  private readonly alarm: Alarm;

  constructor(context: ExchangeContext, options: OtherDeviceOptions) {
    this.context = context;
    this.options = options;
    this.alarm = new Alarm(context.clock, () => this.onAlarm());
  }

  /**
   * @param head the request line and the fields but for `Expect`, each with its line end.
   * @param body as it is sent, in chunks or not.
   * @param done called once.
   */
  perform(head: string, body: string, done: (outcome: Outcome) => void): void {
    this.waiting.push({ head, body, deadline: this.context.clock.now() + time, done });
    if (this.current === undefined) this.next();
  }

  /** The device is gone: no command waits for it. @param reason a sentence. */
  fail(reason: string): void {
    const notSent = `${reason} The command was not sent.`;
    for (const { done } of this.waiting.splice(0)) done(notSent);
    if (this.current === undefined) this.drop();
    else this.end(this.isBodySent ? `${reason} Nobody knows whether the command was executed.` : notSent, false);
  }

  close(): void {
    this.fail("The device ends.");
    this.alarm.stop();
  }

  onBytes(bytes: string): void {
    const { reader } = this;
    if (reader === undefined) {
      this.drop(); // nobody has asked
      return;
    }
    const wasBodySent = this.isBodySent;
    try {
      reader.take(bytes);
    } catch (error) {
      this.end(error instanceof Error ? error.message : "The response is malformed.", false);
      return;
    }
    if (this.isBodySent && !wasBodySent) this.socket?.write(this.current?.body ?? "");
    if (reader.isDone) this.finish(reader);
  }

  onEnd(): void {
    const { reader } = this;
    try {
      reader?.end();
    } catch {
      // The response is not complete.
    }
    if (reader?.isDone) this.finish(reader);
    else this.onGone();
  }

  onDrain(): void {}

  /** The connection broke. A command whose body was not sent has not been executed, and may be sent once more. */
  onGone(): void {
    this.drop();
    if (this.current === undefined) return;
    if (this.isBodySent) this.end("The connection broke: nobody knows whether the command was executed.", false);
    else if (this.isUsed) this.begin(this.current);
    else this.end("The connection broke before the command was sent.", false);
  }

  /** The body is sent when the device has said that it reads it. */
  private get isBodySent(): boolean {
    return this.reader?.isContinued === true;
  }

  private next(): void {
    const now = this.context.clock.now();
    for (let command = this.waiting.shift(); command !== undefined; command = this.waiting.shift()) {
      if (command.deadline <= now) {
        command.done("It was not sent: commands before it took too long.");
        continue;
      }
      this.current = command;
      this.alarm.move(command.deadline);
      this.begin(command);
      return;
    }
    this.alarm.move(now + idleTime);
  }

  private begin(current: Command): void {
    const { socket } = this;
    const { isEncrypted, stateLimits, target } = this.options;
    const bodyBytes = Math.max(limits.bodyBytes, stateLimits().stateBytes);
    this.reader = new ResponseReader({ ...limits, bodyBytes, isEndProven: isEncrypted }, true);
    const send = (to: Socket) => to.write(`${current.head}Expect: 100-continue\r\n\r\n`);
    if (socket !== undefined) {
      send(socket);
      return;
    }
    const left = current.deadline - this.context.clock.now();
    this.context.connector.connect(target, Math.max(1, left), (connected, reason) => {
      if (this.current !== current) connected?.close();
      else if (connected === undefined) this.end(`It cannot be reached: ${reason}.`, false);
      else {
        this.socket = connected;
        this.isUsed = false;
        connected.handler = this;
        send(connected);
      }
    });
  }

  private finish(reader: ResponseReader): void {
    const closes = !this.isBodySent || (reader.field("connection") ?? "").toLowerCase().includes("close");
    this.isUsed = true;
    this.end(reader, !closes);
  }

  private onAlarm(): void {
    if (this.current === undefined) this.drop();
    else {
      const sent = this.isBodySent ? "nobody knows whether the command was executed" : "the command was not sent";
      this.end(`There was no answer within ${time} ms: ${sent}.`, false);
    }
  }

  private end(outcome: Outcome, keeps: boolean): void {
    const { current } = this;
    if (!keeps) this.drop();
    this.current = undefined;
    this.reader = undefined;
    current?.done(outcome);
    if (this.current === undefined) this.next();
  }

  private drop(): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
  }
}
