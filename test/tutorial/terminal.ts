/** A terminal in which commands are typed one after the other. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** Ends what a command prints. */
const mark = "== done";

/** A shell. */
export class Terminal {
  readonly #shell: ChildProcess;
  #printed = "";

  /** @param folder the one it begins in. */
  constructor(folder: string) {
    this.#shell = spawn("bash", { cwd: folder, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    for (const output of [this.#shell.stdout, this.#shell.stderr]) {
      output?.on("data", (bytes: Buffer) => {
        this.#printed += bytes.toString("utf8");
      });
    }
  }

  /**
   * Types a command and waits until it has ended, however long it compiles. @returns what was printed. @throws Error
   * when it fails.
   */
  async type(line: string): Promise<string> {
    const before = this.#printed.length;
    this.#shell.stdin?.write(`${line}\nprintf '\\n${mark} %s\\n' $?\n`);
    let printed = "";
    while (!/^== done [0-9]+$/m.test(printed)) {
      await delay(20);
      printed = this.#printed.slice(before);
    }
    if (!printed.includes(`${mark} 0\n`)) throw new Error(`${line} failed: ${printed}`);
    return printed;
  }

  /** Types a command that goes on by itself. @returns what it has printed so far, whenever it is asked. */
  start(line: string): () => string {
    const before = this.#printed.length;
    this.#shell.stdin?.write(`${line}\n`);
    return () => this.#printed.slice(before);
  }

  /** Closes it, and ends all that was started in it. */
  close(): void {
    if (this.#shell.pid !== undefined && this.#shell.exitCode === null) process.kill(-this.#shell.pid, "SIGKILL");
  }
}
