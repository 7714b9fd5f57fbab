/** A noun with a shape of every kind of key. */
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { HeldNoun } from "./held-noun.ts";

/** The shape of `shaped`. */
const shape = {
  level: { type: "integer", minimum: 0, maximum: 100 },
  gain: { type: "number", minimum: -1.5, optional: true },
  name: { type: "string", maximumLength: 8 },
  on: { type: "boolean" },
  mode: { type: "choice", values: ["auto", 2, null] },
} as const satisfies Shape;

/** Holds what its shape allows; an update may leave keys out. */
export class ShapedNoun extends HeldNoun implements Noun {
  readonly shape: Shape = shape;

  constructor() {
    const state: State = { level: 50, name: "default", on: true, mode: "auto" };
    super(state);
  }
}
