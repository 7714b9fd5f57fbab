/** The folder of states that has the last date that this device has seen (kept-date.ts). */
import { ofProgram } from "../native/of-program.ts";

const own = ofProgram<{ folder?: string | undefined }>(() => ({}));

/** Sets the folder of states that has the date; undefined for none. Without this call, there is none. */
export function keepDateIn(folder: string | undefined): void {
  own().folder = folder;
}

/** @returns the folder; undefined for none. */
export function dateFolder(): string | undefined {
  return own().folder;
}
