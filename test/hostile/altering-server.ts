/** Servers of TLS whose bytes are altered, one alteration a connection, and a device that connects to them. */
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Alteration, AlteringStream } from "../harness/altering-stream.ts";
import type { Certificate } from "../harness/certificates.ts";

/** The versions of TLS. */
export const versions = ["TLSv1.2", "TLSv1.3"] as const;
/** One of them. */
export type Version = (typeof versions)[number];

/** Of a record's head (RFC 8446, 5.1): its bytes, where its version is, and its kinds. */
const headLength = 5;
const [changeCipherSpec, applicationData] = [20, 23];

/** @returns whether a byte is of the version of a record that no key protects: the standard has receivers ignore it. */
export function isIgnoredVersion(bytes: Buffer, place: number): boolean {
  for (let at = 0; at + headLength <= bytes.length; at += headLength + bytes.readUInt16BE(at + 3)) {
    const kind = bytes[at];
    if (kind === applicationData) return false;
    if (place === at + 1 || place === at + 2) return true;
    if (kind === changeCipherSpec) return false;
  }
  return false;
}

/** A server that answers the first bytes of each connection, and alters the connection `n` as its plan tells. */
export class AlteringServer {
  readonly connections: AlteringStream[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(
    { pem, key }: Certificate,
    version: Version,
    alterationOf: (connection: number) => Alteration,
  ): Promise<AlteringServer> {
    const tls = createTlsServer({ cert: pem, key, minVersion: version, maxVersion: version }, (sealed) => {
      sealed.on("error", () => undefined).once("data", (bytes) => sealed.write(`got ${bytes}`));
    });
    tls.on("tlsClientError", () => undefined);
    const plain = createServer({ noDelay: true }, (socket) => {
      const stream = new AlteringStream(socket, alterationOf(altering.connections.length));
      socket.on("error", () => undefined);
      stream.on("error", () => undefined);
      altering.connections.push(stream);
      tls.emit("connection", stream);
    });
    const altering = new AlteringServer(plain);
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    return altering;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}

/** What a server does in place of an answer: it sends without a pause, or a byte a second. It reads nothing. */
export type Rudeness = "flood" | "drip";

/** A server that reads nothing once the handshake is over, and goes on for as long as its client is there. */
export async function openRudeServer({ pem, key }: Certificate, version: Version, rudeness: Rudeness): Promise<Server> {
  const block = Buffer.alloc(16_384, "x");
  const server = createTlsServer({ cert: pem, key, minVersion: version, maxVersion: version }, (sealed) => {
    const flood = (): void => {
      while (!sealed.destroyed && sealed.write(block));
    };
    sealed.on("error", () => undefined).on("drain", flood);
    if (rudeness === "flood") return flood();
    const timer = setInterval(() => sealed.write("x"), 1_000);
    sealed.once("close", () => clearInterval(timer));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/**
 * A program that connects to each target so many times, one connection after the other, says hello, with a burden of so
 * many bytes behind it, and prints what has come of it: `TARGET answered`, or `TARGET` and why not. It goes when the
 * server is silent for a time.
 */
export const askingProgram = `
  import { connect, start } from "nound:connector";
  import { clearTimer, exit, onSignal, setTimer } from "nound:loop";
  import { restrict } from "nound:privileges";
  import { environment, printOutput } from "nound:system";
  const { targets, tls, tries, patience, burden } = JSON.parse(environment("ASKED"));
  const left = targets.map(() => tries);
  onSignal(() => exit(0));
  setTimer(() => undefined, 3_600_000); // a program that waits for nothing ends
  start(targets, () => printOutput("the connector has ended\\n"), tls, 0);
  restrict();
  const ask = (target) => connect(target, patience, (socket, reason) => {
    let heard = "";
    let timer;
    const tell = (outcome) => {
      if (timer !== undefined) clearTimer(timer);
      if (socket !== undefined) socket.close();
      printOutput(target + " " + outcome + "\\n");
      if (--left[target] > 0) ask(target);
    };
    if (socket === undefined) return tell("refused: " + reason);
    timer = setTimer(() => tell("silent"), patience);
    socket.handler = {
      onBytes: (bytes) => {
        heard += bytes;
        if (heard.length >= 9) tell(heard === "got hello" ? "answered" : "wrong: " + heard);
      },
      onEnd: () => tell("ended"),
      onDrain: () => undefined,
      onGone: () => tell("gone"),
    };
    socket.writeBytes("hello" + "x".repeat(burden));
  });
  for (const target of targets.keys()) ask(target);
`;
