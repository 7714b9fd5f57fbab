/** Formats values for people. */
import type { Key } from "./description.ts";
import type { Scalar } from "./scalar.ts";
import { texts } from "./texts.ts";

/** UCUM symbols that people write in another way. */
const symbols: { readonly [unit: string]: string } = {
  Cel: "\u00b0C",
  "[degF]": "\u00b0F",
  By: "B",
  Ohm: "\u03a9",
  "1": "",
};
const binaryPrefixes = ["B", "KiB", "MiB", "GiB", "TiB"];

function formatNumber(value: number): string {
  const size = Math.abs(value);
  const maximumFractionDigits = size >= 100 ? 1 : size >= 0.1 || size === 0 ? 2 : 6;
  return value.toLocaleString(undefined, { maximumFractionDigits });
}

function formatDuration(seconds: number): string {
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (days > 0) return texts.days(days, hours % 24);
  return hours > 0 ? texts.hours(hours, minutes % 60) : texts.minutes(minutes, Math.floor(seconds % 60));
}

/** @returns a unit as people write it. */
export function unitText(unit: string | undefined): string {
  return unit === undefined ? "" : Object.hasOwn(symbols, unit) ? (symbols[unit] ?? "") : unit;
}

/** @returns a number and its unit. */
export function measure(value: number, unit: string | undefined): readonly [string, string] {
  if (unit === "ms" && value >= 10_000) return measure(Math.floor(value / 1_000), "s");
  if (unit === "s" && value >= 120) return [formatDuration(value), ""];
  if (unit === "By" && value >= 1_024) {
    const power = Math.min(Math.floor(Math.log2(value) / 10), binaryPrefixes.length - 1);
    return [formatNumber(value / 1_024 ** power), binaryPrefixes[power] ?? ""];
  }
  return [formatNumber(value), unitText(unit)];
}

/** @returns one of two values as a word. */
export function switchText({ values, readOnly }: Key, value: Scalar): string {
  if (typeof value === "string") return value;
  const isOn = value === values[1];
  return readOnly ? (isOn ? texts.yes : texts.no) : isOn ? texts.on : texts.off;
}
