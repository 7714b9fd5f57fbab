/** @returns the names of all keys that a configuration may have. */
export function keyNames(): Set<string>;

export function vocabulary(): {
  readonly keys: number;
  readonly kinds: number;
  readonly limits: number;
  readonly pages: number;
};
