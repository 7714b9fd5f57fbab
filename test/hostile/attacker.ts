/** One connection of somebody who means no good. It counts the answers it gets, and never minds how it ends. */
import { connect, type Socket } from "node:net";
import { connectOptions } from "../harness/address.ts";
import { within } from "../harness/eventually.ts";
import { AnswerReader } from "../harness/response.ts";

export class Attacker {
  readonly socket: Socket;
  /** The statuses of the answers, in their order. */
  readonly statuses: number[] = [];
  readonly #reader = new AnswerReader();
  #ended = false;
  #wake: () => void = () => undefined;

  /** @param source its own address; of one to another there are 28,000 ports only. */
  constructor(address: string, source?: string) {
    const options = { ...connectOptions(address), allowHalfOpen: true };
    this.socket = connect(source === undefined ? options : { ...options, localAddress: source });
    this.socket.setNoDelay(true);
    this.socket.on("data", (bytes: Buffer) => this.#read(bytes.toString("latin1")));
    this.socket.on("end", () => this.#end());
    this.socket.on("error", () => this.#end());
    this.socket.on("close", () => this.#end());
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }

  #read(bytes: string): void {
    this.statuses.push(...this.#reader.take(bytes).map(({ status }) => status));
    this.#wake();
  }

  /** Whether the server has ended the connection. */
  get ended(): boolean {
    return this.#ended;
  }

  async #until(what: string, probe: () => boolean): Promise<void> {
    const reached = async (): Promise<void> => {
      while (!probe()) await new Promise<void>((resolve) => (this.#wake = resolve));
    };
    await within(what, reached());
  }

  /** Waits until it is connected, or refused. */
  async connected(): Promise<void> {
    if (!this.socket.connecting) return;
    await new Promise<void>((resolve) => {
      this.socket.once("connect", resolve);
      this.socket.once("close", () => resolve());
    });
  }

  /** Waits for that many answers. @throws Error when the server ends before. */
  async answers(count: number): Promise<void> {
    await this.#until(`${count} answers`, () => this.statuses.length >= count || this.#ended);
    if (this.statuses.length < count)
      throw new Error(`The server ended after ${this.statuses.length} of ${count} answers.`);
  }

  /** Waits until the server has ended the connection. */
  async gone(): Promise<void> {
    await this.#until("the end of a connection", () => this.#ended);
  }

  /** Sends bytes, one a character. */
  send(bytes: string): void {
    if (!this.#ended) this.socket.write(bytes, "latin1");
  }

  /** Sends FIN. */
  finish(): void {
    this.socket.end();
  }

  /** Vanishes with RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Closes. */
  drop(): void {
    this.socket.destroy();
  }
}

/** An address of this machine that is not the server's: one of 200. */
export function sourceAddress(index: number): string {
  return `127.0.${1 + (Math.floor(index / 100) % 2)}.${2 + (index % 100)}`;
}

/** Connects a crowd, from one address. */
export async function openAttackers(address: string, count: number, source?: string): Promise<Attacker[]> {
  const attackers = Array.from({ length: count }, () => new Attacker(address, source));
  await Promise.all(attackers.map((attacker) => attacker.connected()));
  return attackers;
}

/** How many of the attackers got an answer of this status. */
export function countAnswered(attackers: readonly Attacker[], status: number): number {
  return attackers.filter(({ statuses }) => statuses.includes(status)).length;
}
