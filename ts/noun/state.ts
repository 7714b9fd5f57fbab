/** A noun's state: one flat object of scalars, the only value that crosses the network in either direction. */

/** What a key of a state may hold. Numbers are finite. */
export type Scalar = string | number | boolean | null;

/** A flat object of scalars. `{}` is a state. */
export type State = { readonly [key: string]: Scalar };
