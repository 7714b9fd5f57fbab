/** A channel of the kernel's Industrial I/O (Documentation/ABI/testing/sysfs-bus-iio). */

import { type Awaitable, after } from "../../core/noun/noun.ts";
import type { Files } from "../../native/files.ts";
import { listDevices, numberIn, readEach, readTexts } from "./kernel-file.ts";

/**
 * A reading of an `AdcChannel`.
 *
 * @example
 * const { value, raw }: AdcReading = await openAdc("iio:device0", "voltage0").read();
 */
export interface AdcReading {
  /** (raw + offset) * scale: mV for a voltage; the other quantities have the units of the kernel's document. */
  readonly value: number;
  /** The converter's own number; null if the driver gives the value alone. */
  readonly raw: number | null;
}

/** For each type of channel, the unit of (raw + offset) * scale: Documentation/ABI/testing/sysfs-bus-iio. */
const units: { readonly [type: string]: string } = {
  accel: "m/s2",
  altvoltage: "mV",
  anglvel: "rad/s",
  capacitance: "nF",
  concentration: "%",
  current: "mA",
  distance: "m",
  electricalconductivity: "S/m",
  energy: "J",
  gravity: "m/s2",
  humidityrelative: "m%",
  illuminance: "lx",
  magn: "G",
  power: "mW",
  pressure: "kPa",
  resistance: "Ohm",
  temp: "mCel",
  velocity: "m/s",
  voltage: "mV",
};

/**
 * @param channel its name in the attributes: `voltage0`, `voltage0-voltage1`, `accel_x`.
 * @returns the unit of its value; undefined if the kernel's document names none.
 */
export function channelUnit(channel: string): string | undefined {
  const [type = ""] = /^[a-z]+/.exec(channel) ?? [];
  return Object.hasOwn(units, type) ? units[type] : undefined;
}

/** @returns the value to six decimal places. IIO gives at most nine; those beyond six are rounding errors. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The folder of the devices of Industrial I/O. */
const iioFolder = "/sys/bus/iio/devices";

/** @returns whether a text is a device's own name there, which changes when another driver is found first. */
function isNumbered(device: string): boolean {
  return /^iio:device[0-9]+$/.test(device);
}

/**
 * @param device its folder's name, a chip's name or label, or the path of its device on a bus.
 * @returns the folder of its attributes on simulated hardware.
 */
export function simulatedAdcFolder(device: string): string {
  return device.startsWith("/") ? `${device}/iio:device0` : `${iioFolder}/${device}`;
}

/** @returns the texts of a chip on simulated hardware: one attribute, undefined if it is absent, and its name. */
export function chipFiles(device: string, attribute: string, text: string | undefined) {
  const folder = simulatedAdcFolder(device);
  const name = device.startsWith("/") || isNumbered(device) ? {} : { [`${folder}/name`]: `${device}\n` };
  return { ...name, [`${folder}/${attribute}`]: text };
}

/** @returns the device's folder below that of its device on a bus. @throws Error with a sentence. */
async function folderOnBus(files: Files, path: string): Promise<string> {
  const [name] = (await listDevices(files, path)).filter(isNumbered);
  if (name === undefined) throw new Error(`${path} has no device of Industrial I/O: its driver is missing`);
  return `${path}/${name}`;
}

/**
 * @param device as in `AdcOptions`.
 * @returns the folder of its attributes. @throws Error with a sentence: there is none, or there are several.
 */
export async function findChip(files: Files, device: string): Promise<string> {
  if (isNumbered(device)) return `${iioFolder}/${device}`;
  if (device.startsWith("/")) return await folderOnBus(files, device);
  const names = await readEach(files, iioFolder, "name");
  const labels = await readEach(files, iioFolder, "label");
  const isWanted = (folder: string) => names.get(folder) === device || labels.get(folder) === device;
  const folders = [...new Set([...names.keys(), ...labels.keys()])];
  const [found, ...others] = folders.filter(isWanted);
  if (found === undefined) {
    const known = [...new Set([...names.values(), ...labels.values()])].join(", ");
    throw new Error(
      `there is no device "${device}" of Industrial I/O; ${known === "" ? "there is none" : `there are ${known}`}`,
    );
  }
  if (others.length === 0) return found;
  throw new Error(
    `${others.length + 1} devices have the name "${device}": give the path of one on its bus, ` +
      "such as /sys/bus/i2c/devices/1-0076; `nound --find` prints it",
  );
}

interface Attributes {
  /** Whether the driver gives the value alone. */
  readonly isInput: boolean;
  /** The attributes that exist; the raw value is the first. */
  readonly paths: readonly string[];
  /** The index of the offset; -1 for none. */
  readonly offset: number;
  /** The index of the scale; -1 for none. */
  readonly scale: number;
}

/** The texts of a reading, and the result that was made from them. */
interface Read {
  readonly texts: readonly string[];
  readonly attributes: Attributes;
  readonly make: unknown;
  readonly result: unknown;
}

function areEqual(texts: readonly string[], others: readonly string[]): boolean {
  for (let index = 0; index < texts.length; index++) if (texts[index] !== others[index]) return false;
  return texts.length === others.length;
}

/** @returns the number in the attribute with this index, or `otherwise`. @throws Error with a sentence. */
function numberAt(index: number, { paths }: Attributes, texts: readonly string[], otherwise: number): number {
  const path = paths[index];
  return path === undefined ? otherwise : numberIn(texts[index] ?? "", path);
}

/**
 * A channel of an analog-to-digital converter, or of any sensor that the kernel's Industrial I/O has.
 *
 * @example
 * const battery = openAdc("iio:device0", "voltage0");
 * const { value } = await battery.read(); // mV
 */
export class AdcChannel {
  private readonly files: Files;
  private readonly device: string;
  private readonly channel: string;
  private attributes: Attributes | undefined;
  /** The last reading. Equal texts give the same result, which is then not made again. */
  private last: Read | undefined;

  /**
   * @param channel its name in the attributes: `voltage0` of `in_voltage0_raw`.
   * @internal
   */
  constructor(files: Files, device: string, channel: string) {
    this.files = files;
    this.device = device;
    this.channel = channel;
  }

  /** @throws Error with a sentence (a rejected promise): there is no such device or channel, or the kernel refuses. */
  async read(): Promise<AdcReading> {
    return await this.readAs((value, raw) => ({ value, raw }));
  }

  /**
   * Reads all attributes each time, as one operation: drivers change the scale with the gain, and other programs may
   * set it.
   * @param make makes the result. It must be immutable, because it is returned again while the attributes are the same.
   * @throws as `read` does, at once or by the promise.
   * @internal
   */
  readAs<Result>(make: (value: number, raw: number | null) => Result): Awaitable<Result> {
    const { attributes } = this;
    if (attributes === undefined) return this.findAndRead(make);
    // If anything fails, the next reading looks for the attributes again, because another device may come back.
    this.attributes = undefined;
    return after(readTexts(this.files, attributes.paths, "iio"), (texts) => {
      const { last } = this;
      if (last !== undefined && last.make === make && last.attributes === attributes && areEqual(texts, last.texts)) {
        this.attributes = attributes;
        return last.result as Result;
      }
      const raw = numberAt(0, attributes, texts, 0);
      const offset = numberAt(attributes.offset, attributes, texts, 0);
      const scale = numberAt(attributes.scale, attributes, texts, 1);
      this.attributes = attributes;
      const result = attributes.isInput ? make(rounded(raw), null) : make(rounded((raw + offset) * scale), raw);
      this.last = { texts, attributes, make, result };
      return result;
    });
  }

  private async findAndRead<Result>(make: (value: number, raw: number | null) => Result): Promise<Result> {
    this.attributes = await this.findAttributes();
    return await this.readAs(make);
  }

  private async findAttributes(): Promise<Attributes> {
    const folder = await findChip(this.files, this.device);
    const names = await listDevices(this.files, folder);
    const raw = `in_${this.channel}_raw`;
    const input = `in_${this.channel}_input`;
    if (!names.includes(raw)) {
      if (!names.includes(input)) throw new Error(`there is no channel ${this.channel}: ${folder} has no ${raw}`);
      return { isInput: true, paths: [`${folder}/${input}`], offset: -1, scale: -1 };
    }
    // Channels of a type may share an attribute. Its name then has no number.
    const shared = this.channel.replace(/[0-9]/g, "");
    const find = (what: string) =>
      [`in_${this.channel}_${what}`, `in_${shared}_${what}`].find((name) => names.includes(name));
    const [offset, scale] = [find("offset"), find("scale")];
    const found = [raw, offset, scale].filter((name) => name !== undefined);
    return {
      isInput: false,
      paths: found.map((name) => `${folder}/${name}`),
      offset: offset === undefined ? -1 : found.indexOf(offset),
      scale: scale === undefined ? -1 : found.indexOf(scale),
    };
  }
}
