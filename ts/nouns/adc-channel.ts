/** A channel of the kernel's Industrial I/O (Documentation/ABI/testing/sysfs-bus-iio). */
import type { Files } from "../native/files.ts";
import { listDevices, readNumber } from "./kernel-file.ts";

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

/** By the type of a channel, the unit of (raw + offset) * scale: Documentation/ABI/testing/sysfs-bus-iio. */
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
 * @param channel as the attributes name it: `voltage0`, `voltage0-voltage1`, `accel_x`.
 * @returns the unit of its value; undefined where the kernel's document names none.
 */
export function channelUnit(channel: string): string | undefined {
  const [type = ""] = /^[a-z]+/.exec(channel) ?? [];
  return Object.hasOwn(units, type) ? units[type] : undefined;
}

/** @returns the value to six decimal places. IIO gives at most nine decimal places; what a sum of products has beyond six is noise. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** @param device its folder's name. @returns the folder of its attributes. */
export function adcFolder(device: string): string {
  return `/sys/bus/iio/devices/${device}`;
}

/** Paths of the attributes of a channel. */
interface Attributes {
  readonly raw: string;
  readonly offset: string | undefined;
  readonly scale: string | undefined;
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

  /**
   * @param channel as the attributes name it: `voltage0` of `in_voltage0_raw`.
   * @internal
   */
  constructor(files: Files, device: string, channel: string) {
    this.files = files;
    this.folder = adcFolder(device);
    this.channel = channel;
  }

  /** @throws Error with a sentence (a rejected promise): there is no such device or channel, or the kernel refuses. */
  async read(): Promise<AdcReading> {
    try {
      this.attributes ??= await this.findAttributes();
      const { offset: offsetPath, scale: scalePath } = this.attributes;
      const raw = await readNumber(this.files, this.attributes.raw, "iio");
      const offset = offsetPath === undefined ? 0 : await readNumber(this.files, offsetPath, "iio");
      const scale = scalePath === undefined ? 1 : await readNumber(this.files, scalePath, "iio");
      return { value: rounded((raw + offset) * scale), raw };
    } catch (error) {
      // It may come back as another device.
      this.attributes = undefined;
      throw error;
    }
  }

  private async findAttributes(): Promise<Attributes> {
    const names = await listDevices(this.files, this.folder);
    const raw = `in_${this.channel}_raw`;
    if (!names.includes(raw)) throw new Error(`there is no channel ${this.channel}: ${this.folder} has no ${raw}`);
    // Channels of a type may share an attribute, whose name is then without the number.
    const shared = this.channel.replace(/[0-9]/g, "");
    const find = (what: string) => {
      const found = [`in_${this.channel}_${what}`, `in_${shared}_${what}`].find((name) => names.includes(name));
      return found && `${this.folder}/${found}`;
    };
    return { raw: `${this.folder}/${raw}`, offset: find("offset"), scale: find("scale") };
  }
}
