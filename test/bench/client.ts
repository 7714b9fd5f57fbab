/** A client that asks one request after another on connections it keeps. Its own speed is never part of a figure. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { AnswerReader } from "../harness/response.ts";

export class Client {
  private readonly socket: Socket;
  private readonly reader = new AnswerReader();

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
      const answers = this.reader.take(await this.more());
      statuses.push(...answers.map(({ status }) => status));
    }
    return statuses;
  }

  /** Drops the connection. */
  close(): void {
    this.socket.destroy();
  }

  /** @returns what comes next. */
  private more(): Promise<string> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.socket.off("data", take);
        this.socket.off("close", lose);
      };
      const take = (bytes: string) => {
        settle();
        resolve(bytes);
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
