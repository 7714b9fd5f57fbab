/** The times at which a rule runs: of the clock, or of the sun. */
import { isTime } from "../../core/noun/shape.ts";
import type { SunEvent } from "./sun.ts";

export const minutesOfDay = 1_440;

/** Minutes from an event of the sun: -60 is an hour before it. */
export interface SunTime {
  readonly sun: SunEvent;
  readonly offset: number;
  /** Minutes since midnight: not earlier, and not later. */
  readonly earliest?: number;
  readonly latest?: number;
}

/** Minutes since midnight, or a time of the sun. */
export type ClockOrSun = number | SunTime;

/** The same, or a reference to a time that a noun has. */
export type At = ClockOrSun | string;

/** @returns hours and minutes: `06:30`. */
export function clockText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** @returns a time as the configuration has it: `06:30`, `sunset+00:30<22:00`. */
export function timeText(time: ClockOrSun): string {
  if (typeof time === "number") return clockText(time);
  const { sun, offset, earliest, latest } = time;
  const from = offset === 0 ? "" : `${offset < 0 ? "-" : "+"}${clockText(Math.abs(offset))}`;
  const bounds = [
    earliest === undefined ? "" : `>${clockText(earliest)}`,
    latest === undefined ? "" : `<${clockText(latest)}`,
  ];
  return sun + from + bounds.join("");
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(":");
  return 60 * Number(hours) + Number(minutes);
}

/** @returns a time; undefined for a text that is none. */
export function parseTime(text: unknown): ClockOrSun | undefined {
  if (typeof text !== "string" || !isTime(text, "sun")) return undefined;
  const [sun = ""] = /^[a-z]*/.exec(text) ?? [];
  if (sun === "") return minutesOf(text);
  const parts = new Map(
    Array.from(text.matchAll(/([+<>-])(\d\d:\d\d)/g), ([, sign, time = ""]) => [sign, minutesOf(time)]),
  );
  const [earliest, latest] = [parts.get(">"), parts.get("<")];
  return {
    sun: sun as SunEvent,
    offset: (parts.get("+") ?? 0) - (parts.get("-") ?? 0),
    ...(earliest !== undefined && { earliest }),
    ...(latest !== undefined && { latest }),
  };
}
