/**
 * A noun for a channel of an analog-to-digital converter, or of any sensor that the kernel's Industrial I/O has
 * (Documentation/ABI/testing/sysfs-bus-iio).
 *
 *     const device = openDevice("iio", "iio:device0");
 *     server.register("battery", new AdcNoun(device, { channel: "voltage0", key: "millivolts" }));
 *     // {"millivolts":3712.5,"raw":2970}
 */
import type { AttributeFolder } from "../native/sysfs.ts";
import type { Shape } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { AdcChannel, channelUnit, rounded } from "./adc-channel.ts";
import { ReadOnlyNoun } from "./read-only-noun.ts";
import { SteadyState } from "./steady-state.ts";

/**
 * What an `AdcNoun` reads.
 *
 * @example
 * const options: AdcOptions = { channel: "voltage0", key: "millivolts" };
 */
export interface AdcOptions {
  /** As the attributes name it: `voltage0` of `in_voltage0_raw`. */
  readonly channel: string;
  /** The key of the value; not `raw`. */
  readonly key: string;
  /** ms between two readings while somebody watches; 1000 if left out. */
  readonly poll?: number | undefined;
  /** The value is that of the channel, times this; 1 if left out. */
  readonly scale?: number;
  /** What is added to that; 0 if left out. */
  readonly offset?: number;
  /** What the value is measured in. If left out: the channel's unit, or none where `scale` makes it another. */
  readonly unit?: string;
}

/**
 * GET reads the channel: the value is (raw + offset) * scale by the kernel's numbers, mV for a voltage; the other quantities have the
 * units of the kernel's document. The options turn it into what is measured: a voltage into the level of a tank. DELETE changes nothing. PUT and POST are refused.
 */
export class AdcNoun extends ReadOnlyNoun {
  protected readonly refusal = "This noun is a measurement, and cannot be set; GET reads it.";
  readonly shape: Shape;
  readonly poll: number | undefined;
  private readonly channel: AdcChannel;
  private readonly key: string;
  private readonly scale: number;
  private readonly offset: number;
  private readonly steady: SteadyState;

  /** @throws Error when the device has no such channel. */
  constructor(device: AttributeFolder | AdcChannel, { channel, key, scale = 1, offset = 0, unit, poll }: AdcOptions) {
    super();
    this.channel = device instanceof AdcChannel ? device : new AdcChannel(device, channel);
    this.key = key;
    this.poll = poll;
    this.scale = scale;
    this.offset = offset;
    const measured = unit ?? (scale === 1 ? channelUnit(channel) : undefined);
    this.shape = {
      [key]: { type: "number", readOnly: true, ...(measured !== undefined && { unit: measured }) },
      raw: { type: "integer", readOnly: true, description: "What the converter gives." },
    };
    this.steady = new SteadyState(Object.keys(this.shape));
  }

  /** @throws Error when the kernel refuses. */
  getState(): State {
    const { value, raw } = this.channel.read();
    return this.steady.of({ [this.key]: rounded(value * this.scale + this.offset), raw });
  }

  /** @throws as `getState`. */
  deleteState(): State {
    return this.getState();
  }

  /** Attributes are opened for each reading: there is nothing to give back. */
  close(): void {}
}
