/** A channel of the kernel's Industrial I/O (Documentation/ABI/testing/sysfs-bus-iio). */
import type { AttributeFolder } from "../native/sysfs.ts";
import { readNumber } from "./attribute-number.ts";

/**
 * A reading of an `AdcChannel`.
 *
 * @example
 * const { value, raw }: AdcReading = openAdc("iio:device0", "voltage0").read();
 */
export interface AdcReading {
  /** (raw + offset) * scale: mV for a voltage; the other quantities have the units of the kernel's document. */
  readonly value: number;
  /** What the converter gives. */
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

/**
 * A channel of an analog-to-digital converter, or of any sensor that the kernel's Industrial I/O has.
 *
 * @example
 * const battery = openAdc("iio:device0", "voltage0");
 * const millivolts = battery.read().value;
 */
export class AdcChannel {
  private readonly device: AttributeFolder;
  private readonly raw: string;
  private readonly offset: string | undefined;
  private readonly scale: string | undefined;

  /**
   * @param channel as the attributes name it: `voltage0` of `in_voltage0_raw`.
   * @throws Error when the device has no such channel.
   * @internal
   */
  constructor(device: AttributeFolder, channel: string) {
    this.device = device;
    this.raw = `in_${channel}_raw`;
    if (!device.has(this.raw)) {
      throw new Error(`there is no channel ${channel}: ${device.path} has no ${this.raw}`);
    }
    // Channels of a type may share an attribute, whose name is then without the number.
    const shared = channel.replace(/[0-9]/g, "");
    const find = (what: string) => [`in_${channel}_${what}`, `in_${shared}_${what}`].find((name) => device.has(name));
    this.offset = find("offset");
    this.scale = find("scale");
  }

  /** @throws Error when the kernel refuses. */
  read(): AdcReading {
    const raw = readNumber(this.device, this.raw);
    const offset = this.offset === undefined ? 0 : readNumber(this.device, this.offset);
    const scale = this.scale === undefined ? 1 : readNumber(this.device, this.scale);
    return { value: rounded((raw + offset) * scale), raw };
  }
}
