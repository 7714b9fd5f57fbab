/** What a device is: its model, from the device tree or from its firmware; its boot, and its id. */
import { system } from "./platform.ts";

/** Bytes of a name that is read. */
const longestName = 1_024;

/** What firmware says that was never filled in. */
const placeholder =
  /^(?:to be filled by o\.?e\.?m\.?|default string|system (?:product name|manufacturer)|none|n\/a|-*)$/i;

/** @returns the text of a file in one line; "" if it cannot be read or says nothing. */
export function nameIn(path: string): string {
  try {
    // Many devices lack some of the files; a failure would load its sentences.
    if (system.accessOf(path) === undefined) return "";
    const text = system.readTextFile(path, longestName);
    const name = text.replace(/[\0-\x1f\x7f]+/g, " ").trim();
    return placeholder.test(name) ? "" : name;
  } catch {
    return "";
  }
}

/** @returns what is different after each boot of the machine (random(4)); "" where the kernel does not say. */
export function bootId(): string {
  return nameIn("/proc/sys/kernel/random/boot_id");
}

/** @returns `Raspberry Pi 4 Model B Rev 1.4`, or a PC's maker and product; undefined where nothing names it. */
export function deviceModel(): string | undefined {
  const folder = "/sys/class/dmi/id";
  const [maker, product] = [nameIn(`${folder}/sys_vendor`), nameIn(`${folder}/product_name`)];
  const machine = product.startsWith(maker) ? product : `${maker} ${product}`.trim();
  // OpenWrt's own name is the one that people know.
  return [nameIn("/tmp/sysinfo/model"), nameIn("/proc/device-tree/model"), machine].find((name) => name !== "");
}

/** @returns the id of this machine (machine-id(5)); undefined if it has none. */
export function machineId(): string | undefined {
  try {
    if (system.accessOf("/etc/machine-id") === undefined) return undefined;
    const [id] = /^[0-9a-f]{32}/.exec(system.readTextFile("/etc/machine-id", 64)) ?? [];
    return id;
  } catch {
    return undefined;
  }
}
