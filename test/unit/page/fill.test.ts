/** The rows of tiles: full, in order, and each tile at least as wide as it wants to be. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fill } from "../../../ts/page/fill.ts";

/** @returns the widths that tiles get. */
const widths = (wanted: readonly number[], columns: number) =>
  fill(wanted, (width) => width, columns).map(({ width }) => width);

test("what a row has left goes to its last tiles", () => {
  expect(widths([1, 1, 1], 4)).toEqual([1, 1, 2]);
  expect(widths([1, 1, 2], 7)).toEqual([2, 2, 3]);
  expect(widths([1, Infinity, 1], 2)).toEqual([1, 1, 2]);
});

test("a later tile fills the place before one that is too wide for it", () => {
  expect(fill(["wide", "one", "wide too", "two"], (name) => (name.startsWith("wide") ? 2 : 1), 3)).toEqual([
    { item: "wide", width: 2 },
    { item: "one", width: 1 },
    { item: "wide too", width: 2 },
    { item: "two", width: 1 },
  ]);
  const items = fill(["one", "wide", "two"], (name) => (name === "wide" ? 2 : 1), 2).map(({ item }) => item);
  expect(items).toEqual(["one", "two", "wide"]);
});

test("what is left over alone at the end is at most two columns wide, or as wide as it wants to be", () => {
  expect(widths([1], 4)).toEqual([2]);
  expect(widths([1], 1)).toEqual([1]);
  expect(widths([1, 1, 1, 1, 1], 4)).toEqual([1, 1, 1, 1, 2]);
  expect(widths([3], 4)).toEqual([3]);
  expect(widths([Infinity], 4)).toEqual([4]);
});

test("every row but that of a last tile alone is full, each tile is there once, and none is too narrow", () => {
  const some = fc.array(fc.constantFrom(1, 1, 2, Infinity), { maxLength: 40 });
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 8 }), (wanted, columns) => {
      const items = wanted.map((width, place) => ({ width, place }));
      const placed = fill(items, ({ width }) => width, columns);
      expect(placed.map(({ item }) => item.place).toSorted((a, b) => a - b)).toEqual(items.map(({ place }) => place));
      let column = 0;
      let inRow = 0;
      for (const { item, width } of placed) {
        expect(width).toBeGreaterThanOrEqual(Math.min(item.width, columns));
        column += width;
        expect(column).toBeLessThanOrEqual(columns);
        inRow += 1;
        if (column < columns) continue;
        column = 0;
        inRow = 0;
      }
      expect(inRow).toBeLessThanOrEqual(1);
    }),
  );
});
