/**
 * QEMU's test protocol (qemu, softmmu/qtest.c): sets wires of a device, listens to them, reads and writes registers,
 * beside the running guest. Answers come in the order of the commands; reports of wires in between.
 */
import { setImmediate } from "node:timers/promises";
import { type Deferred, deferred } from "./deferred.ts";
import type { LineSocket } from "./line-socket.ts";

/** A change of a wire that is listened to. */
export interface WireChange {
  readonly wire: number;
  readonly level: 0 | 1;
  /** When it was reported, in ms by `performance.now()`. */
  readonly time: number;
  /** When it changed, in ms by QEMU's own log. The time between two of them is right, however late this test reads. */
  readonly stamp: number;
}

/** The client of one QEMU. */
export class Qtest {
  /** All changes since `listenToOutputs`, the oldest first. */
  readonly changes: WireChange[] = [];
  readonly #socket: LineSocket;
  readonly #waiting: Deferred<string>[] = [];
  /** The reports of wires that have come, and the stamps of QEMU's log. They come by different ways. */
  readonly #reports: Omit<WireChange, "stamp">[] = [];
  readonly #stamps: number[] = [];
  #log = "";

  constructor(socket: LineSocket) {
    this.#socket = socket;
    socket.onLine = (line) => this.#take(line);
    socket.onClose = () => {
      for (const { reject } of this.#waiting.splice(0)) {
        reject(new Error("QEMU ended before it answered."));
      }
    };
  }

  /** Runs a command. @returns what follows `OK`. @throws Error with what QEMU says. */
  async command(line: string): Promise<string> {
    const answer = deferred<string>();
    this.#waiting.push(answer);
    await this.#socket.send(line);
    return await answer.promise;
  }

  /** Drives one of a device's unnamed inputs from outside. */
  async setInput(device: string, wire: number, level: 0 | 1): Promise<void> {
    await this.command(`set_irq_in ${device} unnamed-gpio-in ${wire} ${level}`);
  }

  /** Waits until every change so far is in `changes`: it is reported before this is answered. */
  async settle(): Promise<void> {
    await this.command("endianness");
    while (this.#reports.length > this.changes.length) await setImmediate();
  }

  /** Takes text of QEMU's log of the protocol: `[S +12.345678] IRQ raise 0`. @returns the lines that are not of it. */
  takeLog(text: string): string {
    const lines = `${this.#log}${text}`.split("\n");
    this.#log = lines.pop() ?? "";
    const others = lines
      .filter((line) => {
        const [isOfLog, stamp] = /^\[[A-Z] \+?([\d.]+)\](?: IRQ)?/.exec(line) ?? [];
        if (isOfLog?.endsWith("IRQ")) this.#stamps.push(Number(stamp) * 1_000);
        return isOfLog === undefined;
      })
      .map((line) => `${line}\n`);
    this.#join();
    return others.join("");
  }

  /** Gives each report its stamp. */
  #join(): void {
    for (let index = this.changes.length; index < this.#reports.length; index++) {
      const [report, stamp] = [this.#reports[index], this.#stamps[index]];
      if (report === undefined || stamp === undefined) return;
      this.changes.push({ ...report, stamp });
    }
  }

  /** Has every change of a device's unnamed outputs reported to `changes`. Possible for one device of the machine. */
  async listenToOutputs(device: string): Promise<void> {
    await this.command(`irq_intercept_out ${device}`);
  }

  /** Writes a 32-bit word to physical memory. */
  async writeWord(address: number, value: number): Promise<void> {
    await this.command(`writel 0x${address.toString(16)} 0x${value.toString(16)}`);
  }

  #take(line: string): void {
    const [kind, ...rest] = line.split(" ");
    if (kind === "IRQ") {
      const level = rest[0] === "raise" ? 1 : 0;
      this.#reports.push({ wire: Number(rest[1]), level, time: performance.now() });
      this.#join();
      return;
    }
    const waiting = this.#waiting.shift();
    if (kind === "OK") {
      waiting?.resolve(rest.join(" "));
    } else {
      waiting?.reject(new Error(`QEMU's test protocol refused: ${line}`));
    }
  }
}
