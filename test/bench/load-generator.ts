/** A run of wrk that can be paused by SIGSTOP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { endsWithParent } from "./tools.ts";
import type { Workload } from "./workloads.ts";
import { type Load, parseLoad, requestRate, wrkScript } from "./wrk.ts";

/** Seconds after which wrk ends by itself. Usually it is told to by SIGINT, upon which it reports as usual. */
const longest = 60;

/** What wrk has measured, and the requests per second of the time in which it was not paused. */
export type FinishedLoad = Load & { readonly requestsPerSecond: number };

export class LoadGenerator {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private readonly workload: Workload;
  private printed = "";
  private pausedAt = 0;
  private pauses = { count: 0, seconds: 0 };

  private constructor(child: ChildProcess, workload: Workload) {
    this.child = child;
    this.workload = workload;
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
   * @throws Error when it cannot be started.
   */
  static async start(workload: Workload, port: number, cpu: number, scriptPath: string): Promise<LoadGenerator> {
    writeFileSync(scriptPath, wrkScript(workload), "latin1");
    const options = ["-t1", `-c${workload.connections}`, `-d${longest}s`, "-s", scriptPath];
    const [first, ...rest] = endsWithParent;
    const command = ["taskset", "-c", String(cpu), "wrk", ...options, `http://127.0.0.1:${port}/led`];
    // In a session of its own: the kernel sends SIGHUP to a whole process group if a member is stopped when its shell
    // ends.
    const child = spawn(first, [...rest, ...command], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const generator = new LoadGenerator(child, workload);
    await Promise.race([once(child.stdout, "data"), generator.ended]);
    return generator;
  }

  pause(): void {
    this.child.kill("SIGSTOP");
    this.pausedAt = performance.now();
  }

  resume(): void {
    this.pauses.count++;
    this.pauses.seconds += (performance.now() - this.pausedAt) / 1_000;
    this.child.kill("SIGCONT");
  }

  /**
   * Ends it, within 100 ms as wrk looks that often. It must not be paused: then a thread of wrk that does not wait for
   * the signal may take it.
   * @throws Error when wrk has failed.
   */
  async finish(): Promise<FinishedLoad> {
    this.child.kill("SIGINT");
    await this.ended;
    const { connections, pipelined = 1 } = this.workload;
    const load = parseLoad(this.printed, pipelined > 1);
    return { ...load, requestsPerSecond: requestRate(load, this.pauses, connections * pipelined) };
  }

  /** Ends it at once, paused or not. */
  kill(): void {
    this.child.kill("SIGKILL");
  }
}
