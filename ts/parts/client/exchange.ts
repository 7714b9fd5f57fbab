/** One request and its response, on a connection of their own, within a time (RFC 9112, 3 to 6). */
import { utf8Length } from "../../core/http/utf8.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Connector } from "../../native/connector.ts";
import type { Clock } from "../../native/loop.ts";
import type { Socket, SocketHandler } from "../../native/net.ts";
import { type ResponseLimits, ResponseReader } from "./response-reader.ts";
import type { HttpUrl } from "./url.ts";

/** The dependencies of an exchange. */
export interface ExchangeContext {
  readonly clock: Clock;
  /** It throws nothing, as `Dialer`. */
  readonly connector: Pick<Connector, "connect">;
  /** The product that sends: `nound/1.2.3`. */
  readonly agent: string;
}

/** The options of an exchange. */
export interface ExchangeOptions {
  /** The number of the target at the connector. */
  readonly target: number;
  readonly method: string;
  readonly url: HttpUrl;
  /** Field lines, each with its line end. */
  readonly fields: string;
  /** Undefined for none; "" for an empty one. */
  readonly body?: string | undefined;
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

/** @returns the whole request. It asks for the end of the connection. */
function requestText({ method, url, fields, body }: ExchangeOptions, agent: string): string {
  const length = body === undefined ? "" : `Content-Length: ${utf8Length(body)}\r\n`;
  return (
    `${method} ${url.path} HTTP/1.1\r\nHost: ${url.host}\r\nUser-Agent: ${agent}\r\n${fields}${length}` +
    `Connection: close\r\n\r\n${body ?? ""}`
  );
}

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
      else this.begin(socket, requestText(options, context.agent));
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
