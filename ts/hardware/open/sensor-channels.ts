/** The attributes of a sensor's channels, and what their texts mean. */
import { numberIn } from "./kernel-file.ts";
import { type Channel, channelOf, factorOf } from "./quantities.ts";
import { type Folders, isBattery, type SensorDevice, textAt } from "./sensor-device.ts";

/** Attributes that are read together. */
export class Attributes {
  readonly paths: string[] = [];

  /** @returns the index of an attribute's text. */
  add(path: string): number {
    const known = this.paths.indexOf(path);
    return known >= 0 ? known : this.paths.push(path) - 1;
  }
}

/** The value of a channel, in the unit that people use, and the number of the converter. */
export interface ChannelReading {
  /** @returns the value, not rounded. @throws Error with a sentence: a text is no number, or is not to be trusted. */
  value(texts: readonly string[]): number | string;
  /** @returns the converter's own number; null if the driver gives the value alone. */
  raw(texts: readonly string[]): number | null;
}

/** @returns the value to six decimal places; those beyond are rounding errors. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const inputs = {
  hwmon: /^((?:temp|in|fan|curr|power|energy|humidity|freq)[0-9]{1,4})_(?:input|average)$/,
  iio: /^in_([a-z0-9_-]+)_(?:raw|input)$/,
};

const alarms = /^((?:temp|in|fan|curr|power|humidity)[0-9]{1,4}(?:_[a-z]+)?_alarm)$/;

/** @returns the names of the channels that a sensor has; of a monitoring chip without any, those of its alarms. */
export function channelsOf(folders: Folders, device: SensorDevice): string[] {
  const { class: of, folder } = device;
  if (of === "power") return isBattery(folders, device) ? ["capacity", "voltage_now", "status"] : ["online"];
  if (of !== "hwmon" && of !== "iio") return ["temp"];
  const names = folders.names(folder, "");
  const matching = (pattern: RegExp) =>
    [...new Set(names.map((name) => pattern.exec(name)?.[1] ?? ""))].filter(Boolean);
  const found = matching(inputs[of]);
  return found.length > 0 || of === "iio" ? found : matching(alarms);
}

/** @returns by the name of each channel of a chip, the text of its label. */
export function labelsOf(folders: Folders, { class: of, folder }: SensorDevice): Map<string, string> {
  const labels = new Map<string, string>();
  if (of !== "hwmon" && of !== "iio") return labels;
  for (const file of folders.names(folder, "")) {
    const [, name] = /^(?:in_)?(.+)_label$/.exec(file) ?? [];
    const text = name === undefined ? undefined : textAt(folders, `${folder}/${file}`);
    if (name !== undefined && text !== undefined) labels.set(name, text);
  }
  return labels;
}

/** @returns the name of a channel in the attributes; undefined if a label is given that none has. */
function nameIn(folders: Folders, device: SensorDevice, { name, label, type }: Channel): string | undefined {
  if (label === undefined) return name;
  const [found] = [...labelsOf(folders, device)].filter(
    ([one, text]) => text === label && channelOf(one).type === type,
  );
  return found?.[0];
}

/** What a scratchpad shows of a conversion that did not happen (w1_therm.c, W1_THERM_CHECK_RESULT). */
const unconverted: { readonly [bytes: string]: string } = {
  "50 05": "the sensor gives 85 °C, the value of its reset: its power failed, or is too weak for a conversion",
  "ff 07": "the sensor gives 127.94 °C, the value of a conversion that was not finished: its power is too weak",
};

/** @returns degrees Celsius. @throws Error with a sentence. */
function celsiusOf(text: string, path: string): number {
  const [, scratchpad = "", sum] = /^([0-9a-f ]*): crc=[0-9a-f]{2} (YES|NO)$/m.exec(text) ?? [];
  const [, thousandths] = /\bt=(-?[0-9]+)$/m.exec(text) ?? [];
  if (sum === undefined || thousandths === undefined) {
    throw new Error(`${path} holds no temperature: the sensor does not answer, or what it sends is damaged`);
  }
  if (sum === "NO") throw new Error(`${path}: what the sensor sent has a wrong checksum`);
  const fault = /^(?:00 ){9}$/.test(scratchpad)
    ? "the sensor sends nothing but zeros: the wire is shorted, or the sensor is broken"
    : scratchpad.slice(18, 20) === "0c"
      ? unconverted[scratchpad.slice(0, 5)]
      : undefined;
  if (fault !== undefined) throw new Error(`${path}: ${fault}`);
  return Number(thousandths) / 1_000;
}

const withoutRaw = { raw: () => null };

/** A channel of a monitoring chip. */
function ofChip(
  folders: Folders,
  { folder }: SensorDevice,
  name: string,
  channel: Channel,
  attributes: Attributes,
): ChannelReading {
  const names = folders.names(folder, `${name}_`);
  const isAverage = names.includes(`${name}_average`) && !names.includes(`${name}_input`);
  const input = `${folder}/${name}_${isAverage ? "average" : "input"}`;
  const value = attributes.add(input);
  const fault = names.includes(`${name}_fault`) ? attributes.add(`${folder}/${name}_fault`) : -1;
  const factor = factorOf(channel, "hwmon");
  return {
    ...withoutRaw,
    value(texts) {
      if (fault >= 0 && texts[fault]?.trimEnd() !== "0") {
        throw new Error(`${folder}/${name}_fault says that the sensor is broken or not connected`);
      }
      return numberIn(texts[value] ?? "", input) * factor;
    },
  };
}

/** @returns the names that an attribute of a channel may have: its own, or that of all channels of its type. */
function sharedNames(channel: string, what: string): readonly string[] {
  const type = channel.replace(/[0-9]+/g, "");
  const [, unmodified = type] = /^([a-z]+(?:-[a-z]+)?)_/.exec(type) ?? [];
  return [`in_${channel}_${what}`, `in_${type}_${what}`, `in_${unmodified}_${what}`, `in_${what}`, what];
}

/** A channel of Industrial I/O: (raw + offset) * scale, or the value alone. */
function ofConverter(
  folders: Folders,
  { folder }: SensorDevice,
  name: string,
  channel: Channel,
  attributes: Attributes,
): ChannelReading {
  const names = folders.names(folder, "");
  const factor = factorOf(channel, "iio");
  const input = `in_${name}_input`;
  const raw = `in_${name}_raw`;
  if (!names.includes(raw) && names.includes(input)) {
    const value = attributes.add(`${folder}/${input}`);
    return { ...withoutRaw, value: (texts) => numberIn(texts[value] ?? "", `${folder}/${input}`) * factor };
  }
  const own = attributes.add(`${folder}/${raw}`);
  const find = (what: string) => {
    const found = sharedNames(name, what).find((one) => names.includes(one));
    return found === undefined ? -1 : attributes.add(`${folder}/${found}`);
  };
  const [offset, scale] = [find("offset"), find("scale")];
  const numberAt = (index: number, texts: readonly string[], otherwise: number) =>
    index < 0 ? otherwise : numberIn(texts[index] ?? "", attributes.paths[index] ?? "");
  return {
    raw: (texts) => numberAt(own, texts, 0),
    value: (texts) => (numberAt(own, texts, 0) + numberAt(offset, texts, 0)) * numberAt(scale, texts, 1) * factor,
  };
}

/** A text or a level of a channel that is no number. */
function ofWord(path: string, { quantity: { values = [] } }: Channel, attributes: Attributes): ChannelReading {
  const at = attributes.add(path);
  return {
    ...withoutRaw,
    value(texts) {
      const text = (texts[at] ?? "").trimEnd();
      const value = values.find((one) => String(one) === text);
      if (value === undefined) throw new Error(`${path} has a word that the kernel's document does not list`);
      return value;
    },
  };
}

/** @returns whether a sensor has a channel. */
export function hasChannel(folders: Folders, device: SensorDevice, channel: Channel): boolean {
  const { class: of, folder } = device;
  const name = nameIn(folders, device, channel);
  if (of === "w1") return name === "temp";
  if (name === undefined) return false;
  const start = of === "iio" ? `in_${name}` : name;
  const files = folders.names(folder, start);
  if (of === "thermal" || of === "power" || channel.quantity.values !== undefined) return files.includes(start);
  return files.some((file) => ["_input", "_average", "_raw"].includes(file.slice(start.length)));
}

/** @returns the channels of a sensor with their labels, for people. */
function listChannels(folders: Folders, device: SensorDevice): string {
  const labels = labelsOf(folders, device);
  const all = channelsOf(folders, device).map((name) => (labels.has(name) ? `${name} (${labels.get(name)})` : name));
  return all.length === 0 ? "it has none" : `available: ${all.join(", ")}`;
}

/**
 * @param attributes receives what the channel is read from.
 * @returns how the channel is read. @throws Error with a sentence if the sensor has no such channel.
 */
export function readingOfChannel(
  folders: Folders,
  device: SensorDevice,
  channel: Channel,
  attributes: Attributes,
): ChannelReading {
  const { class: of, folder } = device;
  const name = nameIn(folders, device, channel);
  if (name === undefined || !hasChannel(folders, device, channel)) {
    throw new Error(`${folder} has no channel ${channel.name}; ${listChannels(folders, device)}`);
  }
  if (channel.quantity.values !== undefined) return ofWord(`${folder}/${name}`, channel, attributes);
  if (of === "hwmon") return ofChip(folders, device, name, channel, attributes);
  if (of === "iio") return ofConverter(folders, device, name, channel, attributes);
  const path = `${folder}/${of === "w1" ? "w1_slave" : name}`;
  const at = attributes.add(path);
  if (of === "w1") return { ...withoutRaw, value: (texts) => celsiusOf((texts[at] ?? "").trimEnd(), path) };
  const factor = factorOf(channel, of);
  return { ...withoutRaw, value: (texts) => numberIn(texts[at] ?? "", path) * factor };
}
