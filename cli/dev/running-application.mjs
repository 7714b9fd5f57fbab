/** Runs the application as a process, and replaces it by the next version. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { KeptStates } from "./kept-states.mjs";

/** ms an application has to end by itself. Its hardware is simulated: nothing is lost when it is killed. */
const patience = 300;

/**
 * ms in which an application that starts listens, even on a busy machine. One that never listens delays the next change
 * by this.
 */
const startTime = 10_000;

export class RunningApplication {
  /**
   * @param {string} runtime the program that runs an application from a file.
   * @param {string} bundle that file.
   * @param {readonly string[]} args for the application.
   */
  constructor(runtime, bundle, args) {
    this.start = () =>
      spawn(runtime, args, {
        stdio: ["ignore", "inherit", "pipe"],
        env: { ...process.env, NOUND_APPLICATION: bundle },
      });
    this.isRunning = false;
    /** The ports of this tool's own requests. Their lines are not shown. */
    this.ownPorts = new Set();
    this.states = new KeptStates((port) => this.ownPorts.add(port));
  }

  /**
   * Ends the running version and then starts the next, because both need the same port. The next one gets the states of
   * the previous one.
   *
   * @param {(how: string) => void} onEnd is called when the next one ends by itself: `status 70`, `SIGSEGV`.
   * @returns {Promise<boolean>} whether it runs. The promise is resolved when it listens, has ended, or takes too long.
   */
  async restart(onEnd) {
    if (this.isRunning && this.address !== undefined) await this.states.keep(this.address);
    await this.stop();
    this.ownPorts.clear();
    const child = this.start();
    this.child = child;
    this.isRunning = true;
    this.address = undefined;
    this.ended = new Promise((resolve) => {
      child.once("close", resolve);
      child.once("error", resolve);
    });
    const listens = new Promise((resolve) => {
      createInterface({ input: child.stderr }).on("line", (line) => this.show(line, resolve));
    });
    child.once("close", (status, signal) => {
      if (this.child !== child) return;
      this.isRunning = false;
      onEnd(signal ?? `status ${status}`);
    });
    await Promise.race([listens, this.ended, delay(startTime, undefined, { ref: false })]);
    if (this.isRunning && this.address !== undefined) await this.states.restore(this.address);
    return this.isRunning;
  }

  /** Shows a line that the application has written, unless it is about this tool's own requests. */
  show(line, onListening) {
    const [, address] = /^listening on (\S+:\d+|unix:.+)$/.exec(line) ?? [];
    if (address !== undefined && this.address === undefined) {
      this.address = address;
      onListening();
    }
    const [, port] = /^\S+:(\d+) /.exec(line) ?? [];
    if (port === undefined || !this.ownPorts.has(Number(port))) console.error(line);
    // The program of `npm start`, which a clone serves with until it has another one.
    if (line.includes("this nound was built without TLS"))
      console.error("nound: run `npm run build` in the clone of nound once; then `npm run dev` has TLS");
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
