/** States compared by the keys that count. */
import type { Shape } from "./shape.ts";

/** @returns the keys that change with time alone. */
export function timeDependentKeys(shape: Shape = {}): readonly string[] {
  return Object.keys(shape).filter((key) => shape[key]?.timeDependent === true);
}

/**
 * @param json the state. @param ignored keys whose values do not count, but for whether the state has them.
 * @returns a text that differs where a state differs.
 */
export function comparedPart(json: string, ignored: readonly string[]): string {
  if (ignored.length === 0) return json;
  const state = JSON.parse(json) as { [key: string]: unknown };
  for (const key of ignored) if (Object.hasOwn(state, key)) state[key] = 0;
  return JSON.stringify(state);
}
