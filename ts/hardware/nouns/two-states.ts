/**
 * What nouns with two values under one key have in common. The relays of a house mostly have the same key, so those
 * that are made one after the other share it.
 *
 *     const { off, on, shape } = twoStates("on", 0, 1); // off is { on: 0 }
 */
import type { Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { toState } from "../../core/noun/state-writer.ts";
import { ofProgram } from "../../native/of-program.ts";

/** Nobody changes any part of it. */
export interface TwoStates {
  readonly key: string;
  /** Frozen, as `on`. */
  readonly off: State;
  readonly on: State;
  readonly shape: Shape;
}

const made = ofProgram((): { last?: TwoStates } => ({}));

/** @throws TypeError for a value that no state can have. */
export function twoStates(key: string, off: Scalar, on: Scalar): TwoStates {
  const { last } = made();
  if (last?.key === key && last.off[key] === off && last.on[key] === on) return last;
  const two: TwoStates = {
    key,
    off: Object.freeze(toState({ [key]: off })),
    on: Object.freeze(toState({ [key]: on })),
    shape: { [key]: { type: "choice", values: [off, on] } },
  };
  made().last = two;
  return two;
}
