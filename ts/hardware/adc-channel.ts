/** A channel of the kernel's Industrial I/O (Documentation/ABI/testing/sysfs-bus-iio). */
import type { Files } from "../native/files.ts";
import { type Awaitable, after } from "../noun/noun.ts";
import { listDevices, numberIn, readTexts } from "./kernel-file.ts";

/**
 * A reading of an `AdcChannel`.
 *
 * @example
 * const { value, raw }: AdcReading = await openAdc("iio:device0", "voltage0").read();
 */
export interface AdcReading {
  /** (raw + offset) * scale: mV for a voltage; the other quantities have the units of the kernel's document. */
  readonly value: number;
  /** The converter's own number. */
  readonly raw: number;
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

/** @param device its folder's name. @returns the folder of its attributes. */
export function adcFolder(device: string): string {
  return `/sys/bus/iio/devices/${device}`;
}

interface Attributes {
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
  private readonly folder: string;
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
    this.folder = adcFolder(device);
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
  readAs<Result>(make: (value: number, raw: number) => Result): Awaitable<Result> {
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
      const result = make(rounded((raw + offset) * scale), raw);
      this.last = { texts, attributes, make, result };
      return result;
    });
  }

  private async findAndRead<Result>(make: (value: number, raw: number) => Result): Promise<Result> {
    this.attributes = await this.findAttributes();
    return await this.readAs(make);
  }

  private async findAttributes(): Promise<Attributes> {
    const names = await listDevices(this.files, this.folder);
    const raw = `in_${this.channel}_raw`;
    if (!names.includes(raw)) throw new Error(`there is no channel ${this.channel}: ${this.folder} has no ${raw}`);
    // Channels of a type may share an attribute. Its name then has no number.
    const shared = this.channel.replace(/[0-9]/g, "");
    const find = (what: string) =>
      [`in_${this.channel}_${what}`, `in_${shared}_${what}`].find((name) => names.includes(name));
    const [offset, scale] = [find("offset"), find("scale")];
    const found = [raw, offset, scale].filter((name) => name !== undefined);
    return {
      paths: found.map((name) => `${this.folder}/${name}`),
      offset: offset === undefined ? -1 : found.indexOf(offset),
      scale: scale === undefined ? -1 : found.indexOf(scale),
    };
  }
}
