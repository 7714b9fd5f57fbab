/**
 * Finds sensors in the kernel's folders: by the name or label of a device of Industrial I/O or of a monitoring chip,
 * the type of a thermal zone, the id of a one-wire thermometer, the name of a power supply, or a path.
 */

import type { Files } from "../../native/files.ts";
import type { System } from "../../native/system.ts";
import { system } from "../../platform/platform.ts";
import type { SensorClass } from "./quantities.ts";

/** The folders of /sys, which are read at once: no attribute that is read here asks a device. */
export type Folders = Pick<System, "names" | "readTextFile">;

/** @returns the folders that belong to files; a simulated device has its own. */
export function foldersOf(files: Files & Partial<Folders>): Folders {
  return files.names === undefined ? system : (files as Folders);
}

export interface SensorDevice {
  readonly class: SensorClass;
  readonly folder: string;
  /** The names by which people call it, the usual one first. */
  readonly names: readonly string[];
  /** A file whose text tells it from another device that has the folder later; undefined if only it can have it. */
  readonly identity?: string;
}

/** The families of thermometers: DS18S20, DS1822, DS18B20, DS1825, DS28EA00. */
const thermometer = /^(?:10|22|28|3b|42)-[0-9a-f]{12}$/;

/** @returns whether a text is the id of a one-wire thermometer. */
export function isThermometer(device: string): boolean {
  return thermometer.test(device);
}

interface DeviceClass {
  readonly folder: string;
  /** The folders of devices in it. */
  readonly pattern: RegExp;
  /** The files with the names of a device, the one that identifies it first. Without any, its folder is its name. */
  readonly names: readonly string[];
}

export const sensorClasses: { readonly [name in SensorClass]: DeviceClass } = {
  thermal: { folder: "/sys/class/thermal", pattern: /^thermal_zone/, names: ["type"] },
  hwmon: { folder: "/sys/class/hwmon", pattern: /^hwmon./, names: ["name", "label"] },
  iio: { folder: "/sys/bus/iio/devices", pattern: /^iio:device/, names: ["name", "label"] },
  w1: { folder: "/sys/bus/w1/devices", pattern: thermometer, names: [] },
  power: { folder: "/sys/class/power_supply", pattern: /./, names: [] },
};

const allClasses = Object.keys(sensorClasses) as SensorClass[];

/** The largest size of an attribute, in bytes. */
const page = 4_096;

/** @returns the text of an attribute; undefined if it is absent or cannot be read. */
export function textAt(folders: Folders, path: string): string | undefined {
  try {
    return folders.readTextFile(path, page).trimEnd();
  } catch {
    return undefined;
  }
}

const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

function deviceIn(folders: Folders, of: SensorClass, folder: string): SensorDevice {
  const files = sensorClasses[of].names.map((file) => `${folder}/${file}`);
  const names = files.map((file) => textAt(folders, file)).filter((name) => name !== undefined && name !== "");
  const identity = of === "iio" || names.length === 0 ? undefined : files[0];
  return { class: of, folder, names: [...names, lastOf(folder)] as string[], ...(identity && { identity }) };
}

/** @returns all sensors of a class, in the order of the kernel's numbers. */
export function devicesOf(folders: Folders, of: SensorClass): SensorDevice[] {
  const { folder, pattern } = sensorClasses[of];
  const names = folders.names(folder, "").filter((name) => pattern.test(name));
  return names.map((name) => deviceIn(folders, of, `${folder}/${name}`));
}

/** @returns the class of a folder, by its name; undefined for another folder. */
function classOf(path: string): SensorClass | undefined {
  if (/\/power_supply\/[^/]+$/.test(path)) return "power";
  return (["w1", "thermal", "iio", "hwmon"] as const).find((name) => sensorClasses[name].pattern.test(lastOf(path)));
}

/** @returns the sensors at a path: the folder of one, of its device on a bus, or of a class. */
function devicesAt(folders: Folders, path: string): SensorDevice[] {
  const own = classOf(path);
  if (own !== undefined) return folders.names(path, "").length === 0 ? [] : [deviceIn(folders, own, path)];
  // The folder of a class between is left out for devices that belong to a class themselves, such as NVMe drives.
  const found: SensorDevice[] = [];
  for (const parent of [path, `${path}/hwmon`, `${path}/power_supply`]) {
    for (const name of folders.names(parent, "")) {
      const of = classOf(`${parent}/${name}`);
      if (of !== undefined && (of !== "power" || name !== "device"))
        found.push(deviceIn(folders, of, `${parent}/${name}`));
    }
  }
  return path === sensorClasses.power.folder ? found.filter((device) => isBattery(folders, device)) : found;
}

/** @returns whether a sensor is a battery. */
export function isBattery(folders: Folders, { class: of, folder }: SensorDevice): boolean {
  return of === "power" && textAt(folders, `${folder}/type`) === "Battery";
}

/** @returns what tells whether a monitoring chip only repeats the values of another sensor of this machine. */
function repetition(folders: Folders): (device: SensorDevice) => boolean {
  const others = (["thermal", "power"] as const).flatMap((of) =>
    devicesOf(folders, of).map(({ names: [name] }) => name),
  );
  const names = new Set(others.map((name) => name?.replaceAll("-", "_")));
  if (devicesOf(folders, "w1").length > 0) names.add("w1_slave_temp");
  return ({ class: of, folder, names: [name] }) =>
    of === "hwmon" && (names.has(name?.replaceAll("-", "_")) || textAt(folders, `${folder}/device/type`) !== undefined);
}

/** @returns a path that leads to the sensor after the next start, too; the number of its folder may change then. */
export function lastingPath(folders: Folders, { class: of, folder }: SensorDevice): string {
  if (of !== "iio" && of !== "hwmon") return folder;
  const name = lastOf(folder);
  for (const kind of ["bus", "class"]) {
    for (const group of folders.names(`/sys/${kind}`, "")) {
      const devices = kind === "bus" ? `/sys/bus/${group}/devices` : `/sys/class/${group}`;
      if (devices === sensorClasses[of].folder) continue;
      for (const device of folders.names(devices, "")) {
        const path = `${devices}/${device}`;
        if (folders.names(path, name).includes(name)) return path;
        if (of === "hwmon" && folders.names(`${path}/hwmon`, name).includes(name)) return path;
      }
    }
  }
  return folder;
}

/** @returns all sensors of this machine, a chip that repeats another one's values left out. */
export function allSensors(folders: Folders): SensorDevice[] {
  const isRepeated = repetition(folders);
  return allClasses.flatMap((of) => devicesOf(folders, of)).filter((device) => !isRepeated(device));
}

function absence(folders: Folders, device: string): string {
  if (device.startsWith("/")) return `${device} has no sensor: its driver is missing`;
  if (isThermometer(device)) return `the 1-Wire bus has no thermometer ${device}`;
  const known = [...new Set(allSensors(folders).map(({ names: [name = ""] }) => name))].join(", ");
  return `there is no sensor "${device}"; ${known === "" ? "this machine has none" : `available: ${known}`}`;
}

/**
 * @param device a name, or a path.
 * @param fits whether a sensor has the channels that are asked for. It decides only among several.
 * @returns the sensor. @throws Error with a sentence: there is none, or there are several.
 */
export function findSensor(
  folders: Folders,
  device: string,
  fits: (device: SensorDevice) => boolean = () => true,
): SensorDevice {
  let found: SensorDevice[];
  if (device.startsWith("/")) found = devicesAt(folders, device);
  else if (isThermometer(device)) found = devicesOf(folders, "w1").filter(({ names }) => names.includes(device));
  else {
    found = allClasses.flatMap((of) => devicesOf(folders, of)).filter(({ names }) => names.includes(device));
  }
  if (found.length > 1) {
    const isRepeated = repetition(folders);
    for (const rule of [fits, (one: SensorDevice) => !isRepeated(one)]) {
      const some = found.filter(rule);
      if (some.length > 0) found = some;
    }
  }
  const [first, ...others] = found;
  if (first === undefined) throw new Error(absence(folders, device));
  if (others.length === 0) return first;
  const paths = found
    .map((one) => lastingPath(folders, one))
    .sort()
    .join(", ");
  throw new Error(`${found.length} sensors are called "${device}": give the path of one: ${paths}`);
}
