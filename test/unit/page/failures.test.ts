/** The last failures, of the lines that the device lists. */
import { expect, test } from "vitest";
import { failuresIn } from "../../../ts/page/lists.ts";

const line = (of: string, text: string, times = 1) =>
  `${JSON.stringify({ time: "2026-11-24T03:00:12.345Z", of, text, times })}\n`;

test("the last failure comes first, as a sentence", () => {
  const text = line("cellar", "cannot read w1: the device is gone") + line("system", "it is broken!", 3);
  expect(failuresIn(text).map(({ of, text, times }) => [of, text, times])).toEqual([
    ["system", "It is broken!", 3],
    ["cellar", "Cannot read w1: the device is gone.", 1],
  ]);
});

test("what is no line of failures is left out, and a client that may not read them sees none", () => {
  expect([failuresIn("<html>\n[1]\n"), failuresIn(undefined)]).toEqual([[], []]);
});
