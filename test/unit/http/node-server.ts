/** What Node's own HTTP server, whose parser is llhttp in its strict mode, makes of bytes. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";

/** A request as a server has read it. */
export interface ReadRequest {
  readonly method: string;
  readonly target: string;
  /** One character a byte; the part that was received. */
  readonly body: string;
  /** Whether all of the body has come. */
  readonly complete: boolean;
}

/** A connection that brings bytes and takes whatever is answered. */
class Injected extends Duplex {
  readonly requests: { readonly message: IncomingMessage; body: string }[] = [];
  override _read(): void {}
  override _write(_bytes: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

const server = createServer({ maxHeaderSize: 32_768, insecureHTTPParser: false });

function take(message: IncomingMessage, response: ServerResponse): void {
  const read = { message, body: "" };
  (message.socket as unknown as Injected).requests.push(read);
  message.setEncoding("latin1");
  message.on("data", (text: string) => {
    read.body += text;
  });
  message.on("error", () => undefined);
  message.on("end", () => response.end());
}

server.on("request", take);
// What a server makes of an expectation is not its parser's business.
server.on("checkContinue", take);
server.on("checkExpectation", take);
server.on("clientError", (_error, socket) => socket.destroy());

/**
 * @param bytes all that a client sends on one connection, one character a byte.
 * @returns the requests that Node accepts of it, in order.
 */
export async function readByNode(bytes: string): Promise<readonly ReadRequest[]> {
  const connection = new Injected();
  connection.on("error", () => undefined);
  server.emit("connection", connection);
  connection.push(Buffer.from(bytes, "latin1"));
  // The bytes are parsed in one go; what is read of a body, and then of the end of it, comes a turn later each.
  for (let turns = 0; turns < 4; turns++) await turn();
  const requests = connection.requests.map(({ message, body }) => ({
    method: message.method ?? "",
    target: message.url ?? "",
    body,
    complete: message.complete,
  }));
  connection.destroy();
  return requests;
}
