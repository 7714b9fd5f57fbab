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
import { AdcChannel, channelUnit } from "./adc-channel.ts";
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
}

/**
 * GET reads the channel: the value is (raw + offset) * scale, mV for a voltage; the other quantities have the units of the
 * kernel's document. DELETE changes nothing. PUT and POST are refused.
 */
export class AdcNoun extends ReadOnlyNoun {
  protected readonly refusal = "This noun is a measurement, and cannot be set; GET reads it.";
  readonly shape: Shape;
  readonly poll: number | undefined;
  private readonly channel: AdcChannel;
  private readonly key: string;
  private readonly steady: SteadyState;

  /** @throws Error when the device has no such channel. */
  constructor(device: AttributeFolder | AdcChannel, { channel, key, poll }: AdcOptions) {
    super();
    this.channel = device instanceof AdcChannel ? device : new AdcChannel(device, channel);
    this.key = key;
    this.poll = poll;
    const unit = channelUnit(channel);
    this.shape = {
      [key]: { type: "number", readOnly: true, ...(unit !== undefined && { unit }) },
      raw: { type: "integer", readOnly: true, description: "What the converter gives." },
    };
    this.steady = new SteadyState(Object.keys(this.shape));
  }

  /** @throws Error when the kernel refuses. */
  getState(): State {
    const { value, raw } = this.channel.read();
    return this.steady.of({ [this.key]: value, raw });
  }

  /** @throws as `getState`. */
  deleteState(): State {
    return this.getState();
  }

  /** Attributes are opened for each reading: there is nothing to give back. */
  close(): void {}
}
