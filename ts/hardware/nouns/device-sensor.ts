/**
 * Any sensor with a driver of Linux, for a noun: a chip of Industrial I/O, a monitoring chip, a thermal zone, a
 * one-wire thermometer, a battery.
 */

import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import type { Key, KeyDescription, Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import type { Files } from "../../native/files.ts";
import { hardware, isSimulated, loop } from "../../platform/platform.ts";
import { addReach } from "../../platform/reach.ts";
import { readTexts } from "../open/kernel-file.ts";
import { bulkReadOf, bulkReads, convertAll } from "../open/one-wire.ts";
import { type Channel, channelOf, keyOfChannel, measuredIn } from "../open/quantities.ts";
import {
  Attributes,
  type ChannelReading,
  channelsOf,
  hasChannel,
  readingOfChannel,
  rounded,
} from "../open/sensor-channels.ts";
import {
  type Folders,
  findSensor,
  foldersOf,
  isThermometer,
  type SensorDevice,
  textAt,
} from "../open/sensor-device.ts";
import { type MeasuringOptions, nounOfSensor, type Sensor } from "./sensor.ts";
import { faultsOf, likelyClass, simulatedFiles } from "./simulated-channels.ts";

/**
 * One of several values of a sensor.
 *
 * @example
 * const humidity: SensorKey = { channel: "humidityrelative", title: "Humidity" };
 * server.register("air", sensorNoun({ device: "bme280", keys: { humidity } }));
 */
export interface SensorKey extends KeyDescription {
  /** The channel, as `nound --find` prints it, or the text of its label. */
  readonly channel?: string;
  /** The value is that of the channel, in its usual unit, times this; 1 if left out. */
  readonly scale?: number;
  /** A number to add to that; 0 if left out. */
  readonly offset?: number;
}

/**
 * The sensor to read, and the meaning of its values.
 *
 * @example
 * const options: SensorOptions = { device: "lm75", channel: "temp1" };
 * server.register("board", sensorNoun(options)); // {"celsius":23.5}
 */
export interface SensorOptions extends MeasuringOptions {
  /**
   * The name or label of a chip, the type of a thermal zone, the id of a one-wire thermometer, the name of a power
   * supply, or a path: the folder of a device on its bus, such as `/sys/bus/i2c/devices/1-0076`, or in its class.
   */
  readonly device: string;
  /** The channel of the only value. Without it and without channels in `keys`, the sensor's only or usual ones. */
  readonly channel?: string;
  /** The key of the only value. Default: what is measured, `celsius` or `volts` for instance. */
  readonly key?: string;
  /** The only value is that of the channel, in its usual unit, times this; 1 if left out. */
  readonly scale?: number;
  /** A number to add to that; 0 if left out. */
  readonly offset?: number;
  /** The unit of the only value. If left out: the usual one, or none if `scale` changes it. */
  readonly unit?: string;
  /** True if the state also has `raw`, the converter's own number; null if the driver gives the value alone. */
  readonly raw?: boolean;
  /** By key of the state, its channel and its words for people. */
  readonly keys?: { readonly [key: string]: SensorKey };
}

/** A key of the state, and what it is made of. */
export interface MeasuredKey {
  readonly key: string;
  readonly channel: Channel;
  readonly scale: number;
  readonly offset: number;
  readonly declared: Key;
}

/** ms for which a conversion of a one-wire thermometer is used, so that clients share it. */
const freshness = 1_000;

/** ms between two readings of a watched thermometer, so that ten on one wire have their turns. */
const thermometerPoll = 10_000;

/** ms that a reading may wait for others: a conversion takes 0.8 s, and so does that of each neighbour. */
const turnsOfBus = 30_000;

/** ms that a driver may wait for the next measurement of a gas sensor, for each channel (scd4x.c). */
const nextMeasurement = 6_000;

const battery = ["capacity", "voltage_now", "status"];

/** @returns the channels of a sensor of which only the name is known. */
function likelyChannels(device: string): readonly string[] {
  return /bat|power_supply/i.test(device) ? battery : ["temp"];
}

/** @returns the channels that a sensor has usually; the likely ones while it is absent. */
function usualChannels(device: string, folders: Folders | undefined): readonly string[] {
  if (folders === undefined || isThermometer(device)) return likelyChannels(device);
  try {
    const found = channelsOf(folders, findSensor(folders, device));
    return found.length === 0 ? likelyChannels(device) : found;
  } catch {
    return likelyChannels(device);
  }
}

/** @returns the keys of channels: what they measure, or the names of channels that measure the same. */
export function keysOfChannels(channels: readonly string[]): ReadonlyMap<string, string> {
  const keys = channels.map((name) => channelOf(name).quantity.key);
  const isShared = (key: string) => keys.indexOf(key) !== keys.lastIndexOf(key);
  return new Map(
    keys.map((key, index) => [isShared(key) ? (channels[index] as string) : key, channels[index] as string]),
  );
}

/**
 * @param folders where the channels are looked for if the options name none; undefined to guess them by the name.
 * @throws TypeError with a sentence if options of an only value are given for several.
 */
export function measuredKeys(options: SensorOptions, folders: Folders | undefined): readonly MeasuredKey[] {
  const { device, channel, key, scale, offset, unit, keys = {} } = options;
  const isWhole = channel !== undefined || Object.values(keys).every((one) => one.channel === undefined);
  const channels = channel === undefined ? usualChannels(device, folders) : [channel];
  const only: Pick<SensorOptions, "scale" | "offset" | "unit"> = { scale, offset, unit } as SensorOptions;
  const several: [string, SensorKey][] = !isWhole
    ? Object.entries(keys)
    : channels.length === 1
      ? [[key ?? usualKey(channels[0] as string, scale), { ...only, channel: channels[0] as string }]]
      : Array.from(keysOfChannels(channels), ([name, of]) => [name, { channel: of }]);
  if (several.length > 1 && [key, scale, offset, unit].some((option) => option !== undefined)) {
    throw new TypeError(
      `The sensor ${device} has several values: write "key", "scale", "offset" and "unit" into "keys".`,
    );
  }
  return several.map(([name, of]) => {
    const measured = channelOf(of.channel ?? "temp");
    const usual = keyOfChannel(measured);
    const { step: _, unit: __, ...unitless } = usual;
    const isChanged = (of.scale ?? 1) !== 1;
    const declared = {
      ...(isChanged ? unitless : usual),
      ...(of.unit !== undefined && measuredIn(of.unit)),
      ...(several.length > 1 && { nullable: true as const }),
    } as Key;
    return { key: name, channel: measured, scale: of.scale ?? 1, offset: of.offset ?? 0, declared };
  });
}

function usualKey(channel: string, scale = 1): string {
  return scale === 1 ? channelOf(channel).quantity.key : "value";
}

/** How keys are read. */
interface Plan {
  readonly device: SensorDevice;
  readonly attributes: Attributes;
  readonly readings: readonly (ChannelReading | undefined)[];
  /** Why the first channel that is missing cannot be read; undefined if none is. */
  readonly missing: unknown;
  /** The index and the text of the file that identifies the device; -1 if none does. */
  readonly identity: number;
  readonly name: string;
  /** The attribute that converts all thermometers of its bus; undefined for none. */
  readonly bulk: string | undefined;
}

/** The largest number of files that are read as one operation. */
const mostTexts = 16;

/** Reads the keys of a sensor. It looks for the sensor again after a failure. */
export class DeviceReader {
  private readonly device: string;
  private readonly keys: readonly MeasuredKey[];
  private readonly withRaw: boolean;
  private plan: Plan | undefined;
  private texts: readonly string[] = [];
  private state: State | undefined;
  private time = Number.NEGATIVE_INFINITY;

  constructor({ device, raw = false }: SensorOptions, keys: readonly MeasuredKey[]) {
    this.device = device;
    this.keys = keys;
    this.withRaw = raw;
  }

  /** @param fail receives the failure of each key that is left out. @throws Error if no key can be read. */
  read(files: Files, fail: (error: unknown) => void): Awaitable<State> {
    const plan = this.plan ?? this.find(files);
    if (plan.device.class === "w1" && this.state !== undefined && loop.now() - this.time < freshness) return this.state;
    // If anything fails, the next reading looks for the sensor again.
    this.plan = undefined;
    if (plan.missing !== undefined || plan.attributes.paths.length > mostTexts)
      return this.readApart(files, plan, fail);
    const converted = plan.bulk === undefined ? undefined : convertAll(files, plan.bulk);
    return converted === undefined
      ? this.readAll(files, plan, fail)
      : converted.then(() => this.readAll(files, plan, fail));
  }

  private readAll(files: Files, plan: Plan, fail: (error: unknown) => void): Awaitable<State> {
    const apart = (error: unknown) => {
      if (this.keys.length === 1) throw error;
      return this.readApart(files, plan, fail);
    };
    let found: Awaitable<readonly string[]>;
    try {
      found = readTexts(files, plan.attributes.paths, plan.device.class);
    } catch (error) {
      return apart(error);
    }
    if (!(found instanceof Promise)) return this.judge(plan, found, fail);
    return found.then((texts) => this.judge(plan, texts, fail), apart);
  }

  private judge(plan: Plan, texts: readonly string[], fail: (error: unknown) => void): State {
    const { state } = this;
    if (state !== undefined && areEqual(texts, this.texts)) {
      this.plan = plan;
      this.time = loop.now();
      return state;
    }
    this.state = undefined;
    const { identity, name } = plan;
    if (identity >= 0 && texts[identity]?.trimEnd() !== name)
      throw new Error(`${plan.device.folder} is another device now`);
    const values: { [key: string]: Scalar } = {};
    let failures = 0;
    for (let index = 0; index < this.keys.length; index++) {
      try {
        this.take(values, index, plan.readings[index], texts);
      } catch (error) {
        failures++;
        if (failures === this.keys.length) throw error;
        fail(error);
      }
    }
    this.plan = plan;
    if (failures > 0) return values;
    this.texts = texts;
    this.state = values;
    this.time = loop.now();
    return values;
  }

  private take(
    values: { [key: string]: Scalar },
    index: number,
    reading: ChannelReading | undefined,
    texts: readonly string[],
  ): void {
    const { key, scale, offset } = this.keys[index] as MeasuredKey;
    const value = reading?.value(texts);
    if (value === undefined) return;
    // Once, so that a scale keeps what the sensor has measured.
    values[key] = typeof value === "string" ? value : rounded(value * scale + offset);
    if (this.withRaw) values["raw"] = reading?.raw(texts) ?? null;
  }

  /** Reads each key by itself, because not all of them can be read together. */
  private async readApart(files: Files, plan: Plan, fail: (error: unknown) => void): Promise<State> {
    this.state = undefined;
    const folders = foldersOf(files);
    const values: { [key: string]: Scalar } = {};
    let last: unknown;
    for (let index = 0; index < this.keys.length; index++) {
      try {
        const attributes = new Attributes();
        const { channel } = this.keys[index] as MeasuredKey;
        const reading = readingOfChannel(folders, plan.device, channel, attributes);
        this.take(values, index, reading, await readTexts(files, attributes.paths, plan.device.class));
      } catch (error) {
        last = error;
        fail(error);
      }
    }
    if (last !== undefined && Object.keys(values).length === 0) throw last;
    const isSame = plan.name === "" || textAt(folders, plan.device.identity ?? "") === plan.name;
    if (isSame && plan.missing === undefined) this.plan = plan;
    return values;
  }

  /** @throws Error with a sentence: there is no such sensor or channel, or there are several. */
  private find(files: Files): Plan {
    const folders = foldersOf(files);
    const { keys } = this;
    const device = findSensor(folders, this.device, (one) =>
      keys.every(({ channel }) => hasChannel(folders, one, channel)),
    );
    const attributes = new Attributes();
    let missing: unknown;
    const readings = keys.map(({ channel }) => {
      try {
        return readingOfChannel(folders, device, channel, attributes);
      } catch (error) {
        if (keys.length === 1) throw error;
        missing ??= error;
        return undefined;
      }
    });
    const { identity = "" } = device;
    const at = identity === "" ? -1 : attributes.add(identity);
    const name = identity === "" ? "" : (textAt(folders, identity) ?? "");
    const bulk = device.class === "w1" ? bulkReadOf(folders, device.names[0] ?? "") : undefined;
    return { device, attributes, readings, missing, identity: at, name, bulk };
  }
}

function areEqual(texts: readonly string[], others: readonly string[]): boolean {
  for (let index = 0; index < texts.length; index++) if (texts[index] !== others[index]) return false;
  return texts.length === others.length;
}

const rawKey: Key = {
  type: "integer",
  readOnly: true,
  nullable: true,
  description: "What the converter gives.",
  diagnostic: true,
};

/** @param folders as for `measuredKeys`. @returns the sensor. */
export function deviceSensor(options: SensorOptions, folders: Folders | undefined): Sensor {
  const keys = measuredKeys(options, folders);
  const shape: Shape = Object.fromEntries(keys.map(({ key, declared }) => [key, declared]));
  const reader = new DeviceReader(options, keys);
  const channels = keys.map(({ channel }) => channel.name);
  const faults = faultsOf(likelyClass(options.device, channels));
  return {
    ...(faults !== undefined && { faults }),
    shape: { ...shape, ...(options.raw === true && { raw: rawKey }) },
    readings: [(files, fail) => reader.read(files, fail)],
    initial: Object.fromEntries(
      keys.map(({ key, channel, scale, offset }) => {
        const { initial } = channel.quantity;
        return [key, typeof initial === "string" ? initial : rounded(initial * scale + offset)];
      }),
    ),
    filesOf: (state) => simulatedFiles(options, keys, state),
  };
}

/**
 * A noun for any sensor that has a driver of Linux. It fails while the sensor is absent, does not answer, or its driver
 * says that a value is not to be trusted; of several values, one that cannot be read is null.
 *
 * @example
 * server.register("board", sensorNoun({ device: "lm75", channel: "temp1" })); // {"celsius":23.5}
 * server.register("battery", sensorNoun({ device: "BAT0" })); // {"percent":80,"volts":3.9,"status":"Discharging"}
 */
export function sensorNoun(options: SensorOptions): Noun {
  const { device, channel, keys } = options;
  const words = (given: NonNullable<SensorOptions["keys"]>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, { channel: _, scale: __, offset: ___, ...described }]) => [name, described]),
    );
  const folders = isSimulated ? undefined : foldersOf(hardware().files);
  const label = channel === undefined ? device : `${device}.${channel}`;
  const sensor = deviceSensor(options, folders);
  const isOneWire = likelyClass(device, []) === "w1";
  if (isOneWire && !isSimulated) addReach({ writable: bulkReads() });
  const poll = options.poll ?? (isOneWire && !isSimulated ? thermometerPoll : undefined);
  const noun = nounOfSensor(sensor, { ...options, poll, ...(keys && { keys: words(keys) }) }, label);
  const units = Object.values(sensor.shape).map(({ unit }) => unit);
  const extraTime = isOneWire ? turnsOfBus : units.includes("[ppm]") ? nextMeasurement * units.length : undefined;
  return extraTime === undefined ? noun : Object.assign(noun, { extraTime });
}
