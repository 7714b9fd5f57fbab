/** A thermal zone (Documentation/driver-api/thermal/sysfs-api.rst), found by its type. */

import type { Noun } from "../../core/noun/noun.ts";
import type { Scalar } from "../../core/noun/state.ts";
import type { Files } from "../../native/files.ts";
import { readEach, readNumber } from "../open/kernel-file.ts";
import { measurement, numberText, type Sensor, type SensorOptions, sensorNoun, sensorOf } from "./sensor.ts";

/**
 * The zone to read.
 *
 * @example
 * const options: ThermalOptions = { type: "cpu-thermal" };
 * server.register("cpu", thermalNoun(options));
 */
export interface ThermalOptions extends SensorOptions {
  /** The zone's type, as in its file `type`: `cpu-thermal`, `x86_pkg_temp`. */
  readonly type: string;
  /** The key of the value; `celsius` if left out. */
  readonly key?: string;
}

const classFolder = "/sys/class/thermal";

/** @returns the folder of the first zone of each type. @throws Error with a sentence. */
export async function listZones(files: Files): Promise<Map<string, string>> {
  const zones = new Map<string, string>();
  for (const [folder, type] of await readEach(files, classFolder, "type")) {
    if (folder.startsWith(`${classFolder}/thermal_zone`) && !zones.has(type)) zones.set(type, folder);
  }
  return zones;
}

/** @returns degrees Celsius. @throws Error with a sentence. */
export async function readZone(files: Files, folder: string): Promise<number> {
  return (await readNumber(files, `${folder}/temp`, "thermal")) / 1_000;
}

/** @returns the texts of a simulated zone. */
export function zoneFiles(type: string, celsius: Scalar | undefined): { readonly [path: string]: string | undefined } {
  const folder = `${classFolder}/thermal_zone-${type.replace(/[^A-Za-z0-9_-]/g, "-")}`;
  return {
    [`${folder}/type`]: `${type}\n`,
    [`${folder}/temp`]: numberText(celsius, 1_000),
  };
}

/** @returns the sensor of a zone. */
export function thermalSensor({ type, key = "celsius" }: ThermalOptions): Sensor {
  async function read(files: Files): Promise<number> {
    const zones = await listZones(files);
    const folder = zones.get(type);
    if (folder === undefined) {
      const types = [...zones.keys()].join(", ");
      const known = types === "" ? "this device has none" : `available: ${types}`;
      throw new Error(`there is no thermal zone "${type}" in ${classFolder}; ${known}`);
    }
    return await readZone(files, folder);
  }

  return sensorOf([key, measurement("Cel")], 45, read, (celsius) => zoneFiles(type, celsius));
}

/**
 * A noun for a thermal zone of the kernel. It fails while there is no such zone.
 *
 * @example
 * server.register("cpu", thermalNoun({ type: "cpu-thermal" })); // {"celsius":48.312}
 */
export function thermalNoun(options: ThermalOptions): Noun {
  return sensorNoun(thermalSensor(options), options, options.type);
}
