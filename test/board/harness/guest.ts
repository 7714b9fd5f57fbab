/** Runs programs and handles files inside the guest, over the control port of test/board/guest/control.c. */
import { connect } from "node:net";
import { within } from "../../harness/eventually.ts";
import { deferred } from "./deferred.ts";

/** How a command in the guest ended: `exit 0`, `signal 9`; and what it printed. */
export interface GuestEnding {
  readonly ending: string;
  readonly output: string;
}

/** A program that runs in the guest. */
export interface GuestProcess {
  readonly pid: number;
  /** What it has printed so far, on both outputs. */
  readonly output: string;
  /** Settles when it has ended. */
  readonly ended: Promise<GuestEnding>;
}

interface Exchange {
  readonly received: () => string;
  readonly answered: Promise<GuestEnding>;
  readonly begun: Promise<void>;
}

/** The hand inside one guest. */
export class Guest {
  readonly #port: number;

  /** @param port the guest's control port as forwarded. */
  constructor(port: number) {
    this.#port = port;
  }

  /** Starts a program and waits until it runs. */
  async run(program: string, ...args: readonly string[]): Promise<GuestProcess> {
    const { received, answered, begun } = this.#exchange(["run", program, ...args]);
    await within(`${program} starts in the guest`, begun);
    const first = received().indexOf("\n") + 1;
    const output = () => received().slice(first).split("\0")[0] ?? "";
    return {
      pid: Number(received().slice("pid ".length, first)),
      get output() {
        return output();
      },
      ended: answered.then(({ ending }) => ({ ending, output: output() })),
    };
  }

  /** Sends a signal by its number. */
  async kill(pid: number, signal: number): Promise<void> {
    await this.#command(["kill", String(pid), String(signal)]);
  }

  /** @returns a file's text. */
  async read(path: string): Promise<string> {
    return await this.#command(["read", path]);
  }

  /** Writes a file. */
  async write(path: string, text: string): Promise<void> {
    await this.#command(["write", path], text);
  }

  /** Removes a file. */
  async remove(path: string): Promise<void> {
    await this.#command(["remove", path]);
  }

  async #command(words: readonly string[], rest?: string): Promise<string> {
    const { ending, output } = await within(`the guest does: ${words.join(" ")}`, this.#exchange(words, rest).answered);
    if (ending !== "exit 0") {
      throw new Error(`In the guest, ${words.join(" ")} failed: ${output.trim()}`);
    }
    return output;
  }

  #exchange(words: readonly string[], rest = ""): Exchange {
    const begun = deferred<void>();
    const answered = deferred<GuestEnding>();
    let received = "";
    const socket = connect({ host: "127.0.0.1", port: this.#port });
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      received += text;
      if (received.includes("\n")) {
        begun.resolve();
      }
    });
    socket.once("error", (error) => answered.reject(error));
    socket.once("close", () => {
      const [output = "", ending] = received.split("\0");
      const error = new Error(`The guest's answer to ${words.join(" ")} was cut off: ${received}`);
      begun.reject(error);
      if (ending === undefined) {
        answered.reject(error);
      } else {
        answered.resolve({ ending: ending.trim(), output });
      }
    });
    const request = `${words.join("\n")}\n\n${rest}`;
    // `write` alone reads to the end of the stream.
    if (words[0] === "write") {
      socket.end(request);
    } else {
      socket.write(request);
    }
    return { received: () => received, answered: answered.promise, begun: begun.promise };
  }
}
