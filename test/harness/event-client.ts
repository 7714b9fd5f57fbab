/** A client of a stream of events: reads what came, or nothing for a while. */
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { connectOptions } from "./address.ts";
import { eventually } from "./eventually.ts";

/** One event. */
export interface StreamEvent {
  readonly id: string;
  /** On a noun's own stream: its state, or null while it fails. */
  readonly data: State | null;
  /** ms of this process's clock when it came. */
  readonly moment: number;
}

/** Whether a state has these values under these keys. */
function has(state: State | null | undefined, expected: State): boolean {
  return Object.entries(expected).every(([key, value]) => state?.[key] === value);
}

/** One stream, on a connection of its own, which is dropped with the running test. */
export class EventClient {
  readonly events: StreamEvent[] = [];
  /** All that was received, one character a byte. */
  received = "";
  private readonly socket: Socket;
  private unread = "";
  private ended = false;

  constructor(address: string, target: string, fields = "") {
    this.socket = connect(connectOptions(address));
    this.socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${fields}\r\n`);
    this.socket.on("data", (bytes) => this.take(bytes.toString("latin1")));
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => {
      this.ended = true;
    });
    onTestFinished(() => this.drop());
  }

  /** This side's port. */
  get port(): number {
    return this.socket.localPort ?? 0;
  }

  /** Whether the server has ended it. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** The data of the latest event. */
  get last(): State | null | undefined {
    return this.events.at(-1)?.data;
  }

  /** Takes nothing off the socket any more, until `resume`. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  drop(): void {
    this.socket.destroy();
  }

  /** Waits until so many events have come. */
  async count(count: number): Promise<void> {
    await eventually(`${count} events, not ${this.events.length}`, () => this.events.length >= count);
  }

  /** Whether the latest event says this. */
  holds(expected: State): boolean {
    return has(this.last, expected);
  }

  /** Waits until the latest event says this: what stays so. */
  async says(expected: State): Promise<void> {
    await eventually(`the event ${JSON.stringify(expected)} after ${JSON.stringify(this.last)}`, () => {
      return this.holds(expected);
    });
  }

  /** Waits until an event has said this: what passes by itself may be over before anybody looks. */
  async hasSaid(expected: State): Promise<void> {
    await eventually(`the event ${JSON.stringify(expected)}`, () => {
      return this.events.some(({ data }) => has(data, expected));
    });
  }

  private take(bytes: string): void {
    this.received += bytes;
    this.unread += bytes;
    const parts = this.unread.split("\n\n");
    this.unread = parts.pop() ?? "";
    const moment = performance.now();
    for (const part of parts) {
      const [, id = "", data = ""] = /^id: (.*)\ndata: (.*)$/m.exec(part) ?? [];
      if (id !== "")
        this.events.push({ id, data: JSON.parse(Buffer.from(data, "latin1").toString()) as State, moment });
    }
  }
}
