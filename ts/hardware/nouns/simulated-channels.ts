/** The files that simulated sensors have: the reverse of reading them. */

import type { Scalar, State } from "../../core/noun/state.ts";
import { simulatedAdcFolder } from "../open/adc-channel.ts";
import { factorOf, type SensorClass } from "../open/quantities.ts";
import { rounded } from "../open/sensor-channels.ts";
import { isThermometer, sensorClasses } from "../open/sensor-device.ts";
import type { MeasuredKey, SensorOptions } from "./device-sensor.ts";
import { numberText } from "./sensor.ts";

type Texts = { [path: string]: string | undefined };

/** @returns the class that a sensor very probably has. */
export function likelyClass(device: string, channels: readonly string[]): SensorClass {
  if (isThermometer(device.slice(device.lastIndexOf("/") + 1)) || device.startsWith("/sys/bus/w1/")) return "w1";
  if (channels.some((name) => /^(?:capacity|status|online|[a-z]+_now)$/.test(name))) return "power";
  if (/\/iio:|^iio:/.test(device)) return "iio";
  if (channels.some((name) => /^(?:temp|in|fan|curr|power|energy|humidity|freq)[0-9]|[ A-Z]/.test(name)))
    return "hwmon";
  return channels.every((name) => name === "temp") && !device.startsWith("/sys/bus/") ? "thermal" : "iio";
}

/** @returns the folder of a simulated sensor. */
function folderOf(of: SensorClass, device: string): string {
  const name = device.slice(device.lastIndexOf("/") + 1);
  if (of === "iio") return simulatedAdcFolder(device);
  if (device.startsWith("/") && device !== sensorClasses[of].folder) {
    return of === "hwmon" && !name.startsWith("hwmon") ? `${device}/hwmon/hwmon0` : device;
  }
  if (of === "w1") return `${sensorClasses.w1.folder}/${isThermometer(name) ? name : "28-000000000001"}`;
  if (of === "power") return `${sensorClasses.power.folder}/${device.startsWith("/") ? "BAT0" : device}`;
  const kind = of === "thermal" ? "thermal_zone" : "hwmon";
  return `${sensorClasses[of].folder}/${kind}-${device.replace(/[^A-Za-z0-9_-]/g, "-")}`;
}

/** @returns the texts of a simulated thermal zone. */
export function zoneFiles(type: string, celsius: Scalar | undefined): Texts {
  const folder = folderOf("thermal", type);
  return { [`${folder}/type`]: `${type}\n`, [`${folder}/temp`]: numberText(celsius, 1_000) };
}

/** A number for a simulated channel that has only a label. Another label very probably has another number. */
function numberOf(label: string): number {
  let number = 0;
  for (const character of label) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 9_000;
  return 1_000 + number;
}

/** The steps of a simulated converter, in the kernel's unit: twelve bits of 3.3 V. */
const step = 0.805664062;

/** By fault of a simulated thermometer, the bytes of its scratchpad; none that it sends nothing. */
const scratchpads: { readonly [fault: string]: string } = {
  none: "72 01 4b 46 7f ff 0e 10 57",
  checksum: "72 01 4b 46 7f ff 0e 10 57",
  reset: "50 05 4b 46 7f ff 0c 10 1c",
  unfinished: "ff 07 4b 46 7f ff 0c 10 1c",
  zeros: "00 00 00 00 00 00 00 00 00",
  silence: "",
};

/** What the simulation of a sensor can have fail. */
export function faultsOf(of: SensorClass): readonly string[] | undefined {
  if (of === "w1") return Object.keys(scratchpads).slice(1);
  return of === "hwmon" ? ["fault"] : undefined;
}

/** @returns the text of a simulated thermometer that has converted this. */
function thermometerFile(celsius: Scalar | undefined, fault: string): string | undefined {
  const raw = scratchpads[fault] ?? "";
  const thousandths = numberText(celsius, 1_000);
  if (thousandths === undefined || raw === "") return thousandths && "\n";
  return `${raw} : crc=${raw.slice(-2)} ${fault === "checksum" ? "NO" : "YES"}\n${raw} t=${thousandths}`;
}

function channelFiles(
  of: SensorClass,
  folder: string,
  { key, channel, scale, offset }: MeasuredKey,
  withRaw: boolean,
  state: State,
): Texts {
  const { name, label, type, quantity } = channel;
  const set = state[key];
  const value = typeof set === "number" ? (set - offset) / scale : undefined;
  if (of === "w1") return { [`${folder}/w1_slave`]: thermometerFile(value, String(state["fault"] ?? "none")) };
  if (quantity.values !== undefined)
    return { [`${folder}/${name}`]: set === null || set === undefined ? undefined : `${set}\n` };
  const number = value === undefined ? undefined : value / factorOf(channel, of);
  if (of === "iio") {
    const raw = number === undefined ? undefined : `${Math.round(number / step)}\n`;
    return {
      [`${folder}/in_${name}_input`]: withRaw || number === undefined ? undefined : `${rounded(number)}\n`,
      [`${folder}/in_${name}_raw`]: withRaw ? raw : undefined,
      ...(withRaw && { [`${folder}/in_${name}_scale`]: `${step}\n` }),
    };
  }
  const text = numberText(number);
  if (of !== "hwmon") return { [`${folder}/${name}`]: text };
  const numbered = label === undefined ? name : `${type}${numberOf(label)}`;
  return {
    ...(label !== undefined && { [`${folder}/${numbered}_label`]: `${label}\n` }),
    [`${folder}/${numbered}_input`]: text,
    [`${folder}/${numbered}_fault`]: state["fault"] === "fault" ? "1\n" : undefined,
  };
}

/** @returns by path, the texts of files that give this state; undefined for an absent file. */
export function simulatedFiles(
  { device, raw = false }: SensorOptions,
  keys: readonly MeasuredKey[],
  state: State,
): Texts {
  const of = likelyClass(
    device,
    keys.map(({ channel }) => channel.name),
  );
  const folder = folderOf(of, device);
  const files = keys.map((key) => channelFiles(of, folder, key, raw, state));
  const [file] = sensorClasses[of].names;
  const named =
    file === undefined || (of === "iio" && /iio:device[0-9]/.test(folder))
      ? {}
      : { [`${folder}/${file}`]: `${device}\n` };
  const kind = keys.some(({ channel }) => channel.name === "online") ? "Mains" : "Battery";
  return Object.assign({}, named, of === "power" ? { [`${folder}/type`]: `${kind}\n` } : {}, ...files);
}
