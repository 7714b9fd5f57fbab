/** A run of wrk. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { endsWithParent } from "./tools.ts";
import type { Workload } from "./workloads.ts";
import { type Load, parseLoad, wrkScript } from "./wrk.ts";

/** Seconds after which wrk ends by itself. Usually it is told to by SIGINT, upon which it reports as usual. */
const longest = 60;

export class LoadGenerator {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private printed = "";

  private constructor(child: ChildProcess) {
    this.child = child;
    this.ended = once(child, "close");
    // An error is reported by finish(), which may be awaited later.
    this.ended.catch(() => {});
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding("utf8").on("data", (text: string) => {
        this.printed += text;
      });
    }
  }

  /**
   * Starts wrk on one thread, and waits until it is about to begin.
   * @param cpu its processor.
   * @param scriptPath where its script is written.
   * @param scheme of the server's address.
   * @throws Error when it cannot be started.
   */
  static async start(
    workload: Workload,
    port: number,
    cpu: number,
    scriptPath: string,
    scheme: "http" | "https" = "http",
  ): Promise<LoadGenerator> {
    writeFileSync(scriptPath, wrkScript(workload), "latin1");
    const options = ["-t1", `-c${workload.connections}`, `-d${longest}s`, "-s", scriptPath];
    const [first, ...rest] = endsWithParent;
    const command = ["taskset", "-c", String(cpu), "wrk", ...options, `${scheme}://127.0.0.1:${port}/led`];
    // In a session of its own: the kernel sends SIGHUP to a whole process group if a member is stopped when its shell
    // ends.
    const child = spawn(first, [...rest, ...command], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const generator = new LoadGenerator(child);
    await Promise.race([once(child.stdout, "data"), generator.ended]);
    return generator;
  }

  /** Ends it, within 100 ms as wrk looks that often. @throws Error when wrk has failed. */
  async finish(): Promise<Load> {
    this.child.kill("SIGINT");
    await this.ended;
    return parseLoad(this.printed);
  }

  /** Ends it at once. */
  kill(): void {
    this.child.kill("SIGKILL");
  }
}
