/** Templates of Wiren Board (wb-mqtt-serial): `{ "device_type": ..., "device": { "channels": [...] } }`. */

import { fail } from "../../tools/build/configuration.mjs";
import { holds } from "./condition.mjs";
import { defined, keyOf, noneOf, numberIn } from "./nouns.mjs";

const tables = new Map([
  ["coil", "coil"],
  ["discrete", "discrete"],
  ["input", "input"],
  ["holding", "holding"],
  ["holding_single", "holding"],
  ["holding_multi", "holding"],
]);

/** The formats, as the options of a key; the others cannot be read. */
const formats = {
  u16: {},
  s16: { as: "int16" },
  u8: { as: "bits", bit: [0, 7] },
  u32: { as: "uint32" },
  s32: { as: "int32" },
  u64: { as: "uint64" },
  s64: { as: "int64" },
  float: { as: "float32" },
  double: { as: "float64" },
  string8: { as: "string" },
};

/** The units of the types of channels. */
const units = {
  voltage: "V",
  current: "A",
  power: "W",
  power_consumption: "kWh",
  temperature: "°C",
  rel_humidity: "%",
  lux: "lx",
  atmospheric_pressure: "mbar",
  pressure: "bar",
  concentration: "ppm",
  resistance: "Ohm",
  sound_level: "dB",
  water_consumption: "m³",
  water_flow: "m³/h",
  wind_speed: "m/s",
};

/** The types of channels that people set. */
const controls = ["switch", "range", "pushbutton", "rgb"];

function orderOf({ word_order, byte_order }) {
  const swapsWords = word_order === "little_endian";
  const swapsBytes = byte_order === "little_endian";
  if (!swapsWords && !swapsBytes) return undefined;
  return swapsWords ? (swapsBytes ? "DCBA" : "CDAB") : "BADC";
}

/** @returns the address, and the bits of `address:shift:width`. */
function placeIn(address) {
  if (address !== null && typeof address === "object") return placeIn(address.address);
  const [at, shift, width] = String(address).split(":").map(numberIn);
  return { at, ...(shift !== undefined && { bits: [shift, shift + (width ?? 1) - 1] }) };
}

/** @returns the options of a key. @throws Error with the reason why there are none. */
function optionsOf(channel, title) {
  const read = tables.get(channel.reg_type);
  if (channel.consists_of !== undefined) throw new Error("it is made of several registers");
  if (read === undefined) throw new Error(`the registers "${channel.reg_type}" are not Modbus's`);
  const { at, bits } = placeIn(channel.address);
  if (!Number.isInteger(at) || at < 0 || at > 65_535) throw new Error("it has no address that can be read");
  const place = `${read} ${at}`;
  const isSet = controls.includes(channel.type) && channel.readonly !== true;
  const writes = isSet && (read === "coil" || read === "holding") && bits === undefined;
  const description = defined({ title, labels: labelsOf(channel) });
  if (read === "coil" || read === "discrete")
    return asBit({ ...description, at: place, ...(writes && { writable: true }) });
  const format = channel.format ?? "u16";
  const form = formats[format];
  if (form === undefined) throw new Error(`nound has no type for "${format}"`);
  if (bits !== undefined && (format !== "u16" || bits[1] > 15)) throw new Error(`bits of a "${format}" cannot be read`);
  const unit = channel.units ?? units[channel.type];
  if (form.as === "string") {
    return { ...description, at: place, ...form, length: (channel.string_data_size ?? 1) * 2, order: orderOf(channel) };
  }
  const isSingle = bits !== undefined && bits[0] === bits[1];
  const numbers = isSingle
    ? {}
    : {
        ...(!description.labels && { unit }),
        scale: numberIn(channel.scale) === 1 ? undefined : numberIn(channel.scale),
        offset: numberIn(channel.offset) || undefined,
        step: numberIn(channel.round_to) >= 0.001 ? numberIn(channel.round_to) : undefined,
        none: noneOf([channel.error_value ?? [], channel.unsupported_value ?? []].flat(), form.as),
      };
  const isNumber = form.as !== "bits";
  return (isSingle ? asBit : defined)({
    ...description,
    at: place,
    ...form,
    ...(bits !== undefined && { as: "bits", bit: isSingle ? bits[0] : bits }),
    order: orderOf(channel),
    ...numbers,
    ...(writes && isNumber && { writable: true, minimum: numberIn(channel.min), maximum: numberIn(channel.max) }),
  });
}

/** @returns the options of a value that is true or false. */
function asBit({ labels, ...options }) {
  const words = labels && { false: labels[0], true: labels[1] };
  return defined({ ...options, labels: words && defined(words), unit: undefined });
}

function labelsOf({ enum: values, enum_titles: titles }) {
  if (!Array.isArray(values) || !Array.isArray(titles)) return undefined;
  const entries = values.map((value, index) => [String(value), titles[index]]);
  const labels = Object.fromEntries(entries.filter(([, label]) => typeof label === "string" && label !== ""));
  return Object.keys(labels).length === 0 ? undefined : labels;
}

/** @returns the defaults of the parameters, which choose among the channels. */
function parametersOf({ parameters = [] }) {
  const entries = Array.isArray(parameters) ? parameters.map((one) => [one.id, one]) : Object.entries(parameters);
  return Object.fromEntries(entries.map(([id, { default: initial }]) => [id, initial]));
}

/** @returns the values of a template, and why some were left out. */
export function valuesOfTemplate({ device, device_type: type = device.name }) {
  const { channels, protocol, translations = {} } = device;
  if (protocol !== undefined && protocol !== "modbus") fail(`the template is for the protocol "${protocol}"`);
  const english = translations.en ?? {};
  const titled = (text) => english[text] ?? text;
  const parameters = parametersOf(device);
  const left = [];
  const values = [];
  let off = 0;
  for (const channel of channels) {
    const title = titled(channel.name ?? channel.id ?? "");
    try {
      if (channel.enabled === false || (channel.condition && !holds(channel.condition, parameters))) {
        off += 1;
        continue;
      }
      if (channel.reg_type === undefined) throw new Error("it is a device of its own");
      const options = optionsOf(channel, title);
      const { labels } = options;
      const words =
        labels && Object.fromEntries(Object.entries(labels).map(([value, label]) => [value, titled(label)]));
      values.push({ key: keyOf(channel.id ?? title), options: { ...options, ...(words && { labels: words }) } });
    } catch (error) {
      left.push(`${title}: ${error.message}`);
    }
  }
  if (off > 0) left.push(`${off} channels that the template has switched off`);
  const most = numberIn(device.max_read_registers);
  const timeout = numberIn(device.response_timeout_ms);
  const options = defined({
    most: most >= 1 && most <= 125 ? most : undefined,
    timeout: timeout > 500 && timeout < 5_000 ? timeout : undefined,
  });
  return { title: titled(device.name ?? type), values, left, options };
}
