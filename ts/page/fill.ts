/** Makes rows of tiles that leave no hole. */

/** A tile in its row. */
export interface Placed<T> {
  readonly item: T;
  /** The columns that it takes. */
  readonly width: number;
}

/** Shares the columns that a row has left among its tiles, from the last to the first and again. */
function widen<T>(row: readonly Placed<T>[], columns: number): readonly Placed<T>[] {
  const rest = columns - row.reduce((sum, { width }) => sum + width, 0);
  const [all, some] = [Math.floor(rest / row.length), rest % row.length];
  return row.map(({ item, width }, place) => ({ item, width: width + all + (place >= row.length - some ? 1 : 0) }));
}

/**
 * Places tiles in rows, in their order. Where the next one is too wide for the rest of a row, a later one that fits
 * goes there. What is still left of the row makes its last tiles wider.
 *
 * @param widthOf the columns that a tile wants; Infinity for a whole row.
 * @param columns how many there are.
 */
export function fill<T>(items: readonly T[], widthOf: (item: T) => number, columns: number): readonly Placed<T>[] {
  const waiting = items.map((item) => ({ item, width: Math.min(widthOf(item), columns) }));
  const placed: Placed<T>[] = [];
  while (waiting.length > 0) {
    const row: Placed<T>[] = [];
    let room = columns;
    for (;;) {
      const next = waiting.findIndex(({ width }) => width <= room);
      if (next < 0) break;
      for (const tile of waiting.splice(next, 1)) {
        row.push(tile);
        room -= tile.width;
      }
    }
    // Over a whole row, what is left over alone would look like more than it is.
    const isLeftOver = row.length === 1 && waiting.length === 0;
    placed.push(...widen(row, isLeftOver ? Math.min(columns, Math.max(columns - room, 2)) : columns));
  }
  return placed;
}
