/** A channel of an analog-to-digital converter, or of any sensor that the kernel's Industrial I/O has, for a noun. */

import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import type { Files } from "../../native/files.ts";
import { hardware } from "../../platform/platform.ts";
import { AdcChannel, channelUnit, rounded, simulatedAdcFolder } from "../open/adc-channel.ts";
import { measuredIn, prepare, type Sensor, type SensorOptions, sensorNoun } from "./sensor.ts";

/**
 * The channel to read, and the meaning of its value.
 *
 * @example
 * const options: AdcOptions = { device: "iio:device0", channel: "voltage0", key: "millivolts" };
 * server.register("battery", adcNoun(options));
 */
export interface AdcOptions extends SensorOptions {
  /**
   * The chip's name or label, such as `bme280`; the path of its device on a bus, such as `/sys/bus/i2c/devices/1-0076`,
   * if several chips have the name; or its folder in `/sys/bus/iio/devices`, whose number may change at a start.
   */
  readonly device: string;
  /** As the attributes name it: `voltage0` of `in_voltage0_raw`, `temp` of `in_temp_input`. */
  readonly channel: string;
  /** The key of the value; not `raw`. */
  readonly key: string;
  /** The value is that of the channel, times this; 1 if left out. */
  readonly scale?: number;
  /** A number to add to that; 0 if left out. */
  readonly offset?: number;
  /** The unit of the value. If left out: the channel's unit, or none if `scale` changes it. */
  readonly unit?: string;
}

/** A simulated converter has twelve bits and a reference of 3.3 V. */
const simulated = { maximum: 4_095, initial: 2_048, millivoltsPerStep: "0.805664062\n" };

/** @returns the texts of a simulated channel with this reading. */
export function channelFiles(device: string, channel: string, raw: Scalar): { readonly [path: string]: string } {
  const folder = simulatedAdcFolder(device);
  return {
    ...(!/^(?:\/|iio:device)/.test(device) && { [`${folder}/name`]: `${device}\n` }),
    ...(typeof raw === "number" && { [`${folder}/in_${channel}_raw`]: `${raw}\n` }),
    ...(/^voltage[0-9]*$/.test(channel) && { [`${folder}/in_voltage_scale`]: simulated.millivoltsPerStep }),
  };
}

/** @returns the channel as a sensor: its value, and `raw` of the same reading. */
export function adcSensor({ device, channel, key, scale = 1, offset = 0, unit }: AdcOptions): Sensor {
  const measured = unit ?? (scale === 1 ? channelUnit(channel) : undefined);
  let opened: AdcChannel | undefined;

  const makeState = (value: number, raw: number | null): State => ({ [key]: rounded(value * scale + offset), raw });

  function readBoth(files: Files): Awaitable<State> {
    opened ??= new AdcChannel(files, device, channel);
    return opened.readAs(makeState);
  }

  return {
    shape: {
      [key]: { type: "number", readOnly: true, ...measuredIn(measured) },
      raw: {
        type: "integer",
        readOnly: true,
        nullable: true,
        description: "What the converter gives.",
        diagnostic: true,
      },
    },
    readings: [readBoth],
    moved: { raw: { type: "integer", nullable: true, minimum: 0, maximum: simulated.maximum } },
    initial: { raw: simulated.initial },
    filesOf({ raw = null }: State) {
      return { [`${simulatedAdcFolder(device)}/in_${channel}_raw`]: undefined, ...channelFiles(device, channel, raw) };
    },
  };
}

/**
 * Opens a channel of an analog-to-digital converter. If the device or the channel is absent, each reading fails until
 * it appears. On simulated hardware, a noun sets the reading: `simulated.iio-device0.voltage0`.
 * @param device as in `AdcOptions`.
 * @param channel its name in the attributes: `voltage0` of `in_voltage0_raw`.
 * @param simulatedAs the name of that noun after `simulated.`, if it should be another one.
 *
 * @example
 * const battery = openAdc("iio:device0", "voltage0");
 * const { value } = await battery.read(); // mV
 */
export function openAdc(device: string, channel: string, simulatedAs = `${device}.${channel}`): AdcChannel {
  prepare(adcSensor({ device, channel, key: "value" }), simulatedAs);
  return new AdcChannel(hardware().files, device, channel);
}

/**
 * A noun for a channel of an analog-to-digital converter. It fails while the device is absent or does not answer.
 *
 * @example
 * server.register("battery", adcNoun({ device: "iio:device0", channel: "voltage0", key: "millivolts" }));
 */
export function adcNoun(options: AdcOptions): Noun {
  return sensorNoun(adcSensor(options), options, `${options.device}.${options.channel}`);
}
