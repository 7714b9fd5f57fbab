/** A server under load: started on its own processor, asked, accounted for, ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "./client.ts";
import { processorTime, residentMemory } from "./process-account.ts";
import { requestText, tokenField } from "./request-text.ts";
import type { Server } from "./servers.ts";
import { endsWithParent } from "./tools.ts";
import type { Setting } from "./workloads.ts";

/** The processor of the servers. */
export const serverCpu = 0;
/** The processor of the load generator. */
export const loadCpu = 1;

/** ms that a server may take to start, or to end. */
const patience = 20_000;

/** A TCP port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

export class RunningServer {
  readonly port: number;
  readonly setting: Setting;
  private readonly child: ChildProcess;
  private readonly folder: string;
  private complaints = "";

  private constructor(child: ChildProcess, port: number, setting: Setting, folder: string) {
    this.child = child;
    this.port = port;
    this.setting = setting;
    this.folder = folder;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.complaints += text;
    });
  }

  /**
   * Starts a server and waits until it has answered.
   * @param scratch a folder in which it gets one of its own.
   * @param prefix a command put before the server's own.
   */
  static async start(
    server: Server,
    setting: Setting,
    scratch: string,
    prefix: readonly [string, ...string[]] = ["taskset", "-c", String(serverCpu)],
  ): Promise<RunningServer> {
    const port = await freePort();
    const folder = mkdtempSync(join(scratch, `${server.name}-`));
    const [first, ...rest] = endsWithParent;
    const command = [...rest, ...prefix, ...server.command(port, setting, folder)];
    // The process with the nouns is measured.
    const env = { ...process.env, NOUND_KEEPER: "0" };
    const child = spawn(first, command, { env, stdio: ["ignore", "ignore", "pipe"] });
    const running = new RunningServer(child, port, setting, folder);
    await running.firstAnswer();
    return running;
  }

  /** Its process's id. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What it has printed on standard error. */
  get printed(): string {
    return this.complaints;
  }

  /** Bytes that are resident now. */
  residentMemory(): number {
    return residentMemory(this.pid);
  }

  /** ns of processor time that it has used by now, its children included. */
  processorTime(): number {
    return processorTime(this.pid);
  }

  /** The path of a file in its own folder. */
  file(name: string): string {
    return join(this.folder, name);
  }

  /** Ends it and waits until it has ended. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) {
      return;
    }
    const ended = once(this.child, "close");
    this.child.kill("SIGTERM");
    const forced = setTimeout(() => this.child.kill("SIGKILL"), patience);
    await ended;
    clearTimeout(forced);
  }

  private async firstAnswer(): Promise<void> {
    const deadline = performance.now() + patience;
    while (performance.now() < deadline && this.child.exitCode === null) {
      try {
        const client = await Client.connect(this.port);
        const [status] = await client.ask(requestText({ fields: this.setting.tokens ? tokenField : "" }));
        client.close();
        if (status === 200) {
          return;
        }
      } catch {
        await delay(1);
      }
    }
    await this.stop();
    throw new Error(`${this.child.spawnargs.join(" ")} did not answer. It said: ${this.complaints.trim()}`);
  }
}
