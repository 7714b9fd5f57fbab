/** Looks into /sys for `--find`. What is not there or cannot be read is absent, and nothing is written. */
import { hardware } from "../../platform/platform.ts";

/** The largest number of entries of a folder that is listed. */
const mostEntries = 4_096;

/** @returns the names in a folder, ordered by the numbers in them; none if it is absent. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await hardware().files.listFolder(folder, mostEntries);
    return names.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  } catch {
    return [];
  }
}

/** @returns by the folder of the class `pwm`, that of its device on a bus, which stays at the next start. */
export async function devicesWith(part: "pwm"): Promise<ReadonlyMap<string, string>> {
  const devices = new Map<string, string>();
  for (const bus of await namesIn("/sys/bus")) {
    for (const device of await namesIn(`/sys/bus/${bus}/devices`)) {
      const folder = `/sys/bus/${bus}/devices/${device}`;
      for (const name of await namesIn(`${folder}/${part}`)) devices.set(name, folder);
    }
  }
  return devices;
}

/** @returns the text of an attribute without its line end; undefined if it cannot be read. */
export async function textIn(path: string): Promise<string | undefined> {
  try {
    const text = await hardware().files.readText(path, 4_096);
    return text.replace(/[\n\0]+$/, "");
  } catch {
    return undefined;
  }
}
