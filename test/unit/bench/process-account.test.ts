import { expect, test } from "vitest";
import { childTime, processorTime, residentBytes, residentMemory, runTime } from "../../bench/process-account.ts";

test("a thread's time on a processor is the first number of its schedstat", () => {
  expect(runTime("372816480 498055833 3690\n")).toBe(372_816_480);
});

test("the time of children is found behind a name with spaces and parentheses", () => {
  const stat = "12 (a ) b (c) S 1 12 12 0 -1 4194304 100 200 0 0 5 6 70 30 20 0 1 0 100 1000 50";
  expect(childTime(stat)).toBe(1_000_000_000);
});

test("resident memory is in bytes", () => {
  expect(residentBytes("55d1a728f000-7fff5628f000 ---p 0 00:00 0  [rollup]\nRss:      1824 kB\nPss:  331 kB\n")).toBe(
    1_867_776,
  );
});

test("a process can be asked about, and its time only grows", () => {
  const before = processorTime(process.pid);
  while (processorTime(process.pid) === before);
  expect(processorTime(process.pid)).toBeGreaterThan(before);
  expect(residentMemory(process.pid)).toBeGreaterThan(1e6);
});
