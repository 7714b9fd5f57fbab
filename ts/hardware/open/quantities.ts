/**
 * What the channels of sensors measure, by the documents of the kernel: hwmon/sysfs-interface.rst,
 * ABI/testing/sysfs-bus-iio and ABI/testing/sysfs-class-power. A value has the unit that people use.
 */
import type { Key } from "../../core/noun/shape.ts";

/** The class of the kernel that a sensor belongs to. */
export type SensorClass = "hwmon" | "iio" | "power" | "thermal" | "w1";

/** What a channel measures. */
export interface Quantity {
  /** The key that its value has unless another one is given. */
  readonly key: string;
  /** A symbol of UCUM; undefined for a number without a unit. */
  readonly unit?: string;
  /** A device class of Home Assistant that the unit does not imply. */
  readonly deviceClass?: string;
  /** The value of a simulated sensor; a text or a level for a channel that is no number. */
  readonly initial: number | string;
  /** The step between two values, if another one than that of the unit. */
  readonly step?: number;
  /** The kernel's number times this is the value; 1 if left out. */
  readonly factor?: number;
  /** The words of a channel that is no number. */
  readonly values?: readonly (number | string)[];
}

const temperature: Quantity = { key: "celsius", unit: "Cel", initial: 20, factor: 0.001 };
const humidity: Quantity = { key: "percent", unit: "%", deviceClass: "humidity", initial: 50, factor: 0.001 };
const volts: Quantity = { key: "volts", unit: "V", initial: 1.65, factor: 0.001 };
const amperes: Quantity = { key: "amperes", unit: "A", initial: 0.5, factor: 0.001 };
const watts: Quantity = { key: "watts", unit: "W", initial: 5, factor: 1e-6 };
const joules: Quantity = { key: "joules", unit: "J", initial: 0 };
const concentration: Quantity = { key: "ppm", unit: "[ppm]", initial: 600, factor: 10_000 };
const alarm: Quantity = { key: "alarm", deviceClass: "problem", initial: 0, values: [0, 1] };

const inUnit = (key: string, unit: string, initial = 1): Quantity => ({ key, unit, initial });
const dust = (size: string): Quantity => ({ ...inUnit(size, "ug/m3", 5), deviceClass: size });

/** By type of channel. */
const byType: { readonly [type: string]: Quantity } = {
  temp: temperature,
  in: volts,
  voltage: volts,
  altvoltage: volts,
  curr: amperes,
  current: amperes,
  fan: inUnit("rpm", "rpm", 1_200),
  power: watts,
  energy: { ...joules, factor: 1e-6 },
  humidity,
  humidityrelative: humidity,
  freq: inUnit("hertz", "Hz", 50),
  pressure: { ...inUnit("hectopascals", "hPa", 1_013), factor: 10 },
  illuminance: inUnit("lux", "lx", 200),
  concentration,
  concentration_co2: { ...concentration, deviceClass: "carbon_dioxide" },
  concentration_o2: { ...inUnit("percent", "%", 21) },
  concentration_voc: { ...concentration, deviceClass: "volatile_organic_compounds_parts", initial: 0.2 },
  massconcentration: inUnit("dust", "ug/m3", 5),
  massconcentration_pm1: dust("pm1"),
  massconcentration_pm2p5: dust("pm25"),
  massconcentration_pm4: dust("pm4"),
  massconcentration_pm10: dust("pm10"),
  accel: inUnit("acceleration", "m/s2", 0),
  gravity: inUnit("gravity", "m/s2", 9.8),
  anglvel: inUnit("rotation", "rad/s", 0),
  magn: inUnit("gauss", "G", 0),
  resistance: inUnit("ohms", "Ohm", 1_000),
  capacitance: inUnit("nanofarads", "nF", 10),
  distance: inUnit("metres", "m"),
  velocity: inUnit("speed", "m/s", 0),
  electricalconductivity: inUnit("conductivity", "S/m"),
  ph: inUnit("ph", "[pH]", 7),
  ...Object.fromEntries(
    ["intensity", "proximity", "count", "uvindex", "steps", "index", "rot", "angl"].map((key) => [
      key,
      { key, initial: 0 },
    ]),
  ),
};

/** What differs from `byType` in a class. */
const ofClass: { readonly [name in SensorClass]?: { readonly [type: string]: number } } = {
  iio: { power: 0.001, energy: 1 },
  power: { temp: 0.1 },
};

const statuses = ["Unknown", "Charging", "Discharging", "Not charging", "Full"];

/** By the attribute of a power supply. */
const ofSupplies: { readonly [attribute: string]: Quantity } = {
  capacity: { key: "percent", unit: "%", deviceClass: "battery", step: 1, initial: 80 },
  voltage_now: { ...volts, initial: 3.9, factor: 1e-6 },
  current_now: { ...amperes, factor: 1e-6 },
  power_now: watts,
  energy_now: { ...inUnit("wattHours", "W.h", 20), factor: 1e-6 },
  charge_now: { ...inUnit("ampereHours", "A.h", 2), factor: 1e-6 },
  status: { key: "status", initial: "Discharging", values: statuses },
  online: { key: "online", deviceClass: "plug", initial: 1, values: [0, 1] },
};

/** A channel by its name in the attributes, or by its label, perhaps behind its type: `temp1`, `fan CPU`, `Composite`. */
export interface Channel {
  readonly name: string;
  /** The text of its label; undefined if `name` is that of the attributes. */
  readonly label?: string;
  /** Its type. */
  readonly type: string;
  readonly quantity: Quantity;
}

const has = (type: string) => Object.hasOwn(byType, type);

/** @param name as a person gives it. @returns the channel. A label without a type is that of a temperature. */
export function channelOf(name: string): Channel {
  const supply = Object.hasOwn(ofSupplies, name) ? ofSupplies[name] : undefined;
  if (supply !== undefined) return { name, type: name, quantity: supply };
  const [, type = "", rest = ""] = /^([a-z]+)(.*)$/.exec(name) ?? [];
  if (has(type) && /^[0-9]+(?:_[a-z]+)?_alarm$/.test(rest)) return { name, type, quantity: alarm };
  if (has(type) && /^[0-9]*(?:-[a-z]+[0-9]*)?(?:_[a-z0-9_]+)?$/.test(rest)) {
    const modified = type + rest.replace(/^[0-9]+/, "");
    return { name, type, quantity: (has(modified) ? byType[modified] : byType[type]) as Quantity };
  }
  const label = has(type) && rest.startsWith(" ") ? rest.slice(1) : name;
  const labelled = label === name ? "temp" : type;
  return { name, label, type: labelled, quantity: byType[labelled] as Quantity };
}

/** @returns what makes a value of the kernel's number. */
export function factorOf({ type, quantity }: Channel, sensorClass: SensorClass): number {
  return ofClass[sensorClass]?.[type] ?? quantity.factor ?? 1;
}

/** By unit, the smallest difference that matters to people. */
const steps: { readonly [unit: string]: number } = {
  Cel: 0.1,
  V: 0.01,
  A: 0.01,
  W: 0.1,
  "%": 0.1,
  "1": 0.01,
  J: 1,
  rpm: 1,
  Hz: 1,
  hPa: 0.1,
  lx: 1,
  "[ppm]": 1,
};

/** @returns the unit of a key, and what follows from it for people. */
export function measuredIn(unit: string | undefined): Pick<Key, "unit" | "step"> {
  if (unit === undefined) return {};
  const step = Object.hasOwn(steps, unit) ? steps[unit] : undefined;
  return { unit, ...(step !== undefined && { step }) };
}

/** @returns the declaration of the channel's value. */
export function keyOfChannel({ quantity: { unit, values, deviceClass, step } }: Channel): Key {
  const common = { readOnly: true as const, ...(deviceClass !== undefined && { deviceClass }) };
  if (values !== undefined) return { type: "choice", values, ...common };
  return { type: "number", ...common, ...measuredIn(unit), ...(step !== undefined && { step }) };
}
