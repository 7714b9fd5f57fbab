/** A client that asks one request after another on connections it keeps. Its own speed is never part of a figure. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** @returns how many bytes the answer takes that `text` begins with, or undefined while it is not whole. */
export function answerLength(text: string): number | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) {
    return undefined;
  }
  const length = end + 4 + Number(/^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length < length ? undefined : length;
}

export class Client {
  private readonly socket: Socket;
  private received = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1");
    socket.setNoDelay(true);
    // A lost connection shows as an answer that is missing.
    socket.on("error", () => socket.destroy());
  }

  /** Connects to a port of this machine. */
  static async connect(port: number): Promise<Client> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Client(socket);
  }

  /**
   * Sends requests and waits for all their answers.
   * @param requests one request, or several in a row.
   * @param count how many they are.
   * @returns the status of each answer.
   * @throws Error when the connection ends before the last answer.
   */
  async ask(requests: string, count = 1): Promise<readonly number[]> {
    this.socket.write(requests, "latin1");
    const statuses: number[] = [];
    while (statuses.length < count) {
      const length = answerLength(this.received);
      if (length === undefined) {
        await this.more();
      } else {
        statuses.push(Number(this.received.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)));
        this.received = this.received.slice(length);
      }
    }
    return statuses;
  }

  /** Drops the connection. */
  close(): void {
    this.socket.destroy();
  }

  private more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.socket.off("data", take);
        this.socket.off("close", lose);
      };
      const take = (bytes: string) => {
        settle();
        this.received += bytes;
        resolve();
      };
      const lose = () => {
        settle();
        reject(new Error("The server closed the connection before it had answered."));
      };
      this.socket.once("data", take);
      this.socket.once("close", lose);
      if (this.socket.destroyed) lose();
    });
  }
}

/** Opens connections, one after another, each of which is used once and then left alone. */
export async function openIdle(port: number, count: number, request: string): Promise<readonly Client[]> {
  const clients: Client[] = [];
  for (let opened = 0; opened < count; opened++) {
    const client = await Client.connect(port);
    await client.ask(request);
    clients.push(client);
  }
  return clients;
}
