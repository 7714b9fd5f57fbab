/**
 * Commands to another device, one after the other on one connection. The device gets a command's body only after it has
 * said that it reads it (RFC 9110, 10.1.1): a device that hangs gets none, and executes none when it goes on later. A
 * command whose body was sent is never sent again.
 */
import type { ExchangeContext } from "../client/exchange.ts";
import { type ResponseLimits, ResponseReader } from "../client/response-reader.ts";
import type { Socket, SocketHandler } from "../native/net.ts";
import { Alarm } from "../time/alarm.ts";
import type { StateLimits } from "./mirror-noun.ts";

/** What came of a command: the response; or a sentence that says why there is none. */
export type CommandOutcome = { readonly status: number; readonly body: string } | string;

interface Command {
  /** The head, whose last line is still to come. */
  readonly head: string;
  readonly body: string;
  /** In ms on the clock. */
  readonly deadline: number;
  readonly done: (outcome: CommandOutcome) => void;
}

/** What the commands of a device need. */
export interface CommandsTarget {
  /** The number at the connector. */
  readonly target: number;
  readonly isEncrypted: boolean;
  readonly stateLimits: () => StateLimits;
}

/** ms from the command to its answer. A noun's operation takes no longer. */
const time = 4_500;
/** ms after which a connection without commands is closed. */
const idleTime = 5_000;

const limits = { headBytes: 8_192, bodyBytes: 65_536 };
const goAhead = "HTTP/1.1 100 ";
const headEnd = "\r\n\r\n";

export class Commands implements SocketHandler {
  private readonly context: ExchangeContext;
  private readonly options: CommandsTarget;
  private readonly waiting: Command[] = [];
  private current: Command | undefined;
  private socket: Socket | undefined;
  private reader: ResponseReader | undefined;
  /** Bytes of a head that may be an interim response. */
  private interim = "";
  private isBodySent = false;
  /** Whether the connection has brought an answer before. */
  private isUsed = false;
  private readonly alarm: Alarm;

  constructor(context: ExchangeContext, options: CommandsTarget) {
    this.context = context;
    this.options = options;
    this.alarm = new Alarm(context.clock, () => this.onAlarm());
  }

  /**
   * @param head the request line and the fields but for `Expect`, each with its line end.
   * @param body as it is sent, in chunks or not.
   * @param done called once.
   */
  perform(head: string, body: string, done: (outcome: CommandOutcome) => void): void {
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
    const { current } = this;
    if (current === undefined) {
      this.drop(); // nobody has asked
      return;
    }
    try {
      this.read(current, bytes);
    } catch (error) {
      this.end(error instanceof Error ? error.message : "The response is malformed.", false);
    }
  }

  onEnd(): void {
    try {
      if (this.reader !== undefined) this.reader.end();
      if (this.reader?.isDone) this.finish(this.reader);
      else this.broken();
    } catch {
      this.broken();
    }
  }

  onDrain(): void {}

  onGone(): void {
    this.broken();
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
      this.begin();
      return;
    }
    this.alarm.move(now + idleTime);
  }

  private begin(): void {
    const { current, socket } = this;
    if (current === undefined) return;
    this.isBodySent = false;
    this.interim = "";
    this.reader = undefined;
    const send = (to: Socket) => to.write(`${current.head}Expect: 100-continue\r\n\r\n`);
    if (socket !== undefined) {
      send(socket);
      return;
    }
    const left = current.deadline - this.context.clock.now();
    this.context.connector.connect(this.options.target, Math.max(1, left), (connected, reason) => {
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

  private read(current: Command, bytes: string): void {
    let rest = bytes;
    if (this.reader === undefined) {
      this.interim += rest;
      const end = this.interim.indexOf(headEnd);
      if (end < 0 && this.interim.length <= limits.headBytes) return;
      rest = this.interim;
      this.interim = "";
      if (!this.isBodySent && rest.startsWith(goAhead) && end >= 0) {
        this.isBodySent = true;
        this.socket?.write(current.body);
        rest = rest.slice(end + headEnd.length);
        if (rest === "") return;
      }
      this.reader = new ResponseReader(this.limits(), true);
    }
    const { reader } = this;
    reader.take(rest);
    if (reader.isDone) this.finish(reader);
  }

  private limits(): ResponseLimits {
    const { isEncrypted, stateLimits } = this.options;
    const bodyBytes = Math.max(limits.bodyBytes, stateLimits().stateBytes);
    return { ...limits, bodyBytes, isEndProven: isEncrypted };
  }

  private finish(reader: ResponseReader): void {
    const closes = !this.isBodySent || (reader.field("connection") ?? "").toLowerCase().includes("close");
    this.isUsed = true;
    this.end({ status: reader.status, body: reader.body }, !closes);
  }

  /** The connection broke. A command whose body was not sent has not been executed, and may be sent once more. */
  private broken(): void {
    this.socket?.close();
    this.socket = undefined;
    if (this.current === undefined) return;
    if (this.isUsed && !this.isBodySent) this.begin();
    else if (this.isBodySent) this.end("The connection broke: nobody knows whether the command was executed.", false);
    else this.end("The connection broke before the command was sent.", false);
  }

  private onAlarm(): void {
    if (this.current === undefined) this.drop();
    else {
      const sent = this.isBodySent ? "nobody knows whether the command was executed" : "the command was not sent";
      this.end(`There was no answer within ${time} ms: ${sent}.`, false);
    }
  }

  private end(outcome: CommandOutcome, keeps: boolean): void {
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
