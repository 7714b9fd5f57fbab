/** A client of TLS that sends other bytes than it should, at a place that the test chooses. */
import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";
import { type Alteration, AlteringStream } from "./altering-stream.ts";
import { slowness } from "./environment.ts";

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
