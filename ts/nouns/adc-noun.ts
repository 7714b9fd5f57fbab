/**
 * A noun for a channel of an analog-to-digital converter, or of any sensor that the kernel's Industrial I/O has
 * (Documentation/ABI/testing/sysfs-bus-iio).
 *
 *     const device = openDevice("iio", "iio:device0");
 *     server.register("battery", new AdcNoun(device, { channel: "voltage0", key: "millivolts" }));
 *     // {"millivolts":3712.5,"raw":2970}
 */
import type { AttributeFolder } from "../native/sysfs.ts";
import type { State } from "../noun/state.ts";
import { readNumber } from "./attribute-number.ts";
import { ReadOnlyNoun } from "./read-only-noun.ts";

/** What an `AdcNoun` reads. */
export interface AdcOptions {
  /** As the attributes name it: `voltage0` of `in_voltage0_raw`. */
  readonly channel: string;
  /** The key of the value; not `raw`. */
  readonly key: string;
}

/** IIO gives at most nine decimal places; what a sum of products has beyond six is noise. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * GET reads the channel: the value is (raw + offset) * scale, mV for a voltage; the other quantities have the units of the
 * kernel's document. DELETE changes nothing. PUT and POST are refused.
 */
export class AdcNoun extends ReadOnlyNoun {
  protected readonly refusal = "This noun is a measurement, and cannot be set; GET reads it.";
  private readonly device: AttributeFolder;
  private readonly key: string;
  private readonly raw: string;
  private readonly offset: string | undefined;
  private readonly scale: string | undefined;

  /** @throws Error when the device has no such channel. */
  constructor(device: AttributeFolder, { channel, key }: AdcOptions) {
    super();
    this.device = device;
    this.key = key;
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
  getState(): State {
    const raw = readNumber(this.device, this.raw);
    const offset = this.offset === undefined ? 0 : readNumber(this.device, this.offset);
    const scale = this.scale === undefined ? 1 : readNumber(this.device, this.scale);
    return { [this.key]: rounded((raw + offset) * scale), raw };
  }

  /** @throws as `getState`. */
  deleteState(): State {
    return this.getState();
  }

  /** Attributes are opened for each reading: there is nothing to give back. */
  close(): void {}
}
