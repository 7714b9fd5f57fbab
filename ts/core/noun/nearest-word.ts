/** Suggests the word that a person may have meant by an unknown one. */

/** Characters of the shortest beginning of a word that stands for it: `pull` for `pull-up`. */
const shortestBeginning = 3;

/** @returns how many characters to insert, remove, replace or swap with a neighbour to make one word the other. */
function distance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      let best = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

/**
 * @param word as it was written.
 * @param known the words that exist.
 * @returns the known word that differs least, ignoring case; one that begins with the word, if the others differ by
 *   more than a third; undefined if none does.
 */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > 64) return undefined;
  const given = word.toLowerCase();
  const [nearest] = known
    .map((one) => ({ one, apart: distance(given, one.toLowerCase()) }))
    .filter(({ one, apart }) => {
      if (given.length >= shortestBeginning && one.toLowerCase().startsWith(given)) return true;
      return apart <= Math.max(1, Math.floor(one.length / 3)) && apart < one.length;
    })
    .sort((a, b) => a.apart - b.apart);
  return nearest?.one;
}

/** @returns `; did you mean "word"?` of the nearest word; "" without one. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearestWord(word, known);
  return meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}
