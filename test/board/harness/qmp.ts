/**
 * QEMU's machine protocol (qemu, docs/interop/qmp-spec.txt): looks into the machine and changes it while it runs.
 *
 *     await qmp.set("/machine/soc/gpio", "gpioA0", true);
 */
import { type Deferred, deferred } from "./deferred.ts";
import type { LineSocket } from "./line-socket.ts";

interface Answer {
  readonly id?: number;
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
}

/** A part of the machine's tree of objects. */
export interface ObjectProperty {
  readonly name: string;
  /** `child<pl061>` for an object of the type pl061. */
  readonly type: string;
}

/** The client of one QEMU. */
export class Qmp {
  readonly #socket: LineSocket;
  readonly #waiting = new Map<number, Deferred<unknown>>();
  #sent = 0;

  constructor(socket: LineSocket) {
    this.#socket = socket;
    socket.onLine = (line) => this.#take(JSON.parse(line) as Answer);
    socket.onClose = () => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error("QEMU ended before it answered."));
      }
    };
  }

  /** Leaves the protocol's negotiation, as it wants before the first command. */
  async begin(): Promise<void> {
    await this.execute("qmp_capabilities");
  }

  /** Runs a command. @returns what it returns. @throws Error with QEMU's description. */
  async execute(command: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = ++this.#sent;
    const answer = deferred<unknown>();
    this.#waiting.set(id, answer);
    await this.#socket.send(JSON.stringify({ execute: command, arguments: args, id }));
    return await answer.promise;
  }

  /** Reads a property of an object. */
  async get(path: string, property: string): Promise<unknown> {
    return await this.execute("qom-get", { path, property });
  }

  /** Sets a property of an object. */
  async set(path: string, property: string, value: unknown): Promise<void> {
    await this.execute("qom-set", { path, property, value });
  }

  /** The properties of an object, its children among them. */
  async list(path: string): Promise<readonly ObjectProperty[]> {
    return (await this.execute("qom-list", { path })) as readonly ObjectProperty[];
  }

  #take(answer: Answer): void {
    // The greeting and events have no id.
    const waiting = answer.id === undefined ? undefined : this.#waiting.get(answer.id);
    if (answer.id === undefined || waiting === undefined) {
      return;
    }
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) {
      waiting.resolve(answer.return);
    } else {
      waiting.reject(new Error(`QEMU refused: ${answer.error.desc}`));
    }
  }
}
