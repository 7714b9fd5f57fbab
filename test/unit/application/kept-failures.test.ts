import { expect, test } from "vitest";
import { KeptFailures } from "../../../ts/platform/kept-failures.ts";

const parsed = (kept: KeptFailures, wall = 0, now = 0) => kept.lines(wall, now).map((line) => JSON.parse(line));

test("a failure is one line, with the time on the wall's clock of now, and without its stack", () => {
  const kept = new KeptFailures();
  kept.add("cellar", "Error: the device is gone < at read (sensor.js:3)", 1_000);
  // The clock on the wall was set meanwhile.
  expect(parsed(kept, Date.parse("2026-11-24T03:00:09.000Z"), 10_000)).toEqual([
    { time: "2026-11-24T03:00:00.000Z", of: "cellar", text: "the device is gone", times: 1 },
  ]);
});

test("a failure that occurs again is counted, and is the last one", () => {
  const kept = new KeptFailures();
  for (const [time, of] of ["a", "b", "a"].entries()) kept.add(of, "TypeError: broken", time);
  expect(parsed(kept).map(({ of, text, times }) => [of, text, times])).toEqual([
    ["b", "TypeError: broken", 1],
    ["a", "TypeError: broken", 2],
  ]);
  expect(kept.last).toBe("a: TypeError: broken");
});

test("the newest sixteen are kept, each of at most 200 characters", () => {
  const kept = new KeptFailures();
  expect(kept.last).toBe("");
  for (let count = 1; count <= 20; count++) kept.add(`n${count}`, "x".repeat(300), count);
  const lines = parsed(kept);
  expect(lines.map(({ of }) => of)).toEqual(Array.from({ length: 16 }, (_, index) => `n${index + 5}`));
  expect(new Set(lines.map(({ text }) => text.length))).toEqual(new Set([200]));
});

test("hostile texts stay one line of JSON", () => {
  const kept = new KeptFailures();
  kept.add('a"\u0000', '\u001b]0;title\u0007 "\\ \u202e', 0);
  expect(kept.lines(0, 0)).toHaveLength(1);
  expect(kept.lines(0, 0)[0]).not.toMatch(/[\u0000-\u001f]/);
  expect(parsed(kept)).toMatchObject([{ of: 'a"\u0000', text: '\u001b]0;title\u0007 "\\ \u202e' }]);
});
