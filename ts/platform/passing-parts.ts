/**
 * The parts of the script that pass: their code is freed when it is not needed any more. In a bundle,
 * tools/bundle/passing.mjs loads them with the first call; elsewhere there are none.
 */
import * as script from "nound:script";

const parts = new Map<string, object>();

/** @returns what a part exports. @param load reads it, if it is not there. */
export function passingPart(name: string, load: () => object): object {
  const known = parts.get(name);
  if (known !== undefined) return known;
  const loaded = load();
  parts.set(name, loaded);
  return loaded;
}

/** Frees the parts. One that is needed again is read again. */
export function freePassingParts(): void {
  if (parts.size === 0) return;
  parts.clear();
  script.collect();
}
