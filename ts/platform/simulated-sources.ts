/**
 * On simulated hardware, clients can set what a program only reads. Each input has a noun whose name is `simulated.`
 * plus the name of the input, `simulated.gpio27` for instance.
 */
import type { Noun } from "../core/noun/noun.ts";
import { ofProgram } from "../native/of-program.ts";

type Take = (name: string, source: Noun) => void;

const own = ofProgram(() => ({ sources: new Map<string, Noun>(), takers: [] as Take[] }));

/** @returns the noun's name. Characters that a name cannot have become hyphens. */
function sourceName(input: string): string {
  return `simulated.${input.replace(/[^A-Za-z0-9._~-]+/g, "-").slice(0, 54)}`.toLowerCase();
}

/** @param input the name of the input, for people. */
export function addSource(input: string, source: Noun): void {
  const name = sourceName(input);
  const { sources, takers } = own();
  if (sources.has(name)) return;
  sources.set(name, source);
  for (const take of takers) take(name, source);
}

/** Gives a server every source, including those added later. */
export function onSource(take: Take): void {
  const { sources, takers } = own();
  takers.push(take);
  for (const [name, source] of sources) take(name, source);
}
