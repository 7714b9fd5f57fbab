/**
 * One-wire thermometers of one bus, which are converted at once where the kernel can (w1_therm.rst, therm_bulk_read):
 * ten of them take as long as one. Otherwise each reading converts its own, one after the other.
 */

import type { Files } from "../../native/files.ts";
import { system } from "../../platform/platform.ts";
import { type Folders, sensorClasses } from "./sensor-device.ts";

const { folder: bus } = sensorClasses.w1;

/** @returns the attribute that converts all thermometers of the bus of one; undefined if the kernel has none. */
export function bulkReadOf(folders: Folders, id: string): string | undefined {
  const master = folders.names(bus, "w1_bus_master").find((name) => folders.names(`${bus}/${name}`, id).includes(id));
  const path = `${bus}/${master}/therm_bulk_read`;
  return folders.names(`${bus}/${master}`, "therm_bulk_read").length > 0 ? path : undefined;
}

/** @returns the attributes, of all buses, that this user may write. */
export function bulkReads(): string[] {
  const all = system.names(bus, "w1_bus_master").map((name) => `${bus}/${name}/therm_bulk_read`);
  return all.filter((path) => system.accessOf(path)?.isWritable === true);
}

/** The conversions of a bus. */
class Conversions {
  private readonly path: string;
  private underWay: Promise<void> = Promise.resolve();
  /** Begins once the conversion under way has ended, for all that ask meanwhile. */
  private next: Promise<void> | undefined;
  private isRefused = false;

  constructor(path: string) {
    this.path = path;
  }

  /** @returns a promise of the end of a conversion that begins after this call; undefined if the kernel refuses any. */
  convert(files: Files): Promise<void> | undefined {
    if (this.isRefused) return undefined;
    this.next ??= this.underWay.then(() => {
      this.next = undefined;
      this.underWay = files.writeText(this.path, "trigger\n", "/sys", "w1").catch(() => {
        // The user may not write it: each reading converts by itself.
        this.isRefused = true;
      });
      return this.underWay;
    });
    return this.next;
  }
}

const buses = new Map<string, Conversions>();

/** As `convert` of the bus that has this attribute. */
export function convertAll(files: Files, path: string): Promise<void> | undefined {
  const conversions = buses.get(path) ?? new Conversions(path);
  buses.set(path, conversions);
  return conversions.convert(files);
}
