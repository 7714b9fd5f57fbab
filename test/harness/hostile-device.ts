/** A device that the mirrors of another one must not trust. What it is not told, it answers as a right one does. */
import { createServer, type Server, type Socket } from "node:net";
import { connectOptions, freeAddress } from "./address.ts";

/** What the mirrors of a device ask it for. */
export type Part = "description" | "stream" | "command";

/** How a device treats a client, once it has the request. */
export type Trick = (socket: Socket) => void;

const bell = { type: "object", properties: { on: { type: "integer" } }, required: ["on"] };

/** The Thing Description of a device with the noun `bell`. @param property what it says of the noun. */
export const descriptionOf = (property: object): string => JSON.stringify({ properties: { bell: property } });

/** A whole response. */
export const whole = (text: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

/** The begin of a stream of events. */
export const events = (...states: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n${states.map((state) => `data: ${state}\n\n`).join("")}`;

/** What a right device with a bell answers. */
export const usual: Readonly<Record<Part, string>> = {
  description: whole(descriptionOf(bell)),
  stream: events('{"on":1}'),
  command: whole('{"on":2}'),
};

/** Bytes, one a character, and then nothing. */
export const says =
  (bytes: string): Trick =>
  (socket) =>
    void socket.write(bytes, "latin1");

export class HostileDevice {
  readonly address: string;
  /** How many requests have come. */
  readonly requests = { description: 0, stream: 0, command: 0 };
  /** How it treats the next one, once. */
  private readonly next = new Map<Part, Trick>();
  private readonly served = new Set<{ readonly part: Part; readonly socket: Socket }>();
  /** Answers that wait until it goes on; undefined while it answers at once. */
  private held: (() => void)[] | undefined;
  private readonly server: Server;

  private constructor(address: string) {
    this.address = address;
    this.server = createServer((socket) => this.serve(socket));
    const { host = "", port = 0 } = connectOptions(address) as { host?: string; port?: number };
    this.server.listen(port, host);
  }

  static async start(): Promise<HostileDevice> {
    return new HostileDevice(await freeAddress());
  }

  close(): void {
    this.server.close();
    for (const { socket } of this.served) socket.destroy();
  }

  answersOnce(part: Part, bytes: string): void {
    this.next.set(part, says(bytes));
  }

  /**
   * Plays a trick once, and then answers nothing until `goOn`: so a mirror that has refused is seen before it is right
   * again, however late somebody looks.
   */
  tricksOnce(part: Part, trick: Trick): void {
    this.next.set(part, (socket) => {
      this.held = [];
      trick(socket);
    });
  }

  /** Answers as usual again. */
  goOn(): void {
    const { held = [] } = this;
    this.held = undefined;
    for (const answer of held) answer();
  }

  /** Ends the streams, so that the mirror connects again. */
  endStreams(): void {
    for (const { part, socket } of this.served) if (part === "stream") socket.destroy();
  }

  private serve(socket: Socket): void {
    let text = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const isCommand = text.startsWith("PUT ");
      if (isCommand && text.endsWith("\r\n\r\n")) {
        socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        return;
      }
      const part = isCommand ? "command" : text.startsWith("GET /.well-known/wot ") ? "description" : "stream";
      const isProbe = text.startsWith("OPTIONS ");
      text = "";
      if (isProbe) socket.end("HTTP/1.1 204 No Content\r\n\r\n");
      else this.answer(part, socket);
    });
  }

  private answer(part: Part, socket: Socket): void {
    if (this.held !== undefined) {
      this.held.push(() => this.answer(part, socket));
      return;
    }
    const one = { part, socket };
    this.served.add(one);
    socket.once("close", () => this.served.delete(one));
    this.requests[part] += 1;
    const trick = this.next.get(part) ?? says(usual[part]);
    this.next.delete(part);
    if (!socket.destroyed) trick(socket);
  }
}
