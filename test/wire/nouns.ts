/** The nouns that the vectors speak to, as a configuration of the stock program. */
import type { State } from "../../ts/core/noun/state.ts";

/** The state of `still`, the noun that vectors read and nobody changes. */
export const stillState = { n: 1.5, s: "x", b: true, z: null } as const satisfies State;

/** What a hidden request would make of the noun `canary`. */
export const executed = { executed: true } as const satisfies State;

/** `canary` is written to only by requests that must never be executed. */
export const nouns = {
  led: { kind: "switch", key: "led", values: [0, 1], default: 0 },
  note: { kind: "value", default: { text: "hello" } },
  canary: { kind: "value", default: { alive: true } },
  still: { kind: "value", default: stillState },
  empty: { kind: "value", default: {} },
  "a.b_c~d-1": { kind: "value", default: { odd: "name" } },
} as const;
