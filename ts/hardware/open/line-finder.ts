/** Finds GPIO lines of the character device by their names, and its chips by their labels. */

import type { Gpio, GpioBackend, LineAddress, ListedChip } from "../../native/gpio.ts";
import { system } from "../../platform/platform.ts";
import { findSysfsLine, isExported } from "./sysfs-lines.ts";

/** @returns why something is not on these chips. @param missing the sentence about it. */
function notFound(chips: readonly ListedChip[], missing: string, remedy: string): Error {
  if (chips.length === 0) {
    return new Error("this system has no GPIO character device: there is no /dev/gpiochip0 or the like");
  }
  const denied = chips.find(({ refusal }) => /^(?:Permission denied|Operation not permitted)$/.test(refusal));
  if (denied === undefined) return new Error(`${missing}; ${remedy}`);
  return new Error(
    `${missing} on the chips that this user may read; this user may not open /dev/${denied.name}: add the user to ` +
      'the group that may (often "gpio"), add a udev rule, or run as root',
  );
}

function findNamed(chips: readonly ListedChip[], name: string): LineAddress {
  const linesOf = ({ name: chip, lines }: ListedChip): readonly LineAddress[] =>
    lines.flatMap((line, offset) => (line.name === name ? [{ chip, offset }] : []));
  const [found, ...others] = chips.flatMap(linesOf);
  if (found === undefined) {
    throw notFound(chips, `no GPIO line has the name "${name}"`, "`nound --find` lists the names");
  }
  if (others.length === 0) return found;
  const places = [found, ...others].map((line) => ("chip" in line ? `${line.chip} ${line.offset}` : line.name));
  throw new Error(`the line name "${name}" is not unique: ${places.join(", ")}; give chip and offset`);
}

/** @returns the name of the chip that has a label. */
function findLabelled(chips: readonly ListedChip[], wanted: string): string {
  const [found, ...others] = chips.filter(({ label }) => label === wanted).map(({ name }) => name);
  if (found === undefined) {
    const available = chips.map(({ name, label }) => (label === "" ? name : `${name} (${label})`)).join(", ");
    throw notFound(chips, `there is no GPIO chip "${wanted}"`, `available: ${available}`);
  }
  if (others.length === 0) return found;
  const names = [found, ...others].join(", ");
  throw new Error(`the chip label "${wanted}" is not unique: ${names}; give the chip's name`);
}

/**
 * @returns the backend that can reach a line, `gpiod` rather than `sysfs`; if none can, the one whose `openLine` says
 *   why; undefined on a system without GPIO.
 */
function chooseBackend(chips: readonly ListedChip[]): GpioBackend | undefined {
  if (chips.some(({ lines }) => lines.length > 0)) return "gpiod";
  const access = system.accessOf("/sys/class/gpio/export");
  if (chips.length > 0 && access?.isWritable !== true) return "gpiod";
  return access && "sysfs";
}

/**
 * @param wanted the backend; only tests choose it, by the environment.
 * @returns the first two arguments of `openLine`: the backend, which the system tells, and an address that it knows.
 * @throws Error with a sentence: no such line or chip, several of a name (with the candidates), no permission.
 */
export function findLine(
  gpio: Gpio,
  address: LineAddress,
  wanted = system.environment("NOUND_GPIO") as GpioBackend | undefined,
): readonly [backend: GpioBackend, address: LineAddress] {
  if (gpio.hasEveryLine) return [wanted ?? "gpiod", address];
  const chips = wanted === "sysfs" ? [] : gpio.listChips();
  if ("name" in address && wanted === undefined) {
    const { name } = address;
    const isNamed = chips.some(({ lines }) => lines.some((line) => line.name === name));
    // A device tree may export a line to scripts, under a name of its own.
    if (!isNamed && isExported(name)) return ["sysfs", address];
  }
  const backend = wanted ?? chooseBackend(chips);
  if (backend === undefined) {
    throw new Error("this system has no GPIO: there is neither /dev/gpiochip0 nor /sys/class/gpio");
  }
  if (backend === "sysfs") return [backend, findSysfsLine(address)];
  if ("name" in address) return [backend, findNamed(chips, address.name)];
  // The C module opens a device by its name or path.
  if (/^(?:\/|gpiochip[0-9]+$)/.test(address.chip)) return [backend, address];
  return [backend, { chip: findLabelled(chips, address.chip), offset: address.offset }];
}
