/**
 * Mistakes of a noun's author that harm no client at once: they are reported while a program is developed and tested, and nobody looks for
 * them on a device.
 */
import type { Noun } from "./noun.ts";

let report: ((noun: Noun, sentence: string) => void) | undefined;

/** Has mistakes looked for from now on. @param to is told of each, by a clause without a full stop. */
export function reportMistakes(to: (noun: Noun, sentence: string) => void): void {
  report = to;
}

/** @returns whether mistakes are looked for. */
export function isReportingMistakes(): boolean {
  return report !== undefined;
}

/** Reports a mistake. */
export function reportMistake(noun: Noun, sentence: string): void {
  report?.(noun, sentence);
}
