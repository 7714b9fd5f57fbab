/** A program under test whose configuration changes while it runs. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { expect } from "vitest";
import { freeAddress } from "./address.ts";
import { withConstants } from "./constants.ts";
import { commandOf } from "./environment.ts";
import { eventually } from "./eventually.ts";
import { configurationFile, NoundProcess } from "./nound-process.ts";
import { endedByThisTest } from "./served.ts";

/** How `nound --reload` ended. */
export interface ReloadOutcome {
  readonly status: number | undefined;
  readonly stderr: string;
}

/** Runs `nound --reload`. */
export async function reloadProcess(id: number): Promise<ReloadOutcome> {
  const [program, ...words] = commandOf("nound");
  return await new Promise((resolve) => {
    const child = execFile(program, [...words, "--reload", String(id)], (_error, _stdout, stderr) =>
      resolve({ status: child.exitCode ?? undefined, stderr }),
    );
  });
}

/** A served configuration that a test changes. */
export class Service {
  readonly address: string;
  readonly file: string;
  readonly process: NoundProcess;

  private constructor(
    address: string,
    nouns: object,
    args: readonly string[],
    wrapper: readonly string[],
    rest: object,
  ) {
    this.address = address;
    const { written, environment } = withConstants({ listen: address, nouns, log: "errors", ...rest });
    this.file = configurationFile(JSON.stringify(written));
    const words = ["--config", this.file, ...args];
    this.process = endedByThisTest(new NoundProcess(words, address, { wrapper, environment }));
  }

  static async start(
    nouns: object,
    {
      args = [],
      wrapper = [],
      address,
      ...rest
    }: {
      /** Where it listens; a free address if left out. */
      address?: string;
      args?: readonly string[];
      wrapper?: readonly string[];
      access?: object;
      limits?: object;
      documents?: readonly string[];
      stateDirectory?: string;
    } = {},
  ): Promise<Service> {
    const service = new Service(address ?? (await freeAddress()), nouns, args, wrapper, rest);
    await service.process.listening();
    return service;
  }

  configure(nouns: object, rest: object = {}): void {
    const { written } = withConstants({ listen: this.address, nouns, log: "errors", ...rest });
    writeFileSync(this.file, JSON.stringify(written));
  }

  /** Reloads, and waits until the next process serves. */
  async reload(): Promise<void> {
    const before = this.process.pid;
    process.kill(this.process.keeper, "SIGHUP");
    await this.replaced(before);
  }

  /** Reloads by the command line. @returns how that ended. */
  async command(): Promise<ReloadOutcome> {
    return await reloadProcess(this.process.keeper);
  }

  /** Waits until a process other than this one serves. */
  async replaced(before: number): Promise<void> {
    await this.process.replaced(before);
    await this.process.listening();
  }

  /** Reloads a configuration with a mistake. @returns what the log says of it. */
  async refuse(): Promise<readonly string[]> {
    const [before, said] = [this.process.pid, this.process.printed.length];
    process.kill(this.process.keeper, "SIGHUP");
    await eventually("it says what goes on", () =>
      /not reloaded|the previous one again/.test(this.process.printed.slice(said)),
    );
    if (!this.process.printed.includes("the previous one again")) expect(this.process.pid).toBe(before);
    await this.process.listening();
    return this.process.printed.slice(said).trimEnd().split("\n");
  }

  /** Asks on a connection of its own. */
  async ask(method: string, path: string, state?: object): Promise<unknown> {
    const [host, port] = this.address.split(":");
    const type = state && { "content-type": "application/json" };
    return await new Promise((resolve, reject) => {
      const asking = request({ host, port, method, path, agent: false, headers: { ...type } }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.once("end", () => resolve(JSON.parse(text))).once("error", reject);
      });
      asking.once("error", reject).end(state && JSON.stringify(state));
    });
  }
}
