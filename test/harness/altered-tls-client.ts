/** A client of TLS that sends other bytes than it should, at a place that the test chooses. */
import { connect as connectPlain, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect } from "node:tls";
import { slowness } from "./environment.ts";

/** How the client's bytes are changed. */
export interface Alteration {
  /** From 0, counted in all that the client sends: ClientHello, the rest of the handshake, the request. */
  readonly place: number;
  /** What happens there: another byte, or the end of the connection. */
  readonly change: "byte" | "fin" | "rst";
}

/** What has come of it. */
export interface Altered {
  /** Bytes that the client had, and has sent or lost. */
  readonly sent: number;
  /** Bytes that belong to the handshake. */
  readonly handshake: number;
  /** Whether the request was answered. */
  readonly isAnswered: boolean;
}

/** ms without a word of the server after which the client goes: it may wait for bytes that an altered length promises. */
const patience = 300 * slowness;

const request = "GET /led HTTP/1.1\r\nHost: hall\r\n\r\n";

/** Passes bytes to a socket and alters one, or ends it there. */
class AlteringStream extends Duplex {
  sent = 0;
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
    if (at < 0 || at >= bytes.length) {
      // After the end, nothing more is sent.
      if (this.#socket.writable) this.#socket.write(bytes);
    } else if (this.#alteration.change === "byte") {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ (1 + Math.floor(Math.random() * 255));
      this.#socket.write(altered);
    } else {
      this.#socket.write(bytes.subarray(0, at));
      if (this.#alteration.change === "fin") this.#socket.end();
      else this.#socket.resetAndDestroy();
    }
    done();
  }
}

/** Connects to this machine, alters what it sends, asks if it gets that far, and goes. */
export function alteredClient(
  port: number,
  alteration: Alteration,
  version: "TLSv1.2" | "TLSv1.3" = "TLSv1.3",
): Promise<Altered> {
  return new Promise((resolve) => {
    const socket = connectPlain({ port, host: "127.0.0.1", noDelay: true });
    const stream = new AlteringStream(socket, alteration);
    const secure = { minVersion: version, maxVersion: version, rejectUnauthorized: false } as const;
    const client = connect({ socket: stream, servername: "hall", ...secure });
    let handshake = Number.POSITIVE_INFINITY;
    let received = "";
    const go = () => socket.destroy();
    socket.setTimeout(patience, go).on("error", go);
    stream.on("error", go);
    client.on("error", go).on("data", (bytes) => {
      received += String(bytes);
      if (received.includes('{"led":')) go();
    });
    client.once("secureConnect", () => {
      handshake = stream.sent;
      client.write(request);
    });
    socket.once("close", () => {
      client.destroy();
      resolve({ sent: stream.sent, handshake, isAnswered: received.startsWith("HTTP/1.1 200 ") });
    });
  });
}
