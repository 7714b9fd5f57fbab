/** Suggests the GPIO line that a person may have meant by a name that no line has. */
import { nearestWord } from "../../core/noun/nearest-word.ts";

/** @returns a name without the characters that people leave out or add. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/**
 * @param name as it was written.
 * @param known the names of all lines.
 * @returns the name that is the same but for case and punctuation; that has it as a word, as `P9_12 [gpio1_28]` has
 *   `P9_12`; that ends in its number; or the nearest one; undefined without such a name, or if several are as near.
 */
export function nearestLine(name: string, known: readonly string[]): string | undefined {
  const named = known.filter((one) => one !== "");
  const isPart = (one: string) =>
    one
      .toLowerCase()
      .split(/[^a-z0-9_.-]+/)
      .includes(name.toLowerCase());
  const hasNumber = (one: string) => /^[0-9]+$/.test(name) && new RegExp(`[^0-9]${name}$`).test(one);
  for (const isMeant of [(one: string) => bare(one) === bare(name), isPart, hasNumber]) {
    const [meant, ...others] = named.filter(isMeant);
    if (meant !== undefined) return others.length === 0 ? meant : undefined;
  }
  return nearestWord(name, named);
}
