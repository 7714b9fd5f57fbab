/**
 * Mistakes of a noun's author that harm no client at once. They are reported while a program is developed and tested,
 * but not on a device.
 */
import type { Noun } from "./noun.ts";

let report: ((noun: Noun, sentence: string) => void) | undefined;

/** Begins to report mistakes. @param to is called with each, as a clause without a full stop. */
export function reportMistakes(to: (noun: Noun, sentence: string) => void): void {
  report = to;
}

export function isReportingMistakes(): boolean {
  return report !== undefined;
}

export function reportMistake(noun: Noun, sentence: string): void {
  report?.(noun, sentence);
}
