import { expect, test } from "vitest";
import { KeptFailures } from "../../../ts/platform/kept-failures.ts";

test("a failure is kept with its time, without its stack", () => {
  const kept = new KeptFailures();
  kept.add("cellar", "Error: the device is gone < at read (sensor.js:3)", 1_000);
  expect(kept.list(0)).toMatchObject([{ time: 1_000, of: "cellar", text: "the device is gone", times: 1 }]);
});

test("a failure that occurs again is counted, and is the last one", () => {
  const kept = new KeptFailures();
  for (const [time, of] of ["a", "b", "a"].entries()) kept.add(of, "TypeError: broken", time);
  expect(kept.list(0).map(({ of, text, times }) => [of, text, times])).toEqual([
    ["b", "TypeError: broken", 1],
    ["a", "TypeError: broken", 2],
  ]);
  expect(kept.lastText).toBe("a: TypeError: broken");
});

test("the newest sixteen are kept, each of at most 200 characters", () => {
  const kept = new KeptFailures();
  expect(kept.lastText).toBe("");
  for (let count = 1; count <= 20; count++) kept.add(`n${count}`, "x".repeat(300), count);
  const failures = kept.list(0);
  expect(failures.map(({ of }) => of)).toEqual(Array.from({ length: 16 }, (_, index) => `n${index + 5}`));
  expect(new Set(failures.map(({ text }) => text.length))).toEqual(new Set([200]));
});

test("listeners are told of a failure at once, and of one that goes on at most once a minute", () => {
  const kept = new KeptFailures();
  let seen = 0;
  const told: string[] = [];
  const stop = kept.listen(() => {
    told.push(...kept.list(seen).map(({ of, times }) => `${of} ${times}`));
    seen = kept.last;
  });
  for (let second = 0; second < 120; second++) {
    kept.add("a", "broken", second * 1_000);
    if (second === 30) kept.add("b", "broken", second * 1_000);
  }
  stop();
  kept.add("c", "broken", 120_000);
  expect(told).toEqual(["a 1", "b 1", "a 61"]);
});
