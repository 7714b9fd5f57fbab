/** A broker, or one node of a cluster, as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { eventually } from "../../harness/eventually.ts";
import { controlHost } from "../namespaces.ts";

/** @returns whether something accepts connections there. */
export function isOpen(host: string, at: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at, host);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

const signals = { kill: "SIGKILL", end: "SIGTERM", pause: "SIGSTOP", continue: "SIGCONT" } as const;

export class NodeProcess {
  private child: ChildProcess | undefined;
  private ended: Promise<unknown> = Promise.resolve();

  /** Whether it was started and did not end. */
  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Starts it, and waits until it listens. */
  async start([command, ...words]: readonly [string, ...string[]], port: number): Promise<void> {
    const child = spawn(command, words, { stdio: "ignore" });
    this.child = child;
    this.ended = once(child, "close");
    await eventually(`port ${port} is open`, () => {
      if (!this.isRunning) throw new Error(`A node ended at its start, with ${child.exitCode}.`);
      return isOpen(controlHost, port);
    });
  }

  /** Sends a signal, and waits until the process has ended, if it ends by it. */
  async act(action: keyof typeof signals): Promise<void> {
    this.child?.kill(signals[action]);
    if (action === "kill" || action === "end") await this.ended;
  }
}
