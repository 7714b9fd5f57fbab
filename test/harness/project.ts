/** A project as `nound new` makes it, in a folder that goes with the test run, and commands in it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { freeAddress } from "./address.ts";
import { eventually, within } from "./eventually.ts";
import { top } from "./top.ts";

const tool = resolve(top, "cli/main.mjs");

/** How a command ended and what it printed, on both outputs. */
export interface Outcome {
  readonly status: number | null;
  readonly printed: string;
}

/** Runs `npx nound` to its end. */
export function nound(folder: string, ...args: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { cwd: folder, encoding: "utf8" });
  return { status, printed: stdout + stderr };
}

/** A folder that goes with the test run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nound-workbench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A command that runs until it is told to end. */
export class RunningCommand {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #printed = "";
  #hasEnded = false;

  /** Starts it in a process group of its own, as a terminal does. It is ended with the test, if not before. */
  constructor(folder: string, command: string, ...args: readonly string[]) {
    this.#child = spawn(command, args, { cwd: folder, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output?.on("data", (bytes: Buffer) => {
        this.#printed += bytes.toString("utf8");
      });
    }
    this.#ended = new Promise((resolve) => this.#child.once("close", resolve));
    void this.#ended.then(() => {
      this.#hasEnded = true;
    });
    onTestFinished(async () => {
      if (this.#hasEnded) return;
      this.#kill();
      // Its port is free for the next test then.
      await within("the command is killed", this.#ended);
    });
  }

  /** Kills what is left of its group. */
  #kill(): void {
    try {
      process.kill(-(this.#child.pid ?? 0), "SIGKILL");
    } catch (error) {
      // It may have ended, and only its last words have not been read yet.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  /** Types a line into it. */
  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** What it has printed so far. */
  get printed(): string {
    return this.#printed;
  }

  /**
   * Waits until a probe of what it does gives something. @throws Error with what it printed, when that takes too long
   * or it has ended.
   */
  async until<T>(what: string, probe: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
    const untilEnded = () => {
      if (this.#hasEnded) throw new Error(`The command ended before: ${what}.`);
      return probe();
    };
    return await eventually(what, untilEnded).catch((error: Error) => {
      throw new Error(`${error.message} It said at last: ${this.#printed.slice(-4_000)}`);
    });
  }

  /** The processes of its group that run. */
  get processes(): readonly string[] {
    const { stdout } = spawnSync("ps", ["-o", "pid=", "-g", String(this.#child.pid)], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => line.trim() !== "");
  }

  /** Presses Ctrl-C: the terminal sends SIGINT to the whole group. @returns the status. */
  async interrupt(): Promise<number | null> {
    process.kill(-(this.#child.pid ?? 0), "SIGINT");
    return await within("the command ends", this.#ended);
  }
}

/** A project of its own for a test file. */
export class Project {
  readonly folder: string;
  readonly address: string;

  private constructor(folder: string, address: string) {
    this.folder = folder;
    this.address = address;
  }

  /** Makes a project that listens on a free port. */
  static async create(folder = join(temporaryFolder(), "my-device")): Promise<Project> {
    const { status, printed } = nound(top, "new", folder);
    if (status !== 0) throw new Error(`nound new failed: ${printed}`);
    const project = new Project(folder, await freeAddress());
    project.edit("src/main.ts", (text) => text.replace("127.0.0.1:8080", project.address));
    return project;
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  edit(file: string, change: (text: string) => string): void {
    this.write(file, change(this.read(file)));
  }

  /** Runs a script of its package.json. @throws Error with what it printed, when it fails. */
  npm(...args: readonly string[]): string {
    return execFileSync("npm", args, { cwd: this.folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  /** PUTs a state. @throws Error when it is refused. */
  async put(path: string, body: string): Promise<void> {
    const headers = { connection: "close", "content-type": "application/json" };
    const { status } = await fetch(`http://${this.address}${path}`, { method: "PUT", headers, body });
    if (status !== 200) throw new Error(`PUT ${path} was answered with ${status}`);
  }

  /** GETs a noun. @returns its state as text, or undefined when there is no answer of 200. */
  async get(path: string): Promise<string | undefined> {
    try {
      const response = await fetch(`http://${this.address}${path}`, { headers: { connection: "close" } });
      const text = await response.text();
      return response.status === 200 ? text : undefined;
    } catch {
      return undefined;
    }
  }
}
