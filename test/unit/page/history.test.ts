import fc from "fast-check";
import { expect, test } from "vitest";
import { History, height, width } from "../../../ts/page/history.ts";

const minute = 60_000;

function pointsOf(line: string): number[][] {
  return line.split(" ").map((point) => point.split(",").map(Number));
}

test("a line stays in its box, runs to the right edge, and has at most two points for each minute", () => {
  const changes = fc.array(fc.tuple(fc.nat(20_000), fc.double({ noNaN: true, min: -1e6, max: 1e6 })), { minLength: 1 });
  fc.assert(
    fc.property(changes, (steps) => {
      const history = new History();
      let time = 0;
      for (const [step, value] of steps) {
        time += step;
        history.add(time, value);
      }
      const points = pointsOf(history.drawn(time)?.line ?? "");
      let before = 0;
      for (const [x = Number.NaN, y = Number.NaN] of points) {
        expect(x >= before && x <= width && y >= 0 && y <= height).toBe(true);
        before = x;
      }
      expect(before).toBe(width);
      expect(points.length).toBeLessThanOrEqual(2 * (24 * 60 + 4));
    }),
  );
});

test("what has not changed is a line half way up", () => {
  const history = new History();
  expect(history.drawn(0)).toBeUndefined();
  history.add(0, 7);
  history.add(minute, 7);
  const { line, least, most } = history.drawn(minute) ?? expect.fail();
  expect(new Set(pointsOf(line).map(([, y]) => y))).toEqual(new Set([height / 2]));
  expect([least, most]).toEqual([7, 7]);
});

test("after a day a value is forgotten, and in an hour's picture after an hour", () => {
  const history = new History();
  history.add(0, 100);
  history.add(minute, 1);
  history.add(2 * minute, 2);
  expect(history.drawn(2 * minute)).toMatchObject({ from: 0, least: 1, most: 100 });
  expect(history.drawn(62.5 * minute, 60 * minute)).toMatchObject({ from: 2.5 * minute, least: 2, most: 2 });
  const now = 24 * 60 * minute + 1.5 * minute;
  history.add(now, 2);
  expect(history.drawn(now)).toMatchObject({ least: 1, most: 2 });
  expect(history.whenOf(2, now, 24 * 60 * minute)).toBe(2 * minute);
});

const csv = [
  "time,mode,mode min,mode max,celsius,celsius min,celsius max",
  "2026-11-24T03:00:00Z,a,a,b,7.5,7,8",
  "2026-11-24T03:05:00Z,a,a,a,,,",
  '2026-11-24T03:06:00Z,"x,y",a,a,50,50,50',
  "2026-11-24T03:10:00Z,z,z,z,9,9,9",
  "",
].join("\r\n");
const begin = Date.UTC(2026, 10, 24, 3);

test("what the device has of a key is read from CSV: the smallest, the largest and the last value", () => {
  const history = new History();
  history.load(csv, "celsius", 12 * minute, begin);
  expect(history.window(12 * minute, 60 * minute).map(({ value }) => value)).toEqual([7, 8, 7.5, 9, 9, 9]);
  expect([history.at(0), history.at(9 * minute), history.at(11 * minute)]).toEqual([7, 7.5, 9]);
  history.add(13 * minute, 4);
  expect([history.at(12 * minute), history.at(13 * minute)]).toEqual([9, 4]);
});

test("a value that falls was high before it was low", () => {
  const history = new History();
  const fallen = csv
    .replace("9,9,9", "7,7,9")
    .replace("7.5,7,8", "9,9,9")
    .replace(/.*50.*\r\n/, "");
  history.load(fallen, "celsius", 12 * minute, begin);
  expect(history.window(12 * minute, 60 * minute).map(({ value }) => value)).toEqual([9, 9, 9, 9, 7, 7]);
});

test("the state of a device without a history, and a key that it does not have, leave what the page has", () => {
  const history = new History();
  history.add(0, 5);
  for (const text of ["", '{"celsius":7}', csv]) history.load(text, "percent", minute, begin);
  expect(history.at(minute)).toBe(5);
});

test("a device whose clock is wrong has its last value now", () => {
  const history = new History();
  history.load(csv, "celsius", 12 * minute, begin + 1_000 * 60 * minute);
  expect(history.at(12 * minute)).toBe(9);
  expect(history.at(minute)).toBe(7);
});
