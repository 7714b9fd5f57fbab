/** The last failures, of the lines that the device lists. */
import { expect, test } from "vitest";
import { failuresIn } from "../../../ts/page/lists.ts";

const line = (of: object, failure: string | null, times?: number) =>
  `${JSON.stringify({ time: "2026-11-24T03:00:12.345Z", ...of, failure, times })}\n`;

test("the last failure comes first, as a sentence", () => {
  const change = '{"noun":"cellar","state":null,"by":"device"}\n';
  const text =
    line({ noun: "cellar" }, "cannot read w1: the device is gone") + change + line({ of: "mqtt" }, "it is broken!", 3);
  expect(failuresIn(text).map(({ of, text, times }) => [of, text, times])).toEqual([
    ["mqtt", "It is broken!", 3],
    ["cellar", "Cannot read w1: the device is gone.", 1],
  ]);
});

test("what is no line of failures is left out, and a client that may not read them sees none", () => {
  expect([failuresIn(`<html>\n[1]\n${line({ noun: "a" }, null)}`), failuresIn(undefined)]).toEqual([[], []]);
});
