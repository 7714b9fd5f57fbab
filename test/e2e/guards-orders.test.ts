/**
 * The law of guards on the real program, in random orders: commands, units that refuse or are silent, reloads, SIGTERM,
 * and SIGKILL of each process. The writes at two Modbus units, one on a serial line, and a file of /sys show it.
 */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { ModbusCoils } from "../harness/modbus-coils.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { childrenOf } from "../harness/process-status.ts";
import { reloadProcess } from "../harness/reloaded-service.ts";
import { endedByThisTest } from "../harness/served.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const lacking = noSysfsTree ?? (existsSync("/usr/bin/python3") ? undefined : "there is no Python");
const title = lacking === undefined ? "" : ` (skipped: ${lacking})`;

const valveFile = "/sys/class/backlight/valve/brightness";
const isOn = { on: true };

/** The same numbers for the same seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A pump behind TCP; a heater on a serial line that needs it; a valve in /sys that needs the heater. */
class House {
  readonly wrong: string[] = [];
  private readonly pump: ModbusCoils;
  private readonly heater: ModbusCoils;
  private readonly sys = new SysfsTree();
  private readonly address: string;
  private readonly file: string;
  private nound: NoundProcess | undefined;
  /** How often the process with the nouns was killed since the start. */
  private crashes = 0;
  private hasKilledHelper = false;
  /** Commands that nobody waits for before the end. */
  private readonly asked: Promise<number>[] = [];

  constructor(pump: ModbusCoils, heater: ModbusCoils, address: string) {
    this.pump = pump;
    this.heater = heater;
    this.address = address;
    this.sys.put(valveFile, "0\n");
    const coil = ({ place }: ModbusCoils) => ({
      kind: "modbus",
      ...place,
      timeout: 100,
      poll: 100,
      keys: { on: { at: "coil 0", writable: true, default: false } },
    });
    const nouns = {
      pump: coil(pump),
      heater: { ...coil(heater), guard: { pump: isOn } },
      valve: {
        kind: "sysfs",
        path: valveFile,
        key: "level",
        writable: true,
        default: 0,
        poll: 100,
        guard: { heater: isOn },
      },
    };
    const limits = { nounTimeout: 2_000 };
    this.file = configurationFile(JSON.stringify({ listen: address, limits, nouns, log: "errors" }));
    pump.onWrite = (_, on) => {
      if (on === 0 && heater.coils[0] === 1) this.wrong.push("the pump went off before the heater");
    };
    heater.onWrite = (_, on) => {
      if (on === 0 && this.isOpen) this.wrong.push("the heater went off before the valve");
      if (on === 1 && pump.coils[0] === 0) this.wrong.push("the heater went on without the pump");
    };
  }

  private get isOpen(): boolean {
    return Number(this.sys.cat(valveFile)) > 0;
  }

  async start(): Promise<void> {
    this.crashes = 0;
    this.nound = endedByThisTest(
      new NoundProcess(["--config", this.file], this.address, {
        wrapper: this.sys.wrapper,
        environment: { NOUND_LIMITS: '{"shutdownTimeout":2000}' },
      }),
    );
    await this.nound.listening();
  }

  private get process(): NoundProcess {
    return this.nound as NoundProcess;
  }

  /** @returns the status; 0 if the process ended meanwhile. */
  async ask(method: "PUT" | "DELETE", name: string): Promise<number> {
    const body = method === "PUT" ? JSON.stringify(name === "valve" ? { level: 9 } : isOn) : undefined;
    const headers = { "content-type": "application/json", connection: "close" };
    try {
      const answer = await fetch(`http://${this.address}/${name}`, { method, headers, ...(body && { body }) });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  /** One step of an order. Commands need not be answered before the next one. */
  async step(random: (below: number) => number): Promise<void> {
    const name = ["pump", "heater", "valve"][random(3)] ?? "";
    switch (random(12)) {
      case 0:
        await reloadProcess(this.process.keeper);
        break;
      case 1:
        // The program ends; the next one finds the units as they are.
        await this.process.stop();
        this.checkEnd();
        await this.start();
        break;
      case 2:
        await this.kill(this.process.pid);
        break;
      case 3: {
        // The next one comes at once; the one after that, within a minute.
        const helper = childrenOf(this.process.keeper).find((id) => id !== this.process.pid);
        if (helper === undefined || this.hasKilledHelper) break;
        this.hasKilledHelper = true;
        process.kill(helper, "SIGKILL");
        break;
      }
      case 4:
        this.heater.isSilent = !this.heater.isSilent;
        break;
      case 5:
        if (!this.heater.refused.delete(0)) this.heater.refused.add(0);
        break;
      case 6:
        this.asked.push(this.ask("DELETE", name));
        break;
      case 7:
        await this.ask("DELETE", name);
        break;
      default:
        await this.ask("PUT", name);
    }
  }

  /** SIGKILL to the process with the nouns; its keeper starts another one. */
  private async kill(id: number): Promise<void> {
    // After five crashes in a row, the keeper starts no other one.
    if (id === this.process.keeper || this.crashes === 3) return;
    this.crashes += 1;
    process.kill(id, "SIGKILL");
    await this.process.replaced(id);
    // Its socket listens all the time. One that is killed during its start is replaced once alone.
    const answers = async () => (await fetch(`http://${this.address}/nothing`).catch(() => undefined))?.status === 404;
    await eventually("another process serves", answers);
  }

  /** Everything guarded is at its default at the end, unless it could not go there. */
  private checkEnd(): void {
    const isFailing = this.heater.isSilent || this.heater.refused.size > 0;
    if (this.isOpen) this.wrong.push("the valve is open at the end");
    if (this.heater.coils[0] === 1 && !isFailing) this.wrong.push("the heater is on at the end");
  }

  /** From here on everything works: the law holds within the documented time. */
  async settle(): Promise<void> {
    this.heater.isSilent = false;
    this.heater.refused.clear();
    await Promise.all(this.asked);
    await eventually("guarded outputs are on with their conditions alone", () => {
      const isPumpOn = this.pump.coils[0] === 1;
      const isHeaterOn = this.heater.coils[0] === 1;
      return (isPumpOn || !isHeaterOn) && (isHeaterOn || !this.isOpen);
    });
  }

  /** Ends with everything on. */
  async end(): Promise<void> {
    // A unit that answers late, on a busy machine, takes those that need it off again.
    await eventually("everything can be switched on", async () => {
      for (const name of ["pump", "heater", "valve"]) if ((await this.ask("PUT", name)) !== 200) return false;
      return true;
    });
    await this.process.stop();
    this.checkEnd();
  }
}

/** One in twenty of those of the unit tests, because each takes seconds. */
const orders = Number(process.env["NOUND_ORDERS"] ?? 80) / 20;
const first = Number(process.env["NOUND_SEED"] ?? Date.now() % 1_000_000);

test.skipIf(lacking !== undefined)(
  `a guarded output is on with its condition alone, whatever ends when${title}`,
  async () => {
    console.log(`seeds from ${first}`);
    for (let seed = first; seed < first + orders; seed += 1) {
      const house = new House(await ModbusCoils.tcp(), await ModbusCoils.rtu(), await freeAddress());
      await house.start();
      const random = numbers(seed);
      for (let steps = 0; steps < 25; steps += 1) await house.step(random);
      await house.settle();
      await house.end();
      expect(house.wrong, `seed ${seed}`).toEqual([]);
    }
  },
  1_200_000,
);
