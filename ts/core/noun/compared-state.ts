/** States compared by the keys that count. */

/** @returns a text that differs where keys of a state differ that are not ignored. @param json the state. */
export function comparedPart(json: string, ignored: readonly string[]): string {
  if (ignored.length === 0) return json;
  const state = JSON.parse(json) as { [key: string]: unknown };
  for (const key of ignored) delete state[key];
  return JSON.stringify(state);
}
