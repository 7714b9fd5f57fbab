/** Nouns that take all the memory there is, each in a way of its own. GET of each answers at once. */
import type { Awaitable, Noun } from "../../../ts/noun/noun.ts";
import type { State } from "../../../ts/noun/state.ts";

function changing(act: () => Awaitable<State>): Noun {
  return { getState: () => ({ intact: true }), setState: act, updateState: act, deleteState: act };
}

/** Allocates until nothing is left. What it held is free again once it has failed. */
function hoard(length: number): never {
  const held: unknown[] = [];
  for (;;) held.push(new Array(length).fill(held.length));
}

/** The nouns by name. */
export const hoarding: { readonly [name: string]: Noun } = {
  "hoarding-much": changing(() => hoard(100_000)),
  "hoarding-little": changing(() => hoard(1)),
  "hoarding-text": changing(() => {
    let text = "x";
    for (;;) text += text;
  }),
  "hoarding-promise": changing(async () => hoard(10)),
  "hoarding-later": changing(async () => {
    await Promise.resolve();
    return hoard(10);
  }),
};
