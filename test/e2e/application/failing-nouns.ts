/** Nouns that fail, refuse, or return what is no state. Their words must not reach a client, except a refusal's. */
import { onUncaughtError, onUnhandledRejection, setTimer } from "nound:loop";
import type { Awaitable, Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";

/** A noun whose GET shows `{ "intact": true }` and whose other operations do `act`. */
function changing(act: () => Awaitable<State>): Noun {
  return { getState: () => ({ intact: true }), setState: act, updateState: act, deleteState: act };
}

function failure(): Error {
  return new Error("zqx: /sys/class/leds/zqx could not be written");
}

function raise(thrown: unknown): never {
  throw thrown;
}

const refusal = "The fan turns at 0 or at 30 to 100 percent, not in between.";

/** Nouns whose changes fail or are refused, by name. */
export const failing: { readonly [name: string]: Noun } = {
  throwing: changing(() => raise(failure())),
  rejecting: changing(() => Promise.reject(failure())),
  "rejecting-later": changing(() => new Promise((_, reject) => setTimer(() => reject(failure()), 20))),
  "throwing-text": changing(() => raise("zqx")),
  "throwing-undefined": changing(() => raise(undefined)),
  "throwing-null": changing(() => raise(null)),
  "throwing-status": changing(() => raise({ status: 204, title: "zqx", detail: "zqx", message: "zqx" })),
  "throwing-an-error-with-a-getter": changing(() =>
    raise(Object.defineProperty(new Error(), "message", { get: () => raise(failure()) })),
  ),
  "rejecting-undefined": changing(() => Promise.reject(undefined)),
  recursing: changing(function recurse(): State {
    return { ...recurse(), deeper: true };
  }),
  refusing: changing(() => raise(new StateError(refusal, "speed"))),
  "refusing-later": changing(() => new Promise((_, reject) => setTimer(() => reject(new StateError(refusal)), 20))),
};

const cycle: { self?: unknown } = {};
cycle.self = cycle;

/** What is no state, by the name of the noun that answers with it. */
const nonsense: { readonly [name: string]: unknown } = {
  undefined: undefined,
  null: null,
  array: [1],
  text: "zqx",
  number: 1,
  true: true,
  function: () => ({}),
  symbol: Symbol("zqx"),
  nan: { value: Number.NaN },
  infinity: { value: Number.POSITIVE_INFINITY },
  nested: { value: { zqx: 1 } },
  list: { value: [1] },
  "undefined-value": { value: undefined },
  "function-value": { value: () => 1 },
  "symbol-value": { value: Symbol("zqx") },
  "big-integer": { value: 1n },
  "lone-surrogate": { value: "\ud800" },
  "lone-surrogate-key": { "\ud800": 1 },
  cycle,
  getter: Object.defineProperty({}, "value", { enumerable: true, get: () => raise(failure()) }),
  proxy: new Proxy({}, { ownKeys: () => raise(failure()) }),
  // biome-ignore lint/suspicious/noThenProperty: an object that poses as a promise is the very nonsense meant here.
  thenable: Object.defineProperty({}, "then", { value: () => raise(failure()) }),
};

function answering(value: unknown): Noun {
  const answer = (): State => value as State;
  return { getState: answer, setState: answer, updateState: answer, deleteState: answer };
}

function promising(value: unknown): Noun {
  const answer = (): Promise<State> => Promise.resolve(value as State);
  return { getState: answer, setState: answer, updateState: answer, deleteState: answer };
}

/** Nouns that answer with nonsense, at once (`returns-...`) and by a promise (`resolves-...`). */
export const talkingNonsense: { readonly [name: string]: Noun } = Object.fromEntries(
  Object.entries(nonsense).flatMap(([name, value]) => [
    [`returns-${name}`, answering(value)],
    [`resolves-${name}`, promising(value)],
  ]),
);

let errors = 0;
let rejections = 0;
onUncaughtError(() => {
  errors += 1;
});
onUnhandledRejection(() => {
  rejections += 1;
});

/** POST throws from a timer and leaves a rejected promise behind; GET counts what the loop reported of that, ever. */
export const stray: Noun = {
  getState: () => ({ errors, rejections }),
  setState: (state) => state,
  updateState: (change) => {
    setTimer(() => raise(failure()), 0);
    void Promise.reject(failure());
    return change;
  },
  deleteState: () => ({}),
};
