/** Nouns that take all the memory there is, each in a way of its own. GET of each answers at once. */
import { setTimer } from "nound:loop";
import type { Awaitable, Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";

function changing(act: () => Awaitable<State>): Noun {
  return { getState: () => ({ intact: true }), setState: act, updateState: act, deleteState: act };
}

/** Allocates until nothing is left. What it held is free again once it has failed. */
function hoard(length: number): never {
  const held: unknown[] = [];
  for (;;) held.push(new Array(length).fill(held.length));
}

/** Allocates until nothing is left. What it held holds on to itself, so that only a collection frees it. */
function hoardCycles(): never {
  let last: unknown;
  for (;;) {
    const cycle: { self?: unknown; before: unknown; weight: string } = { before: last, weight: "x".repeat(100_000) };
    cycle.self = cycle;
    last = cycle;
  }
}

/** Allocates until nothing is left, and keeps it. */
const kept: unknown[] = [];
function keep(): never {
  for (;;) kept.push([kept.length]);
}

/** The same by timers that are not due for days. */
function keepTimers(): never {
  for (;;) setTimer(() => kept.push(kept.length), 1e9);
}

/** The nouns by name that leave nothing to others. */
export const hoardingForGood: { readonly [name: string]: Noun } = {
  "hoarding-for-good": changing(keep),
  "hoarding-timers": changing(keepTimers),
};

/** The nouns by name. */
export const hoarding: { readonly [name: string]: Noun } = {
  "hoarding-much": changing(() => hoard(100_000)),
  "hoarding-little": changing(() => hoard(1)),
  "hoarding-text": changing(() => {
    let text = "x";
    for (;;) text += text;
  }),
  "hoarding-cycles": changing(hoardCycles),
  "hoarding-promise": changing(async () => hoard(10)),
  "hoarding-later": changing(async () => {
    await Promise.resolve();
    return hoard(10);
  }),
};
