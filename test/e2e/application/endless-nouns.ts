/**
 * Nouns that never return, each in a way of its own. GET of each answers at once, so that it can be seen whether it
 * lives.
 */

import type { Awaitable, Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { setTimeout } from "../../../ts/program/application/globals/timers.ts";

/** Never returns, whatever is thrown into it. */
function spin(): never {
  for (let turns = 0; ; turns = 0) {
    try {
      while (turns >= 0) turns += 1;
    } catch {
      turns = -1;
    } finally {
      turns = 0;
    }
  }
}

function changing(act: () => Awaitable<State>): Noun {
  return { getState: () => ({ intact: true }), setState: act, updateState: act, deleteState: act };
}

function* forever(): Generator<number> {
  for (;;) yield 1;
}

function again(): Promise<never> {
  return Promise.resolve().then(again);
}

/** A state that cannot be read to its end. */
function endlessState(): State {
  return {
    get value() {
      return spin();
    },
  };
}

/** An error that cannot be told what kind it is. */
function endlessError(): Error {
  return new Proxy(new Error("without an end"), { getPrototypeOf: spin });
}

/** What cannot be told from a promise. */
function endlessThen(): State {
  // biome-ignore lint/suspicious/noThenProperty: an object that poses as a promise is what is meant.
  return Object.defineProperty({}, "then", { get: spin });
}

/** The nouns by name. */
export const endless: { readonly [name: string]: Noun } = {
  "endless-loop": changing(spin),
  "endless-recursion-of-loops": changing(() => [1, 2, 3].map(() => [3, 2, 1].sort(spin)) as unknown as State),
  "endless-iteration": changing(() => {
    let last = 0;
    for (const one of forever()) last = one;
    return { last };
  }),
  "endless-match": changing(() => ({ match: /^(a+)+$/.test(`${"a".repeat(60)}!`) })),
  "endless-promise": changing(async () => spin()),
  "endless-later": changing(async () => {
    await Promise.resolve();
    return spin();
  }),
  "endless-much-later": changing(async () => {
    await new Promise<void>((resolve) => setTimeout(resolve, 10));
    return await (async () => {
      await Promise.resolve();
      return spin();
    })();
  }),
  "endless-promises": changing(again),
  "endless-timer": changing(() => {
    setTimeout(spin, 0);
    return {};
  }),
  "endless-getter": changing(() => endlessState()),
  "endless-getter-later": changing(async () => {
    await Promise.resolve();
    return endlessState();
  }),
  "endless-error": changing(() => {
    throw endlessError();
  }),
  "endless-error-later": changing(async () => {
    await Promise.resolve();
    throw endlessError();
  }),
  "endless-then": changing(() => endlessThen()),
  "endless-then-later": changing(async () => {
    await Promise.resolve();
    return endlessThen();
  }),
};
