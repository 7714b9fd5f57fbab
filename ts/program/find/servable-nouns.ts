/**
 * What a device has that is safe to serve at once, as nouns of a configuration, for `--find`. Each is found by the
 * kernel's folders; whether it can be read is tried later.
 */
import { system } from "../../platform/platform.ts";
import type { JsonObject } from "../../settings/json.ts";
import { devicesWith, namesIn, textIn } from "./device-folders.ts";
import { findInputs } from "./input-devices.ts";

/** A noun that may be served. */
export interface Candidate {
  /** What the device calls it. */
  readonly title: string;
  readonly noun: JsonObject;
}

/** A file that this user may not open, and needs for a noun. */
export interface Refused {
  readonly path: string;
  /** What opens with it: `the LED green`. */
  readonly what: string;
}

/** What was found. */
export interface FoundNouns {
  readonly candidates: Candidate[];
  /** By the table's line: what is there and not in the configuration, and why. */
  readonly leftOut: string[];
  readonly refused: Refused[];
}

/** The channels of chips that the kind `hwmon` reads. */
const hwmonChannel = /^((?:temp|in|fan|curr|power|energy|humidity|freq)[0-9]{1,4})_input$/;

const thermometer = /^(?:10|22|28|3b|42)-[0-9a-f]{12}$/;

/** Devices with more codes are keyboards. A noun for each of their keys would help nobody. */
const mostCodes = 16;

/** Chips whose values another kind of noun has are left out. @param others names of zones, supplies and sensors. */
async function* hwmonNouns(others: ReadonlySet<string>): AsyncGenerator<Candidate> {
  const chips = new Map<string, string>();
  for (const folder of await namesIn("/sys/class/hwmon")) {
    const name = await textIn(`/sys/class/hwmon/${folder}/name`);
    if (name !== undefined && !others.has(name)) chips.set(folder, name);
  }
  const isTwice = new Set(chips.values()).size < chips.size;
  const devices = isTwice ? await devicesWith("hwmon") : new Map<string, string>();
  for (const [folder, chip] of chips) {
    const isShared = [...chips.values()].filter((name) => name === chip).length > 1;
    const device = isShared ? devices.get(folder) : undefined;
    for (const file of await namesIn(`/sys/class/hwmon/${folder}`)) {
      const [, channel] = hwmonChannel.exec(file) ?? [];
      if (channel === undefined) continue;
      const label = await textIn(`/sys/class/hwmon/${folder}/${channel}_label`);
      yield {
        title: `${chip} ${label ?? channel}`,
        noun: { kind: "hwmon", chip, channel, ...(device !== undefined && { device }) },
      };
    }
  }
}

async function* thermalNouns(): AsyncGenerator<Candidate> {
  const types = new Set<string>();
  for (const name of await namesIn("/sys/class/thermal")) {
    const type = name.startsWith("thermal_zone") ? await textIn(`/sys/class/thermal/${name}/type`) : undefined;
    if (type !== undefined) types.add(type);
  }
  for (const type of types) yield { title: type, noun: { kind: "thermal", type } };
}

/** By the type of a channel, the key of its value, and what makes its unit a usual one. */
const channelKeys: { readonly [type: string]: JsonObject } = {
  voltage: { key: "millivolts" },
  current: { key: "milliamperes" },
  temp: { key: "celsius", scale: 0.001, unit: "Cel" },
  humidityrelative: { key: "percent", scale: 0.001, unit: "%" },
  pressure: { key: "kilopascals" },
  illuminance: { key: "lux" },
};

/**
 * @returns by the folder of /sys/bus/iio/devices, what stays the same at the next start: the chip's label or name; the
 *   folder of its device on a bus, if others have the name, too; the folder's own name, if nothing else is known.
 */
async function iioDevices(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const device of await namesIn("/sys/bus/iio/devices")) {
    const folder = `/sys/bus/iio/devices/${device}`;
    const name = (await textIn(`${folder}/label`)) ?? (await textIn(`${folder}/name`));
    if (/^iio:device[0-9]+$/.test(device)) names.set(device, name ?? device);
  }
  const paths = new Map<string, string>();
  for (const bus of ["i2c", "spi", "platform"]) {
    for (const one of await namesIn(`/sys/bus/${bus}/devices`)) {
      const path = `/sys/bus/${bus}/devices/${one}`;
      for (const name of await namesIn(path)) if (names.has(name)) paths.set(name, path);
    }
  }
  const isShared = (name: string) => [...names.values()].filter((one) => one === name).length > 1;
  return new Map(
    Array.from(names, ([device, name]) => [device, isShared(name) ? (paths.get(device) ?? device) : name]),
  );
}

async function* iioNouns(): AsyncGenerator<Candidate> {
  for (const [numbered, device] of await iioDevices()) {
    const folder = `/sys/bus/iio/devices/${numbered}`;
    const name = (await textIn(`${folder}/name`)) ?? numbered;
    const files = await namesIn(folder);
    for (const file of files) {
      const [, channel = "", form] = /^in_([a-z0-9-]+)_(raw|input)$/.exec(file) ?? [];
      const [type = ""] = /^[a-z]+/.exec(channel) ?? [];
      const key = Object.hasOwn(channelKeys, type) ? channelKeys[type] : {};
      const title = `${name} ${channel}`;
      if (form === undefined || (form === "input" && files.includes(`in_${channel}_raw`))) continue;
      yield { title, noun: { kind: "adc", device, channel, ...key } };
    }
  }
}

async function* w1Nouns(): AsyncGenerator<Candidate> {
  for (const id of await namesIn("/sys/bus/w1/devices")) {
    if (thermometer.test(id)) yield { title: id, noun: { kind: "w1", id } };
  }
}

async function* powerNouns(): AsyncGenerator<Candidate> {
  for (const device of await namesIn("/sys/class/power_supply")) {
    const folder = `/sys/class/power_supply/${device}`;
    const type = await textIn(`${folder}/type`);
    const title = type === undefined ? device : `${type} ${device}`;
    if (type === "Battery") yield { title, noun: { kind: "power-supply", device } };
    else if ((await textIn(`${folder}/online`)) !== undefined) {
      yield { title, noun: { kind: "sysfs", path: `${folder}/online`, key: "online" } };
    }
  }
}

/** A LED whose trigger is active belongs to the kernel: a disk, a network, caps lock. */
async function findLeds(found: FoundNouns): Promise<void> {
  for (const device of await namesIn("/sys/class/leds")) {
    const folder = `/sys/class/leds/${device}`;
    const [, trigger = "none"] = /\[([^\]]*)\]/.exec((await textIn(`${folder}/trigger`)) ?? "") ?? [];
    const isWritable = ["brightness", "trigger"].every(
      (name) => system.accessOf(`${folder}/${name}`)?.isWritable ?? true,
    );
    if (trigger !== "none") found.leftOut.push(`the LED ${device}: its trigger "${trigger}" uses it`);
    else if (!isWritable)
      found.refused.push({ path: `${folder}/brightness ${folder}/trigger`, what: `the LED ${device}` });
    else found.candidates.push({ title: device, noun: { kind: "led", device } });
  }
}

async function addInputs(found: FoundNouns): Promise<void> {
  const taken = new Set<string>();
  for (const { device, path, codes } of await findInputs()) {
    const access = system.accessOf(path);
    if (access === undefined) continue;
    if (!access.isReadable) found.refused.push({ path, what: `the input device "${device}"` });
    else if (codes.length > mostCodes) {
      found.leftOut.push(`"${device}": it has ${codes.length} keys; \`nound --find button\` names the one you press`);
    } else {
      for (const code of codes) {
        if (taken.has(`${device} ${code}`)) continue;
        taken.add(`${device} ${code}`);
        const shown = code
          .toLowerCase()
          .replace(/^[a-z]+_/, "")
          .replaceAll("_", " ");
        found.candidates.push({ title: `${device} ${shown}`, noun: { kind: "input", device, code } });
      }
    }
  }
}

async function all(candidates: AsyncGenerator<Candidate>): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const candidate of candidates) found.push(candidate);
  return found;
}

/** @returns what may be served. Nothing is opened but files of /sys, to be read. */
export async function findNouns(): Promise<FoundNouns> {
  const thermal = await all(thermalNouns());
  const power = await all(powerNouns());
  const w1 = await all(w1Nouns());
  const zones = thermal.map(({ noun }) => String(noun["type"]).replaceAll("-", "_"));
  const supplies = await namesIn("/sys/class/power_supply");
  const others = new Set([...zones, ...supplies, ...(w1.length > 0 ? ["w1_slave_temp"] : [])]);
  const found: FoundNouns = {
    candidates: [...thermal, ...(await all(hwmonNouns(others))), ...(await all(iioNouns())), ...w1, ...power],
    leftOut: [],
    refused: [],
  };
  await findLeds(found);
  await addInputs(found);
  return found;
}
