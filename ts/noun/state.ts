/** A noun's state: one flat object of scalars, the only value that crosses the network in either direction. */

/**
 * The value of a key of a state. Numbers are finite.
 *
 * @example
 * const brightness: Scalar = 100;
 */
export type Scalar = string | number | boolean | null;

/**
 * A flat object of scalars. `{}` is a state.
 *
 * @example
 * const state: State = { led: 1, name: "green", lit: true, since: null };
 */
export type State = { readonly [key: string]: Scalar };

function isScalar(value: unknown): value is Scalar {
  switch (typeof value) {
    case "string":
      return value.isWellFormed();
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return true;
    default:
      return value === null;
  }
}

/**
 * Makes sure that the value that a noun returned is a state. Nothing else may be sent to a client.
 * @param value anything.
 * @returns a copy, which is a plain object: no getter can return another value later, and no `toJSON` method can change
 *   what is written.
 * @throws TypeError naming what is wrong: not an object, or a key whose value is not a string without lone surrogates,
 *   a finite number, a boolean or null.
 */
export function toState(value: unknown): State {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError("A state must be one flat object; this value is not.");
  }
  const state: { [key: string]: unknown } = { ...value };
  for (const key of Object.keys(state)) {
    if (!key.isWellFormed() || !isScalar(state[key])) {
      throw new TypeError(
        `A state holds strings, finite numbers, booleans and null; the value of ${JSON.stringify(key)} is ` +
          `something else.`,
      );
    }
  }
  return state as State;
}

/** The state without a key. */
export const emptyState: State = Object.freeze({});
