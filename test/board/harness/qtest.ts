/**
 * QEMU's test protocol (qemu, softmmu/qtest.c): sets wires of a device, listens to them, reads and writes registers,
 * beside the running guest. Answers come in the order of the commands; reports of wires in between.
 */
import { type Deferred, deferred } from "./deferred.ts";
import type { LineSocket } from "./line-socket.ts";

/** A change of a wire that is listened to. */
export interface WireChange {
  readonly wire: number;
  readonly level: 0 | 1;
  /** When it was reported, in ms by `performance.now()`. */
  readonly time: number;
}

/** The client of one QEMU. */
export class Qtest {
  /** All changes since `listenToOutputs`, the oldest first. */
  readonly changes: WireChange[] = [];
  readonly #socket: LineSocket;
  readonly #waiting: Deferred<string>[] = [];

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
      this.changes.push({ wire: Number(rest[1]), level: rest[0] === "raise" ? 1 : 0, time: performance.now() });
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
