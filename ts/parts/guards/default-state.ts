/** Whether a noun is at its default after a DELETE, as far as that can be told from its state. */
import type { Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";

/** @returns whether a value is the default, or a number that the hardware has rounded. */
function isNear(value: Scalar | undefined, other: Scalar | undefined): boolean {
  if (value === other) return true;
  if (typeof value !== "number" || typeof other !== "number" || Number.isInteger(other - value)) return false;
  return Math.abs(value - other) <= 0.01 * Math.max(Math.abs(value), Math.abs(other));
}

/** A noun after a DELETE. */
interface Reset {
  readonly state: State;
  readonly shape: Shape | undefined;
  /** What the last PUT or POST has set. */
  readonly asked: State | undefined;
  /** Whether an author has said what its default is. Otherwise it may differ each time, as long as it is not as set. */
  readonly isDeclared: boolean;
}

/** @param wanted the default. @returns the first key that the DELETE has left at another value; undefined for none. */
export function keyBesides(wanted: State, { state, shape, asked, isDeclared }: Reset): string | undefined {
  return Object.keys(state).find((key) => {
    const isOwn = shape?.[key]?.readOnly !== true && state[key] !== null;
    if (!isOwn || isNear(state[key], wanted[key])) return false;
    return (isDeclared && Object.hasOwn(wanted, key)) || state[key] === asked?.[key];
  });
}
