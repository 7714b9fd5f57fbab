/** Formats values for people. */
import { say } from "./say.ts";

/** UCUM symbols that people write in another way. */
const symbols: { readonly [unit: string]: string } = {
  Cel: "\u00b0C",
  "[degF]": "\u00b0F",
  By: "B",
  Ohm: "\u03a9",
  "m/s2": "m/s\u00b2",
  "ug/m3": "\u00b5g/m\u00b3",
  "[ppm]": "ppm",
  us: "\u00b5s",
  "1": "",
};
const timeUnits = ["ns", "\u00b5s", "ms", "s"];
const binaryPrefixes = ["B", "KiB", "MiB", "GiB", "TiB"];

/** By their digits. To make one takes a weak phone as long as a tile. */
const formats: Intl.NumberFormat[] = [];

function formatNumber(value: number): string {
  const size = Math.abs(value);
  const maximumFractionDigits = size >= 100 ? 1 : size >= 0.1 || size === 0 ? 2 : 6;
  formats[maximumFractionDigits] ??= new Intl.NumberFormat(undefined, { maximumFractionDigits });
  return formats[maximumFractionDigits].format(value);
}

/** @returns how long ago something was, in words. @param milliseconds since then. */
export function ago(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 5) return say("justNow");
  const [size, unit] =
    seconds < 60 ? [1, "s"] : seconds < 3_600 ? [60, "min"] : seconds < 86_400 ? [3_600, "h"] : [86_400, "d"];
  return say("ago", `${Math.floor(seconds / size)}\u00a0${unit}`);
}

/** @param time as the device writes it. @returns the date and the time of day. */
export function moment(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "short", timeStyle: "medium" });
}

/** @returns a time of the last day as hours and minutes. @param time ms since 1970. */
export function timeOfDay(time: number): string {
  return new Date(time).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

/** @returns a time of the last day, behind "yesterday" if it was then. @param time ms since 1970. */
export function dayAndTime(time: number): string {
  const text = timeOfDay(time);
  return time < new Date().setHours(0, 0, 0, 0) ? `${say("yesterday")} ${text}` : text;
}

/** @returns a time of ms that is left: to the tenth of a second below ten. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < 10 ? `${seconds.toFixed(1)}\u00a0s` : withUnit(Math.ceil(seconds), "s");
}

function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return say("days", Math.floor(hours / 24), hours % 24);
  if (hours > 0) return say("hours", hours, minutes % 60);
  const rest = Math.floor(seconds % 60);
  return rest === 0 ? `${minutes}\u00a0min` : say("minutes", minutes, rest);
}

/** @returns a unit as people write it. */
export function unitText(unit: string | undefined): string {
  return unit === undefined ? "" : Object.hasOwn(symbols, unit) ? (symbols[unit] ?? "") : unit;
}

/** @returns a number with its unit, as one text. */
export function withUnit(value: number, unit: string | undefined): string {
  return measure(value, unit).join("\u00a0").trim();
}

/** @returns a number and its unit. */
export function measure(value: number, unit: string | undefined): readonly [string, string] {
  if (unit === "ns" && value >= 1_000) {
    const power = Math.min(Math.floor(Math.log10(value) / 3), timeUnits.length - 1);
    return [formatNumber(value / 1_000 ** power), timeUnits[power] ?? ""];
  }
  if (unit === "ms" && value >= 10_000) return measure(Math.floor(value / 1_000), "s");
  if (unit === "s" && value >= 120) return [formatDuration(value), ""];
  if (unit === "By" && value >= 1_024) {
    const power = Math.min(Math.floor(Math.log2(value) / 10), binaryPrefixes.length - 1);
    return [formatNumber(value / 1_024 ** power), binaryPrefixes[power] ?? ""];
  }
  return [formatNumber(value), unitText(unit)];
}
