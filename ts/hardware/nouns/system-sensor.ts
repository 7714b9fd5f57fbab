/**
 * The machine as one noun: how long it runs, how busy it is, its free memory and temperature (proc(5)), and how the
 * program is that serves it.
 */

import type { Noun } from "../../core/noun/noun.ts";
import type { Key } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import type { Files } from "../../native/files.ts";
import { bootId } from "../../platform/device-model.ts";
import { lastFailure } from "../../platform/log.ts";
import { hardware, isSimulated, system } from "../../platform/platform.ts";
import { readNumber, readText } from "../open/kernel-file.ts";
import { devicesOf, foldersOf } from "../open/sensor-device.ts";
import { type MeasuringOptions, measurementOfSeveral, nounOfSensor, readingOf, type Sensor } from "./sensor.ts";
import { zoneFiles } from "./simulated-channels.ts";

/** The name by which a sensor is the machine itself. */
export const machine = "system";

/** What a program tells of itself. */
export interface Health {
  /** Its version, and its commit if the build knew it. */
  readonly version: string;
  /** Different after each boot of the machine; "" where the kernel does not say. */
  readonly boot: string;
  /** @returns the last failure in the log; "" if there was none. */
  readonly lastError: () => string;
}

const mebibyte = 1_048_576;

function told(description: string): Key {
  return { type: "string", readOnly: true, nullable: true, diagnostic: true, description };
}

const facts = {
  uptime: {
    ...measurementOfSeveral("s", "Since the machine started."),
    title: "Started",
    timeDependent: true as const,
  },
  started: {
    ...told("When the machine started, by its clock; null until that is set."),
    title: "Start",
    deviceClass: "timestamp",
  },
  load1: {
    ...measurementOfSeveral("1", "Processes that run or wait for the processor or a disk, on average over 1 minute."),
    title: "Load (1 min)",
  },
  load5: { ...measurementOfSeveral("1", "The same over 5 minutes."), title: "Load (5 min)", diagnostic: true },
  load15: { ...measurementOfSeveral("1", "The same over 15 minutes."), title: "Load (15 min)", diagnostic: true },
  memoryAvailable: {
    ...measurementOfSeveral("By", "Memory that programs can still have."),
    title: "Free memory",
    step: mebibyte,
  },
  memoryTotal: { ...measurementOfSeveral("By"), title: "Memory", step: mebibyte, diagnostic: true },
};

const temperatureShape = {
  temperature: {
    ...measurementOfSeveral("Cel", "Of the processor, or of the first thermal zone."),
    title: "Temperature",
  },
};

const wifiShape = {
  wifi: {
    ...measurementOfSeveral("dB[mW]", "The signal of Wi-Fi."),
    title: "Wi-Fi",
    step: 1,
    deviceClass: "signal_strength",
  },
};

const healthShape = {
  version: { ...told("Of nound, with its commit."), title: "Version" },
  boot: { ...told("Another one after each boot of the machine."), title: "Boot" },
  lastError: {
    ...told("The last failure in the log since the start of nound; empty without one."),
    title: "Last error",
  },
};

const files = {
  uptime: "/proc/uptime",
  load: "/proc/loadavg",
  memory: "/proc/meminfo",
  wifi: "/proc/net/wireless",
} as const;

/** A clock that shows an earlier moment has not been set: 2026-01-01. */
const leastMoment = 1_767_225_600_000;

/** ms by which the start may seem to move, before the clock has been set anew. */
const mostDrift = 5_000;

/** @returns the level of the first interface in dBm; undefined if there is none. */
function signalOf(text: string): number | undefined {
  const [, level] = /^ *\S+: +\S+ +\S+ +(-?[0-9]+)/m.exec(text) ?? [];
  return level === undefined ? undefined : Number(level);
}

/** @returns whether this machine has Wi-Fi now. */
function hasWifi(): boolean {
  try {
    return !isSimulated && signalOf(system.readTextFile(files.wifi, 4_096)) !== undefined;
  } catch {
    return false;
  }
}

/** @returns the number in a column, counted from 0. @throws Error with a sentence. */
async function column(from: Files, path: string, index: number): Promise<number> {
  const value = Number.parseFloat((await readText(from, path)).split(" ")[index] ?? "");
  if (!Number.isFinite(value)) throw new Error(`${path} holds no number in column ${index + 1}`);
  return value;
}

/** @returns bytes. @throws Error with a sentence. */
async function memory(from: Files, field: string): Promise<number> {
  const text = await readText(from, files.memory);
  const [, kilobytes] = new RegExp(`^${field}: +([0-9]+) kB$`, "m").exec(text) ?? [];
  if (kilobytes === undefined) throw new Error(`${files.memory} has no ${field}`);
  return Number(kilobytes) * 1_024;
}

/** @returns the path of the temperature: the processor's or, without one, that of the first zone. */
function temperaturePath(from: Files): string | undefined {
  const zones = devicesOf(foldersOf(from), "thermal");
  const zone = zones.find(({ names: [type = ""] }) => /cpu|soc|pkg/i.test(type)) ?? zones[0];
  return zone && `${zone.folder}/temp`;
}

async function readTemperature(from: Files): Promise<number> {
  const path = temperaturePath(from);
  if (path === undefined) throw new Error("this machine has no thermal zone");
  return (await readNumber(from, path, "thermal")) / 1_000;
}

/** Whether this machine has a temperature that can be read now. */
function hasTemperature(): boolean {
  if (isSimulated) return true;
  try {
    const path = temperaturePath(hardware().files);
    return path !== undefined && Number.isFinite(Number.parseInt(system.readTextFile(path, 64), 10));
  } catch {
    return false;
  }
}

/** @param health if left out, the state does not have it. @param has what the machine has. */
export function systemSensor(
  health?: Health,
  { wifi = false, temperature = true }: { readonly wifi?: boolean; readonly temperature?: boolean } = {},
): Sensor {
  const { version = "", boot = "", lastError = () => "" } = health ?? {};
  let start = Number.NEGATIVE_INFINITY;

  async function times(from: Files): Promise<State> {
    const uptime = await column(from, files.uptime, 0);
    const now = Date.now();
    const seen = now - 1_000 * uptime;
    if (Math.abs(seen - start) > mostDrift) start = Math.round(seen / 1_000) * 1_000;
    const started = now < leastMoment ? null : new Date(start).toISOString().replace(".000Z", "Z");
    return { uptime, started };
  }

  return {
    shape: {
      ...facts,
      ...(temperature && temperatureShape),
      ...(wifi && wifiShape),
      ...(health && healthShape),
    },
    readings: [
      times,
      readingOf("load1", (from) => column(from, files.load, 0)),
      readingOf("load5", (from) => column(from, files.load, 1)),
      readingOf("load15", (from) => column(from, files.load, 2)),
      readingOf("memoryAvailable", (from) => memory(from, "MemAvailable")),
      readingOf("memoryTotal", (from) => memory(from, "MemTotal")),
      ...(temperature ? [readingOf("temperature", (from) => readTemperature(from))] : []),
      ...(wifi ? [readingOf("wifi", async (from) => signalOf(await readText(from, files.wifi)) ?? null)] : []),
      ...(health ? [() => ({ version: version || null, boot: boot || null, lastError: lastError() })] : []),
    ],
    reach: Object.values(files).filter((path) => wifi || path !== files.wifi),
    initial: {
      uptime: 86_400,
      load1: 0.25,
      load5: 0.2,
      load15: 0.15,
      memoryAvailable: 67_108_864,
      memoryTotal: 134_217_728,
      ...(temperature && { temperature: 45 }),
    },
    filesOf({ uptime, load1, load5, load15, memoryAvailable, memoryTotal, temperature: celsius }: State) {
      const line = (name: string, bytes: unknown) =>
        typeof bytes === "number" ? `${name}: ${Math.round(bytes / 1_024)} kB\n` : "";
      const loads = [load1, load5, load15].map((load) => load ?? "-").join(" ");
      return {
        [files.uptime]: typeof uptime === "number" ? `${uptime} ${uptime}\n` : undefined,
        [files.load]: `${loads} 1/80 1024\n`,
        [files.memory]: `${line("MemTotal", memoryTotal)}${line("MemAvailable", memoryAvailable)}`,
        ...zoneFiles("cpu-thermal", celsius),
      };
    },
  };
}

/** ms between two readings of the machine's facts, some of which differ each time. */
const systemPoll = 10_000;

/**
 * A noun for facts of the machine: how long it runs, how busy it is, how much memory is left, how warm it is; and of
 * nound: its version, and its last failure.
 *
 * @example
 * server.register("system", systemNoun());
 */
export function systemNoun(options: MeasuringOptions = {}): Noun {
  const health = { version: system.version, boot: bootId(), lastError: lastFailure };
  return nounOfSensor(
    systemSensor(health, { wifi: hasWifi(), temperature: hasTemperature() }),
    { ...options, poll: options.poll ?? systemPoll },
    "system",
  );
}
