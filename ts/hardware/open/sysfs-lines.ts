/**
 * Finds lines in /sys/class/gpio, where a chip is a folder gpiochipN of its first line's number N
 * (Documentation/admin-guide/gpio/sysfs.rst of the kernel).
 */

import type { LineAddress } from "../../native/gpio.ts";
import { holderOf } from "../../platform/failures.ts";
import { system } from "../../platform/platform.ts";

const folder = "/sys/class/gpio";

interface Chip {
  /** `gpiochip504`. */
  readonly name: string;
  readonly label: string;
  /** The number of its first line. */
  readonly base: number;
  /** How many lines it has. */
  readonly count: number;
}

function readAttribute(path: string): string {
  try {
    return system.readTextFile(path, 4096).trim();
  } catch {
    return "";
  }
}

/** @returns whether a line is exported under a name that a device tree has given it. */
export function isExported(name: string): boolean {
  return !/\/|^\.|^gpio(?:chip)?[0-9]/.test(name) && system.accessOf(`${folder}/${name}/value`) !== undefined;
}

function listChips(): readonly Chip[] {
  return system.names(folder, "gpiochip").map((name) => {
    const [label = "", base, count] = ["label", "base", "ngpio"].map((key) =>
      readAttribute(`${folder}/${name}/${key}`),
    );
    return { name, label, base: Number(base), count: Number(count) };
  });
}

/** Whether a chip is that of a character device, `gpiochip0`: both are children of the same device. */
function isOfDevice({ name }: Chip, device: string): boolean {
  return system.accessOf(`/sys/bus/gpio/devices/${device}/../gpio/${name}`) !== undefined;
}

/** @returns the chip with this name, label, or name or path of its character device. */
function findChip(wanted: string): Chip {
  const chips = listChips();
  const isPath = wanted.startsWith("/dev/");
  const name = wanted.slice(wanted.lastIndexOf("/") + 1);
  for (const fits of [
    (chip: Chip) => !isPath && chip.name === name,
    (chip: Chip) => !wanted.includes("/") && chip.label === name,
    (chip: Chip) => isOfDevice(chip, name),
  ]) {
    const [found, ...others] = chips.filter(fits);
    if (found === undefined) continue;
    if (others.length === 0) return found;
    const names = [found, ...others].map((chip) => chip.name).join(", ");
    throw new Error(`the GPIO chip "${wanted}" is not unique: ${names}; give one of these names`);
  }
  const available = chips.map((chip) => `${chip.name} (${chip.label})`).join(", ");
  const remedy = chips.length > 0 ? `available: ${available}` : "the folder has no chips";
  throw new Error(`there is no GPIO chip "${wanted}" in ${folder}; ${remedy}`);
}

/** @returns the address with the line's number. A line that is named has been exported, or C says why there is none. */
export function findSysfsLine(address: LineAddress): LineAddress {
  if ("name" in address || system.accessOf(folder) === undefined) return address;
  const { name: chip, base, count } = findChip(address.chip);
  const { offset } = address;
  if (offset < count) return { chip, offset, number: base + offset };
  throw new Error(`the GPIO chip ${chip} has no line ${offset}: its offsets are 0 to ${count - 1}`);
}

/** @throws Error if another program has the line, as far as this user can know. A line that is exported may be ours. */
export function checkSysfsLine(address: LineAddress): void {
  if ("name" in address || system.accessOf(`${folder}/gpio${address.number}`) !== undefined) return;
  const holder = holderOf(`${address.number}`);
  if (holder === "") return;
  throw new Error(`the GPIO line ${address.chip} ${address.offset} is in use by "${holder}"`);
}
