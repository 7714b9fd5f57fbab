/** One node of a cluster as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { eventually } from "../../harness/eventually.ts";
import { controlHost } from "../namespaces.ts";
import { isOpen } from "./mosquitto.ts";

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

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Ends it by a signal. */
  async end(name: NodeJS.Signals): Promise<void> {
    this.signal(name);
    await this.ended;
  }
}
