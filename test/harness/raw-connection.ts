/** A client that writes and reads bytes: it sends what no HTTP library would and accepts only what a strict one may. */
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { connect as connectSealed } from "node:tls";
import { onTestFinished } from "vitest";
import { connectOptions } from "./address.ts";
import { within } from "./eventually.ts";
import { type Response, readResponse } from "./response.ts";

/** One connection to the program. Strings are sent with one byte a character. */
export class RawConnection {
  readonly #socket: Socket;
  #received = "";
  #taken = 0;
  #ended = false;
  #failure: NodeJS.ErrnoException | undefined;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: Socket, reading: boolean) {
    this.#socket = socket;
    socket.setNoDelay(true);
    if (reading) this.read();
    socket.on("end", () => {
      this.#ended = true;
      this.#wake();
    });
    socket.on("error", (error) => {
      this.#failure = error;
      this.#wake();
    });
    socket.on("close", () => this.#wake());
  }

  /**
   * Connects. The connection is dropped with the running test.
   * @param reading false for a client that does not take its answers off the socket before `read` is called.
   * @param address behind `https://` for an encrypted connection, which trusts any certificate.
   * @throws the socket's error when nobody listens.
   */
  static async open(address: string, reading = true): Promise<RawConnection> {
    const plain = address.replace("https://", "");
    const options = { ...connectOptions(plain), allowHalfOpen: true };
    const isSealed = plain !== address;
    const socket = isSealed ? connectSealed({ ...options, rejectUnauthorized: false }) : connect(options);
    await within(
      `a connection to ${address}`,
      new Promise<void>((resolve, reject) => {
        socket.once(isSealed ? "secureConnect" : "connect", resolve);
        socket.once("error", reject);
      }),
    );
    const connection = new RawConnection(socket, reading);
    onTestFinished(() => connection.drop());
    return connection;
  }

  #wake(): void {
    for (const wake of this.#waiting) {
      wake();
    }
    this.#waiting.clear();
  }

  /** This side's port, by which the server's log names the connection. */
  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  /** True once the server has sent FIN or RST. */
  get closed(): boolean {
    return this.#ended || this.#failure !== undefined || this.#socket.destroyed;
  }

  /** How many of the sent bytes the kernel has taken. It takes no more once the server stops reading. */
  get takenBytes(): number {
    return this.#taken;
  }

  /** What was received and not yet read, one character a byte. */
  get unread(): string {
    return this.#received;
  }

  /** Sends bytes; one byte a character. Waits for nothing. */
  send(bytes: string | Buffer): void {
    if (!this.closed) {
      const buffer = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
      this.#socket.write(buffer, (error) => {
        this.#taken += error ? 0 : buffer.length;
      });
    }
  }

  /** Sends parts one after the other, each with its own turn for the server. Stops when the server closes. */
  async sendApart(parts: Iterable<string>): Promise<void> {
    for (const part of parts) {
      if (this.closed) {
        return;
      }
      this.send(part);
      await turn();
    }
  }

  /** Takes answers off the socket from now on. */
  read(): void {
    this.#socket.on("data", (bytes: Buffer) => {
      this.#received += bytes.toString("latin1");
      this.#wake();
    });
  }

  /** Sends FIN: nothing more will come from this side. */
  finish(): void {
    this.#socket.end();
  }

  /** Vanishes with RST. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Drops the connection. */
  drop(): void {
    this.#socket.destroy();
  }

  /** Waits until `probe` gives something; asks again at each event of the socket. */
  async #until<T>(what: string, probe: () => T | undefined): Promise<T> {
    const found = async (): Promise<T> => {
      for (;;) {
        const value = probe();
        if (value !== undefined) return value;
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    };
    return await within(() => `${what}; received ${this.#soFar()}`, found());
  }

  #soFar(): string {
    const shown = JSON.stringify(this.unread.slice(0, 2_000));
    const ending = this.#failure === undefined ? (this.#ended ? ", then FIN" : "") : `, then ${this.#failure.message}`;
    return `${this.#received.length} bytes ${shown}${ending}`;
  }

  /**
   * Reads the next final response and the interim ones before it.
   * @param method of the request it answers.
   */
  async response(method = "GET"): Promise<Response> {
    return await this.#until("a response", () => {
      const response = readResponse(this.#received, method);
      if (response !== undefined) {
        this.#received = this.#received.slice(response.length);
        return response;
      }
      if (this.closed) {
        throw new Error(`The server closed before a response was complete; received ${this.#soFar()}.`);
      }
      return undefined;
    });
  }

  /** Waits for exactly these bytes and takes them. */
  async exactly(bytes: string): Promise<void> {
    await this.#until(JSON.stringify(bytes), () => {
      if (this.unread.startsWith(bytes)) {
        this.#received = this.#received.slice(bytes.length);
        return true;
      }
      if (this.closed || !bytes.startsWith(this.unread)) {
        throw new Error(`Expected ${JSON.stringify(bytes)}; received ${this.#soFar()}.`);
      }
      return undefined;
    });
  }

  /** Waits until the server has closed in order: FIN, not RST, and not a byte before it. */
  async closedInOrder(): Promise<void> {
    await this.#until("FIN", () => (this.closed ? true : undefined));
    if (!this.#ended || this.#failure !== undefined || this.#received.length > 0) {
      throw new Error(`Expected FIN and nothing before it; received ${this.#soFar()}.`);
    }
  }

  /** Waits until the server has closed, in whatever way. */
  async gone(): Promise<void> {
    await this.#until("the end of the connection", () => (this.closed ? true : undefined));
  }
}
