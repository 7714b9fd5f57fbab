/**
 * Where the hardware is simulated, what a program only reads can be moved from outside: each input becomes a noun named
 * `simulated.` and what it is, `simulated.gpio27` for instance.
 */
import type { Noun } from "../noun/noun.ts";
import { SimulatedSource, type SimulatedSourceOptions, watchThrough } from "../nouns/simulated-source.ts";

/** Takes a source under its name. */
type Take = (name: string, source: Noun) => void;

const sources = new Map<string, Noun>();
const takers: Take[] = [];

/** @returns the noun's name. What it cannot hold becomes a hyphen. */
function sourceName(input: string): string {
  return `simulated.${input.replace(/[^A-Za-z0-9._~-]+/g, "-").slice(0, 54)}`.toLowerCase();
}

/** @param input what is moved, for people. */
export function addSource(input: string, source: Noun): void {
  const name = sourceName(input);
  if (sources.has(name)) return;
  sources.set(name, source);
  for (const take of takers) take(name, source);
}

/** Adds the source of one number. */
export function addNumberSource(input: string, options: SimulatedSourceOptions): void {
  addSource(input, new SimulatedSource(options));
}

/** Hands each source there is, and each there will be, to a server. */
export function onSource(take: Take): void {
  takers.push(take);
  for (const [name, source] of sources) take(name, source);
}

/** Makes a noun tell its watchers at once when its input is moved by its source. @returns the same noun. */
export function toldBySource<N extends Noun>(noun: N, input: string): N {
  const source = sources.get(sourceName(input));
  if (source !== undefined) watchThrough(noun, source);
  return noun;
}
