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

/** The state without a key. */
export const emptyState: State = Object.freeze({});
