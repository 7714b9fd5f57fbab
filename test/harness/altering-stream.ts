/** One end of a connection that sends other bytes than it should, at a place that the test chooses. */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** How the bytes of one end are changed. */
export interface Alteration {
  /** From 0, counted in all that this end sends: its part of the handshake, then its records. None of them below 0. */
  readonly place: number;
  /** What happens there: another byte, the end of the connection, or from there on a byte a second. */
  readonly change: "byte" | "fin" | "rst" | "slow";
}

/** Passes bytes to a socket and alters them at one place. */
export class AlteringStream extends Duplex {
  /** All that this end has written, before it was altered. */
  readonly written: Buffer[] = [];
  /** Bytes of that. */
  sent = 0;
  /** Whether the place was reached. */
  isAltered = false;
  readonly #socket: Socket;
  readonly #alteration: Alteration;

  constructor(socket: Socket, alteration: Alteration) {
    super();
    this.#socket = socket;
    this.#alteration = alteration;
    socket.on("data", (bytes) => this.push(bytes));
    socket.on("close", () => this.destroy());
  }

  override _read(): void {
    // The socket pushes.
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    const at = this.#alteration.place - this.sent;
    this.sent += bytes.length;
    this.written.push(bytes);
    if (at >= 0 && at < bytes.length) {
      this.isAltered = true;
      this.#alter(bytes, at);
    } else if (this.#socket.writable && !(this.isAltered && this.#alteration.change === "slow")) {
      this.#socket.write(bytes);
    }
    done();
  }

  #alter(bytes: Buffer, at: number): void {
    const socket = this.#socket;
    if (this.#alteration.change === "byte") {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ (1 + Math.floor(Math.random() * 255));
      socket.write(altered);
      return;
    }
    socket.write(bytes.subarray(0, at));
    if (this.#alteration.change === "fin") socket.end();
    else if (this.#alteration.change === "rst") socket.resetAndDestroy();
    else this.#sendSlowly(bytes, at);
  }

  #sendSlowly(bytes: Buffer, at: number): void {
    let next = at;
    const timer = setInterval(() => this.#socket.write(bytes.subarray(next, ++next)), 1_000);
    this.#socket.once("close", () => clearInterval(timer));
  }
}
