/** One request and its response, on a connection of their own, within a time. */
import type { Connector } from "../native/connector.ts";
import type { Clock } from "../native/loop.ts";
import type { Socket, SocketHandler } from "../native/net.ts";
import { Alarm } from "../time/alarm.ts";
import { type ResponseLimits, ResponseReader } from "./response-reader.ts";

/** The dependencies of an exchange. */
export interface ExchangeContext {
  readonly clock: Clock;
  /** It throws nothing, as `Dialer`. */
  readonly connector: Pick<Connector, "connect">;
}

/** The options of an exchange. */
export interface ExchangeOptions {
  /** The number of the target at the connector. */
  readonly target: number;
  /** The whole request as text. It must ask for the end of the connection. */
  readonly request: string;
  readonly limits: ResponseLimits;
  /** ms from the call for a connection to the last byte of the response. */
  readonly time: number;
  /** Whether the body is wanted. */
  readonly keepsBody: boolean;
  /** Gets the bytes of the body as they come, in place of `body`. Then no chunks are accepted. */
  readonly onBody?: ((bytes: string) => void) | undefined;
}

/** The part of the time in which a connection must be made. The rest is for the request. */
const connecting = 0.8;

/** The response; or a sentence that says why it did not come. */
export type Outcome = ResponseReader | string;

export class Exchange implements SocketHandler {
  private readonly reader: ResponseReader;
  private readonly alarm: Alarm;
  private socket: Socket | undefined;
  /** Undefined once it was called. */
  private done: ((outcome: Outcome) => void) | undefined;

  /** @param done called once, now or later, when nothing is held any more. */
  constructor(context: ExchangeContext, options: ExchangeOptions, done: (outcome: Outcome) => void) {
    this.reader = new ResponseReader(options.limits, options.keepsBody, options.onBody);
    this.done = done;
    this.alarm = new Alarm(context.clock, () => this.end(`There was no response within ${options.time} ms.`));
    this.alarm.set(context.clock.now() + options.time);
    context.connector.connect(options.target, options.time * connecting, (socket, reason) => {
      if (socket === undefined) this.end(`It cannot be reached: ${reason}.`);
      else this.begin(socket, options.request);
    });
  }

  /** Ends it without a response. Calling it again has no effect. */
  cancel(): void {
    this.end("It was cancelled.");
  }

  onBytes(bytes: string): void {
    this.read(() => this.reader.take(bytes));
  }

  onEnd(): void {
    this.read(() => this.reader.end());
  }

  onDrain(): void {}

  onGone(): void {
    this.socket = undefined;
    this.end("The connection broke before the response was complete.");
  }

  private begin(socket: Socket, request: string): void {
    if (this.done === undefined) {
      socket.close();
      return;
    }
    this.socket = socket;
    socket.handler = this;
    socket.write(request);
  }

  private read(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.end(error instanceof Error ? error.message : "an unknown error");
      return;
    }
    if (this.reader.isDone) this.end(this.reader);
  }

  private end(outcome: Outcome): void {
    const { done } = this;
    if (done === undefined) return;
    this.done = undefined;
    this.alarm.stop();
    this.socket?.close();
    this.socket = undefined;
    done(outcome);
  }
}
