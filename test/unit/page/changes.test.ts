/** Who changed a noun, of the lines that the device lists. */
import { expect, test } from "vitest";
import { changesIn, metricIn, undoOf } from "../../../ts/page/lists.ts";

const line = (noun: string, second: number, state: object | null, by: string) =>
  `${JSON.stringify({ time: `2026-11-24T03:00:${second}.345Z`, noun, state, by })}\n`;

test("the last changes of the noun come first, and no others", () => {
  const text =
    line("pump", 12, { on: 1 }, "rule frost") +
    line("lamp", 20, {}, "broker") +
    '{"noun":"pump","failure":"it is stuck"}\n' +
    line("pump", 42, null, "lease");
  expect(changesIn(text, "pump").map(({ state, by }) => [state, by])).toEqual([
    [null, "lease"],
    [{ on: 1 }, "rule frost"],
  ]);
});

test("each change has the state from before, if the device still lists it", () => {
  const text = line("pump", 12, { on: 1 }, "a") + line("pump", 20, null, "b") + line("pump", 42, { on: 0 }, "c");
  expect(changesIn(text, "pump").map(({ before }) => before)).toEqual([null, { on: 1 }, null]);
});

test("an undo leaves what the change has not changed, and so what others have changed since", () => {
  const text =
    line("target", 12, { target: 21, mode: "eco" }, "a") +
    line("target", 20, { target: 27, mode: "eco" }, "b") +
    line("target", 42, { target: 27, mode: "full" }, "c");
  expect(changesIn(text, "target").map(undoOf)).toEqual([{ mode: "eco" }, { target: 21 }, {}]);
});

test("what is no line of changes is left out", () => {
  expect(changesIn("<html>\n{}\n[1]\n", "pump")).toEqual([]);
});

test("a metric is found by its whole name", () => {
  const metrics = "# HELP start x\nnound_start 5\nstart 1764115200.5\n";
  expect([metricIn(metrics, "start"), metricIn(metrics, "other")]).toEqual([1_764_115_200.5, undefined]);
});
