/** The words of a value: its own label, that of its device class, or Yes and No, On and Off. */

import { type Scalar, textOf } from "./scalar.ts";
import { texts } from "./texts.ts";
import type { Key } from "./thing.ts";

/** By device class, the words for off and on, as Home Assistant has them. */
const classWords: { readonly [deviceClass: string]: readonly [string, string] } = {
  battery: ["Normal", "Low"],
  battery_charging: ["Not charging", "Charging"],
  carbon_monoxide: ["Clear", "Detected"],
  cold: ["Normal", "Cold"],
  connectivity: ["Disconnected", "Connected"],
  door: ["Closed", "Open"],
  garage_door: ["Closed", "Open"],
  gas: ["Clear", "Detected"],
  heat: ["Normal", "Hot"],
  light: ["No light", "Light"],
  lock: ["Locked", "Unlocked"],
  moisture: ["Dry", "Wet"],
  motion: ["No motion", "Motion"],
  moving: ["Still", "Moving"],
  occupancy: ["Clear", "Occupied"],
  opening: ["Closed", "Open"],
  plug: ["Unplugged", "Plugged in"],
  power: ["No power", "Power"],
  presence: ["Away", "At home"],
  problem: ["OK", "Problem"],
  running: ["Not running", "Running"],
  safety: ["Safe", "Unsafe"],
  smoke: ["Clear", "Smoke"],
  sound: ["Quiet", "Sound"],
  tamper: ["Clear", "Tampered with"],
  update: ["Up to date", "Update"],
  vibration: ["Still", "Vibration"],
  window: ["Closed", "Open"],
};

/** @returns the label of a value; undefined if it has none. */
export function labelOf({ labels }: Key, value: Scalar): string | undefined {
  return textOf(labels, String(value));
}

/** @returns one of two values as a word. */
export function switchText(key: Key, value: Scalar): string {
  const { deviceClass = "", values, readOnly } = key;
  const label = labelOf(key, value);
  if (label !== undefined) return label;
  if (typeof value === "string") return value;
  const place = value === values[1] ? 1 : 0;
  const ofClass = Object.hasOwn(classWords, deviceClass) ? classWords[deviceClass] : undefined;
  return (ofClass ?? (readOnly ? [texts.no, texts.yes] : [texts.off, texts.on]))[place] ?? "";
}
