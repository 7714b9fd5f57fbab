/** One run of QEMU with a board, its kernel and its first file system. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import { within } from "../../harness/eventually.ts";
import type { Board } from "./board.ts";
import { deferred } from "./deferred.ts";
import { LineSocket } from "./line-socket.ts";
import { Qmp } from "./qmp.ts";
import { Qtest } from "./qtest.ts";

/** The files that a board starts from. */
export interface BootFiles {
  readonly kernel: string;
  readonly initramfs: string;
  readonly deviceTree: string;
}

/** ms from QEMU's start to the guest's "ready", on a slow machine: it takes 2 to 8 s on a quick one. */
const kernelOptions = "quiet cryptomgr.notests panic=-1 rdinit=/init";

/** A running QEMU. */
export class Emulator {
  readonly qmp: Qmp;
  readonly qtest: Qtest;
  readonly #child: ChildProcess;
  readonly #sockets: readonly LineSocket[];
  readonly #board: Board;
  #console = "";
  readonly #ready = deferred<void>();

  private constructor(board: Board, child: ChildProcess, qmp: LineSocket, qtest: LineSocket) {
    this.#board = board;
    this.#child = child;
    this.#sockets = [qmp, qtest];
    this.qmp = new Qmp(qmp);
    this.qtest = new Qtest(qtest);
    child.stdout?.on("data", (bytes: Buffer) => this.#show(bytes.toString("latin1")));
    // QEMU logs its test protocol there.
    child.stderr?.on("data", (bytes: Buffer) => this.#show(this.qtest.takeLog(bytes.toString("latin1"))));
    child.once("error", (error) => this.#ready.reject(error));
    child.once("close", () => this.#ready.reject(new Error("QEMU ended.")));
    process.once("exit", this.#kill);
  }

  /**
   * Starts QEMU, its guest halted.
   * @param folder a folder of this run's own, with a short path: Unix sockets go there.
   * @param ports forwarded from the loopback interface to the guest's: [outside, inside].
   */
  static async start(
    board: Board,
    files: BootFiles,
    folder: string,
    ports: readonly (readonly [number, number])[],
  ): Promise<Emulator> {
    const qmp = await LineSocket.listen(join(folder, "qmp"));
    const qtest = await LineSocket.listen(join(folder, "qtest"));
    const forwards = ports.map(([outside, inside]) => `hostfwd=tcp:127.0.0.1:${outside}-10.0.2.15:${inside}`);
    const child = spawn(
      "qemu-system-arm",
      [
        ...board.machine,
        ...["-nodefaults", "-display", "none", "-no-reboot", "-S", ...(board.serial ?? ["-serial", "stdio"])],
        ...["-kernel", files.kernel, "-initrd", files.initramfs, "-dtb", files.deviceTree],
        ...["-append", `console=${board.console} ${kernelOptions}`],
        // The guest reaches this machine's loopback interface as 10.0.2.2, and has no route to anything else.
        ...["-netdev", ["user,id=net", ...forwards].join(","), ...board.network],
        ...["-qmp", `unix:${qmp.path}`, "-qtest", `unix:${qtest.path}`],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    try {
      // So that other programs of this machine take no time from the board.
      if (child.pid !== undefined) setPriority(child.pid, -10);
    } catch {
      // This user may not do that.
    }
    const emulator = new Emulator(board, child, qmp, qtest);
    await emulator.#orConsole("QEMU answers", emulator.qmp.begin());
    return emulator;
  }

  /** Lets the guest run, and waits until it says that it is ready. @throws Error with the end of its console. */
  async boot(): Promise<void> {
    await this.qmp.execute("cont");
    await this.#orConsole("the board is ready", this.#ready.promise);
  }

  /** What the guest's console has shown last. */
  get consoleTail(): string {
    return this.#console.trimEnd().split("\n").slice(-25).join("\n");
  }

  /** Ends QEMU and waits until it has ended. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "close");
      // The answer may be lost with QEMU itself.
      this.qmp.execute("quit").catch(() => undefined);
      await within("QEMU ends", ended).finally(this.#kill);
    }
    process.removeListener("exit", this.#kill);
    for (const socket of this.#sockets) {
      socket.close();
    }
  }

  readonly #kill = (): void => {
    if (this.#child.exitCode === null) {
      this.#child.kill("SIGKILL");
    }
  };

  async #orConsole(what: string, promise: Promise<void>): Promise<void> {
    try {
      await within(what, Promise.race([promise, this.#ready.promise.then(() => promise)]));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await this.stop();
      throw new Error(`${this.#board.name} did not start: ${reason} The end of its console:\n${this.consoleTail}`);
    }
  }

  #show(text: string): void {
    this.#console += text;
    if (this.#console.includes("board: ready")) {
      this.#ready.resolve();
    }
  }
}
