/**
 * What a device has that is safe to serve at once, as nouns of a configuration, for `--find`. Each is found by the
 * kernel's folders; whether it can be read is tried later.
 */

import { keysOfChannels } from "../../hardware/nouns/device-sensor.ts";
import type { SensorClass } from "../../hardware/open/quantities.ts";
import { channelsOf, labelsOf } from "../../hardware/open/sensor-channels.ts";
import {
  allSensors,
  type Folders,
  foldersOf,
  lastingPath,
  type SensorDevice,
  textAt,
} from "../../hardware/open/sensor-device.ts";
import { hardware, system } from "../../platform/platform.ts";
import type { JsonObject } from "../../settings/json.ts";
import { namesIn, textIn } from "./device-folders.ts";
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

/** Devices with more codes are keyboards. A noun for each of their keys would help nobody. */
const mostCodes = 16;

/** @returns the noun of a sensor: its channels, with their labels as titles. */
function sensorNounOf(folders: Folders, device: SensorDevice, name: string): JsonObject {
  const channels = channelsOf(folders, device);
  const [first = "", ...others] = channels;
  const isFixed = device.class !== "hwmon" && device.class !== "iio";
  if (isFixed || channels.length === 0) return { kind: "sensor", device: name };
  if (others.length === 0) return { kind: "sensor", device: name, channel: first };
  const labels = labelsOf(folders, device);
  const keys = Array.from(keysOfChannels(channels), ([key, channel]): [string, JsonObject] => {
    const title = labels.get(channel);
    return [key, { channel, ...(title !== undefined && { title }) }];
  });
  return { kind: "sensor", device: name, keys: Object.fromEntries(keys) };
}

/** @returns all sensors of this machine, each by what stays the same at the next start: its name or a path. */
function sensors(folders: Folders): Candidate[] {
  const all = allSensors(folders);
  const titles: { readonly [of in SensorClass]?: string } = { power: "type" };
  return all.map((device) => {
    const [name = ""] = device.names;
    const label = device.class === "iio" || device.class === "hwmon" ? device.names.at(-2) : undefined;
    const isShared = (one: string) => all.filter(({ names }) => names.includes(one)).length > 1;
    const own = [label ?? name, name].find((one) => !isShared(one)) ?? lastingPath(folders, device);
    const kind = titles[device.class];
    const type = kind === undefined ? undefined : textAt(folders, `${device.folder}/${kind}`);
    return { title: type === undefined ? name : `${type} ${name}`, noun: sensorNounOf(folders, device, own) };
  });
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
        found.candidates.push({ title: `${device} ${shown}`, noun: { kind: "input", device, channel: code } });
      }
    }
  }
}

/** @returns what may be served. Nothing is opened but files of /sys, to be read. */
export async function findNouns(): Promise<FoundNouns> {
  const found: FoundNouns = { candidates: sensors(foldersOf(hardware().files)), leftOut: [], refused: [] };
  await findLeds(found);
  await addInputs(found);
  return found;
}
