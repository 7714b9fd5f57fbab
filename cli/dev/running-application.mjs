/** The application as a process of its own, and the next one in its place. */

import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** ms an application has to end by itself. Its hardware is simulated: nothing is lost when it is killed. */
const patience = 300;

/** See the module's description. */
export class RunningApplication {
  /** @param {readonly string[]} command the program and its arguments. */
  constructor(command) {
    this.command = command;
    this.isRunning = false;
  }

  /**
   * Ends the running one and starts the next: both would have the same port.
   *
   * @param {(how: string) => void} onEnd is told when the next one ends by itself: `status 70`, `SIGSEGV`.
   */
  async restart(onEnd) {
    await this.stop();
    const [program, ...args] = this.command;
    const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
    this.child = child;
    this.isRunning = true;
    this.ended = new Promise((resolve) => {
      child.once("exit", resolve);
      child.once("error", resolve);
    });
    child.once("exit", (status, signal) => {
      if (this.child !== child) return;
      this.isRunning = false;
      onEnd(signal ?? `status ${status}`);
    });
  }

  /** Ends the running one, if there is one. */
  async stop() {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || !this.isRunning) return;
    this.isRunning = false;
    child.kill("SIGTERM");
    const hasEnded = await Promise.race([this.ended.then(() => true), delay(patience, false, { ref: false })]);
    if (!hasEnded) child.kill("SIGKILL");
    await this.ended;
  }
}
