/** The stock program on C modules of a test's own: what it does to them is kept for the test to look at. */
import { randomBytes } from "node:crypto";
import { vi } from "vitest";
import type { Connector } from "../../../ts/native/connector.ts";
import type { DeviceHardware } from "../../../ts/native/hardware.ts";
import type { Hash } from "../../../ts/native/hash.ts";
import type { Interruption } from "../../../ts/native/interruption.ts";
import type { Loop } from "../../../ts/native/loop.ts";
import type { Memory } from "../../../ts/native/memory.ts";
import type { Listener, Net, Socket, SocketHandler } from "../../../ts/native/net.ts";
import type { Privileges } from "../../../ts/native/privileges.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedConnector } from "../../../ts/native/simulated/connector.ts";
import { simulatedHash } from "../../../ts/native/simulated/hash.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import type { FileAccess, System, TrustDemand } from "../../../ts/native/system.ts";
import { SimulatedDevice } from "../../../ts/platform/simulated-device.ts";
import { patience } from "../../harness/patience.ts";

/** The C modules, by their names behind `nound:`. */
interface Modules extends DeviceHardware {
  readonly connector: Connector;
  readonly net: Net;
  readonly hash: Hash;
  readonly interruption: Interruption;
  readonly memory: Memory;
  readonly loop: Loop;
  readonly privileges: Privileges;
  readonly system: System;
}

/** @returns the functions of a twin as a module has them: with no object before them. */
function functionsOf<T extends object>(twin: T): { [N in keyof T]: T[N] } {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(twin)) as (keyof T & string)[];
  const functions = names.map((name) => [name, (twin[name] as (...args: unknown[]) => unknown).bind(twin)]);
  return { ...twin, ...Object.fromEntries(functions) };
}

function deviceModules(device: SimulatedDevice): DeviceHardware {
  const modules = Object.entries(device).map(([name, twin]) => [name, functionsOf(twin as object)]);
  return Object.fromEntries(modules) as DeviceHardware;
}

/** A socket that takes everything and keeps it. */
export class TestSocket implements Socket {
  readonly peer = "192.0.2.7:51234";
  handler: SocketHandler | null = null;
  sent = "";
  write(text: string): boolean {
    this.sent += text;
    return true;
  }
  writeBytes(bytes: string): boolean {
    return this.write(bytes);
  }
  writeSoon(text: string): boolean {
    return this.write(text);
  }
  writeLast(text: string): boolean {
    return this.write(text);
  }
  setReading(): void {}
  setLongLived(): void {}
  finish(): void {}
  close(): void {}
}

/** The C modules of one process; what the program does to them is kept. */
export class TestPlatform {
  readonly files = new Map<string, string>();
  /** What was demanded of each file that was asked for. */
  readonly trustDemands = new Map<string, TrustDemand | undefined>();
  /** What the user may do with files that are there. */
  readonly accesses = new Map<string, FileAccess>();
  /** Whether it was built to require tokens. */
  isAccessRequired = false;
  readonly environment = new Map<string, string>();
  /** Addresses that are in use by another program. */
  readonly inUse = new Set<string>();
  readonly open = new Map<string, (socket: Socket) => void>();
  readonly clock = new SimulatedClock();
  readonly connector = new SimulatedConnector();
  /** The device's own hardware, which for the daemon's part is real. */
  readonly hardware: SimulatedDevice = new SimulatedDevice(this.clock);
  readonly unknownUsers = new Set<string>();
  /** Whether the kernel has still to gather randomness after boot. */
  hasNoRandomNumbers = false;
  /** What was done about privileges, in order; and which files were read. */
  readonly steps: string[] = [];
  output = "";
  error = "";
  statuses: number[] = [];
  /** What the process was limited to, in order: ms of a call, bytes of memory. */
  readonly limits: { readonly calls: number[]; readonly memory: number[] } = { calls: [], memory: [] };
  signal: Parameters<Loop["onSignal"]>[0] = () => {};
  uncaughtError: Parameters<Loop["onUncaughtError"]>[0] | undefined;
  unhandledRejection: Parameters<Loop["onUnhandledRejection"]>[0] | undefined;

  /** Starts the program, as a process of its own: no module of it has been evaluated before. */
  async run(...args: string[]): Promise<void> {
    const modules = Object.entries(this.modules(args));
    vi.resetModules();
    for (const [name, module] of modules) vi.doMock(`nound:${name}`, () => module);
    await import("../../../ts/program/daemon/main.ts");
    for (const [name] of modules) vi.doUnmock(`nound:${name}`);
    // Other tests are to get the usual modules again.
    vi.resetModules();
  }

  /** @returns the status the process ends with, once it is known. */
  async status(): Promise<number> {
    await vi.waitUntil(() => this.statuses.length > 0, { interval: 1, timeout: patience });
    return this.statuses[0] ?? Number.NaN;
  }

  private modules(args: readonly string[]): Modules {
    return {
      connector: functionsOf(this.connector),
      net: { listen: (address, onAccept) => this.listen(address, onAccept), broadcast: () => [], mostRead: 16_384 },
      hash: simulatedHash,
      interruption: {
        ...functionsOf(new SimulatedInterruption()),
        limitCalls: (limit) => {
          this.limits.calls.push(limit);
        },
      },
      memory: {
        limitMemory: (limit) => {
          this.limits.memory.push(limit);
        },
        isScarce: () => false,
        usedBytes: () => 0,
      },
      ...deviceModules(this.hardware),
      loop: {
        now: () => this.clock.now(),
        turnTime: () => this.clock.turnTime(),
        setTimer: (callback, delay) => this.clock.setTimer(callback, delay),
        setNounTimer: (callback, delay) => this.clock.setTimer(callback, delay),
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
        onStandstill: () => {},
        exit: (status) => {
          this.statuses.push(status);
        },
      },
      privileges: {
        findAccount: (user) => {
          if (this.unknownUsers.has(user)) throw new Error(`there is no user "${user}" in /etc/passwd`);
        },
        chooseAccount: (user, group) => {
          if (this.unknownUsers.has(user)) throw new Error(`there is no user "${user}" in /etc/passwd`);
          this.steps.push(`become ${user}${group === undefined ? "" : `:${group}`}`);
        },
        restrict: () => {
          this.steps.push(`give up, with ${this.open.size} open`);
          return "little";
        },
        isRestricted: () => false,
        restrictions: () => "little",
      },
      system: {
        version: "1.2.3+a52e1cc",
        parts: "",
        contact: "",
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
        accessOf: (path) =>
          this.accesses.get(path) ??
          (this.files.has(path) ? { isReadable: true, isWritable: false, isPublic: false, group: "" } : undefined),
        names: () => [],
        onFailure: () => undefined,
        kernelRelease: () => "6.1.0-50-armmp",
        hostName: () => "host",
        isAccessRequired: () => this.isAccessRequired,
        sourceDate: () => 1_767_225_600,
        isClockSynchronized: () => true,
        randomHex: (count, waits) => {
          if (this.hasNoRandomNumbers && !waits) throw new Error("the kernel gives no random numbers");
          return randomBytes(count).toString("hex");
        },
        printOutput: (text) => {
          this.output += text;
        },
        log: (line) => {
          this.error += `${line}\n`;
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
