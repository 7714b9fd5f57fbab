/** A channel of an analog-to-digital converter, for an application. */

import type { Scalar } from "../../core/noun/state.ts";
import { hardware } from "../../platform/platform.ts";
import { AdcChannel, chipFiles, simulatedAdcFolder } from "../open/adc-channel.ts";
import { prepare, type Sensor } from "./sensor.ts";

/** A simulated converter has twelve bits and a reference of 3.3 V. */
const simulated = { maximum: 4_095, initial: 2_048, millivoltsPerStep: "0.805664062\n" };

/** @returns the texts of a simulated channel with this reading; undefined for an absent file. */
export function channelFiles(device: string, channel: string, raw: Scalar) {
  const folder = simulatedAdcFolder(device);
  return {
    ...chipFiles(device, `in_${channel}_raw`, typeof raw === "number" ? `${raw}\n` : undefined),
    [`${folder}/in_${channel}_input`]: undefined,
    ...(/^voltage[0-9]*$/.test(channel) && { [`${folder}/in_${channel}_scale`]: simulated.millivoltsPerStep }),
  };
}

/** @returns the simulation of a channel. */
function converter(device: string, channel: string): Sensor {
  return {
    shape: { raw: { type: "integer", nullable: true, minimum: 0, maximum: simulated.maximum } },
    readings: [],
    initial: { raw: simulated.initial },
    filesOf: ({ raw = null }) => channelFiles(device, channel, raw),
  };
}

/**
 * Opens a channel of an analog-to-digital converter. If the device or the channel is absent, each reading fails until
 * it appears. On simulated hardware, a noun sets the reading: `simulated.iio-device0.voltage0`.
 * @param device as in `SensorOptions`.
 * @param channel its name in the attributes: `voltage0` of `in_voltage0_raw`.
 * @param simulatedAs the name of that noun after `simulated.`, if it should be another one.
 *
 * @example
 * const battery = openAdc("iio:device0", "voltage0");
 * const { value } = await battery.read(); // mV
 */
export function openAdc(device: string, channel: string, simulatedAs = `${device}.${channel}`): AdcChannel {
  prepare(converter(device, channel), simulatedAs);
  return new AdcChannel(hardware().files, device, channel);
}
