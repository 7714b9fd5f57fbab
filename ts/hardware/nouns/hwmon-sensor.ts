/**
 * A channel of a monitoring chip (Documentation/hwmon/sysfs-interface.rst). The chip is found by its name, because the
 * number of `/sys/class/hwmon/hwmonN` changes from one boot to the next.
 */

import type { Noun } from "../../core/noun/noun.ts";
import type { Files } from "../../native/files.ts";
import { listDevices, readEach, readNumber, readText } from "../open/kernel-file.ts";
import { measurement, numberText, type Sensor, type SensorOptions, sensorNoun, sensorOf } from "./sensor.ts";

/** The quantities of chips, by a channel's first letters: the key, its unit, the divisor of the kernel's number. */
const quantities = {
  temp: { key: "celsius", unit: "Cel", divisor: 1_000, initial: 25 },
  in: { key: "volts", unit: "V", divisor: 1_000, initial: 3.3 },
  fan: { key: "rpm", unit: "rpm", divisor: 1, initial: 1_200 },
  curr: { key: "amperes", unit: "A", divisor: 1_000, initial: 0.5 },
  power: { key: "watts", unit: "W", divisor: 1_000_000, initial: 5 },
  energy: { key: "joules", unit: "J", divisor: 1_000_000, initial: 0 },
  humidity: { key: "percent", unit: "%", divisor: 1_000, initial: 50 },
  freq: { key: "hertz", unit: "Hz", divisor: 1, initial: 50 },
} as const;

/**
 * What a chip measures: `temp`, `in` (a voltage), `fan`, `curr`, `power`, `energy`, `humidity` or `freq`.
 *
 * @example
 * const quantity: HwmonQuantity = "fan";
 * server.register("fan", hwmonNoun({ chip: "nct6775", channel: "CPU", quantity }));
 */
export type HwmonQuantity = keyof typeof quantities;

export const hwmonQuantities = Object.keys(quantities) as HwmonQuantity[];

/**
 * The chip and the channel to read.
 *
 * @example
 * const options: HwmonOptions = { chip: "lm75", channel: "temp1" };
 * server.register("board", hwmonNoun(options));
 */
export interface HwmonOptions extends SensorOptions {
  /** The chip's name, as in its file `name`: `lm75`, `cpu_thermal`. */
  readonly chip: string;
  /** The channel, `temp1`, or the text of its label, `CPU`. */
  readonly channel: string;
  /** If several chips have the name: the device's folder, `/sys/bus/i2c/devices/3-0049`. */
  readonly device?: string;
  /** What a labelled channel measures; `temp` if left out. */
  readonly quantity?: HwmonQuantity;
  /** The value's key. Default: `celsius`, `volts`, `rpm`, `amperes`, `watts`, `joules`, `percent`, `hertz`. */
  readonly key?: string;
}

/** @returns what a channel named by its number measures; undefined for a label. */
export function quantityOfChannel(channel: string): HwmonQuantity | undefined {
  const [, type = ""] = /^([a-z]+)[0-9]{1,4}$/.exec(channel) ?? [];
  return Object.hasOwn(quantities, type) ? (type as HwmonQuantity) : undefined;
}

const classFolder = "/sys/class/hwmon";

/** @returns the folder of the chip. @throws Error with a sentence. */
async function findChip(files: Files, { chip, device }: HwmonOptions): Promise<string> {
  const parent = device === undefined ? classFolder : `${device}/hwmon`;
  const named = await readEach(files, parent, "name");
  const [found, ...more] = [...named].filter(([, name]) => name === chip).map(([path]) => path);
  const names = [...new Set(named.values())].sort().join(", ");
  if (found === undefined) {
    throw new Error(
      `there is no chip "${chip}" in ${parent}; ${names === "" ? "this device has none" : `available: ${names}`}`,
    );
  }
  if (more.length > 0) {
    throw new Error(
      `${more.length + 1} chips have the name "${chip}"; set the device, such as /sys/bus/i2c/devices/1-0048`,
    );
  }
  return found;
}

/** @returns the name of the channel with a label. @throws Error with a sentence. */
async function findLabel(files: Files, folder: string, quantity: HwmonQuantity, label: string): Promise<string> {
  const labels: string[] = [];
  for (const name of await listDevices(files, folder)) {
    const [, channel] = /^([a-z]+[0-9]+)_label$/.exec(name) ?? [];
    if (channel === undefined || quantityOfChannel(channel) !== quantity) continue;
    const text = await readText(files, `${folder}/${name}`).catch(() => undefined);
    if (text === label) return channel;
    if (text !== undefined) labels.push(text);
  }
  const known = labels.length === 0 ? "it has no labels" : `its labels are: ${labels.join(", ")}`;
  throw new Error(`${folder} has no ${quantity} with the label "${label}"; ${known}`);
}

/** A number for a simulated channel that has only a label. Another label very probably has another number. */
function numberOf(label: string): number {
  let number = 0;
  for (const character of label) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 9_000;
  return 1_000 + number;
}

/** @returns the sensor. It looks for its chip again after the chip has disappeared. */
export function hwmonSensor(options: HwmonOptions): Sensor {
  const { chip, channel, device } = options;
  const numbered = quantityOfChannel(channel);
  const quantity = numbered ?? options.quantity ?? "temp";
  const { unit, divisor, initial, key: usual } = quantities[quantity];
  const { key = usual } = options;
  let folder: string | undefined;

  /** Another chip may meanwhile have the number of the folder, and this one may come back with another number. */
  async function chipFolder(files: Files): Promise<string> {
    const name = folder && (await readText(files, `${folder}/name`).catch(() => undefined));
    if (folder === undefined || name !== chip) folder = await findChip(files, options);
    return folder;
  }

  async function read(files: Files): Promise<number> {
    const found = await chipFolder(files);
    const name = numbered === undefined ? await findLabel(files, found, quantity, channel) : channel;
    return (await readNumber(files, `${found}/${name}_input`, "hwmon")) / divisor;
  }

  const declared = {
    ...measurement(unit),
    ...(quantity === "humidity" && { homeAssistant: { device_class: "humidity" } }),
  };
  return sensorOf([key, declared], initial, read, (value) => {
    const simulated = device === undefined ? `${classFolder}/hwmon-${chip}` : `${device}/hwmon/hwmon0`;
    const name = numbered === undefined ? `${quantity}${numberOf(channel)}` : channel;
    return {
      [`${simulated}/name`]: `${chip}\n`,
      ...(numbered === undefined && { [`${simulated}/${name}_label`]: `${channel}\n` }),
      [`${simulated}/${name}_input`]: numberText(value, divisor),
    };
  });
}

/**
 * A noun for a channel of a monitoring chip: a temperature, a voltage, a fan's speed. It fails while the chip is absent
 * or does not answer.
 *
 * @example
 * server.register("board", hwmonNoun({ chip: "lm75", channel: "temp1" })); // {"celsius":23.5}
 */
export function hwmonNoun(options: HwmonOptions): Noun {
  return sensorNoun(hwmonSensor(options), options, `${options.chip}.${options.channel}`);
}
