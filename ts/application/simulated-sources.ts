/**
 * Where the hardware is simulated, what a program only reads can be moved from outside: each input becomes a noun named
 * `simulated.` and what it is, `simulated.gpio27` for instance.
 */
import type { Noun } from "../noun/noun.ts";

/** Takes a source under its name. */
type Take = (name: string, source: Noun) => void;

const sources = new Map<string, Noun>();
const takers: Take[] = [];

/** @param input what is moved, for people. What a noun's name cannot hold becomes a hyphen. */
export function addSource(input: string, source: Noun): void {
  const name = `simulated.${input.replace(/[^A-Za-z0-9._~-]+/g, "-").slice(0, 54)}`.toLowerCase();
  if (sources.has(name)) return;
  sources.set(name, source);
  for (const take of takers) take(name, source);
}

/** Hands each source there is, and each there will be, to a server. */
export function onSource(take: Take): void {
  takers.push(take);
  for (const [name, source] of sources) take(name, source);
}
