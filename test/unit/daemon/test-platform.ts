/** The stock program without its C modules: what the daemon does to them is kept for a test to look at. */
import { randomBytes } from "node:crypto";
import { vi } from "vitest";
import { type Platform, runDaemon } from "../../../ts/daemon/daemon.ts";
import { type SimulatedHardware, simulateHardware } from "../../../ts/daemon/hardware.ts";
import type { Loop } from "../../../ts/native/loop.ts";
import type { Listener, Socket, SocketHandler } from "../../../ts/native/net.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedGuard } from "../../../ts/native/simulated/guard.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import { SimulatedMemory } from "../../../ts/native/simulated/memory.ts";
import type { TrustDemand } from "../../../ts/native/system.ts";

/** A socket that takes everything and keeps it. */
export class TestSocket implements Socket {
  readonly peer = "192.0.2.7:51234";
  handler: SocketHandler | null = null;
  sent = "";
  write(text: string): boolean {
    this.sent += text;
    return true;
  }
  writeLast(text: string): boolean {
    return this.write(text);
  }
  setReading(): void {}
  finish(): void {}
  close(): void {}
}

/** The C modules as far as the daemon sees them; what it does to them is kept. */
export class TestPlatform {
  readonly files = new Map<string, string>();
  /** What was demanded of each file that was asked for. */
  readonly trustDemands = new Map<string, TrustDemand | undefined>();
  readonly environment = new Map<string, string>();
  /** Addresses that are in use by another program. */
  readonly inUse = new Set<string>();
  readonly open = new Map<string, (socket: Socket) => void>();
  readonly clock = new SimulatedClock();
  /** The device's own hardware, which for the daemon's part is real. */
  readonly hardware: SimulatedHardware = simulateHardware(this.clock);
  /** What was run in the program's place: name, text and command line. */
  readonly applications: { readonly name: string; readonly text: string; readonly args: readonly string[] }[] = [];
  /** What is wrong with any application. */
  applicationError: Error | undefined;
  readonly unknownUsers = new Set<string>();
  /** What was done about privileges, in order; and which files were read. */
  readonly steps: string[] = [];
  output = "";
  error = "";
  statuses: number[] = [];
  signal: Parameters<Loop["onSignal"]>[0] = () => {};
  uncaughtError: Parameters<Loop["onUncaughtError"]>[0] | undefined;
  unhandledRejection: Parameters<Loop["onUnhandledRejection"]>[0] | undefined;

  run(...args: string[]): void {
    runDaemon(this.platform(args));
  }

  /** @returns the status the process ends with, once it is known. */
  async status(): Promise<number> {
    await vi.waitUntil(() => this.statuses.length > 0, { interval: 1 });
    return this.statuses[0] ?? Number.NaN;
  }

  private platform(args: readonly string[]): Platform {
    return {
      net: { listen: (address, onAccept) => this.listen(address, onAccept) },
      hash: simulatedHash,
      guard: new SimulatedGuard(),
      memory: new SimulatedMemory(),
      hardware: this.hardware,
      loop: {
        now: () => this.clock.now(),
        setTimer: (callback, delay) => this.clock.setTimer(callback, delay),
        clearTimer: (timer) => this.clock.clearTimer(timer),
        onSignal: (handler) => {
          this.signal = handler;
        },
        onUncaughtError: (handler) => {
          this.uncaughtError = handler;
        },
        onUnhandledRejection: (handler) => {
          this.unhandledRejection = handler;
        },
        exit: (status) => {
          this.statuses.push(status);
        },
      },
      privileges: {
        chooseAccount: (user, group) => {
          if (this.unknownUsers.has(user)) throw new Error(`there is no user "${user}" in /etc/passwd`);
          this.steps.push(`become ${user}${group === undefined ? "" : `:${group}`}`);
        },
        restrict: () => {
          this.steps.push(`give up, with ${this.open.size} open`);
          return "little";
        },
      },
      script: {
        run: (name, text, args) => {
          if (this.applicationError !== undefined) throw this.applicationError;
          this.applications.push({ name, text, args });
        },
      },
      system: {
        version: "1.2.3",
        build: "engine 4, target",
        args,
        environment: (name) => this.environment.get(name),
        readTextFile: (path, _limit, trust) => {
          this.trustDemands.set(path, trust);
          this.steps.push(`read ${path}${trust === undefined ? "" : `, trusted ${trust}`}`);
          const text = this.files.get(path);
          if (text === undefined) throw new Error(`cannot read ${path}: there is no such file`);
          return text;
        },
        randomHex: (count) => randomBytes(count).toString("hex"),
        printOutput: (text) => {
          this.output += text;
        },
        printError: (text) => {
          this.error += text;
        },
      },
    };
  }

  private listen(asked: string, onAccept: (socket: Socket) => void): Listener {
    if (this.inUse.has(asked)) throw new Error(`cannot listen on ${asked}: the address is in use by another program`);
    const address = asked.replace(/:0$/, ":40000");
    this.open.set(address, onAccept);
    return { address, close: () => this.open.delete(address) };
  }
}
