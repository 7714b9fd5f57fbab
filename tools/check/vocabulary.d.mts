export function vocabulary(): {
  readonly keys: number;
  readonly kinds: number;
  readonly limits: number;
  readonly pages: number;
};
