import fc from "fast-check";
import { expect, test } from "vitest";
import { History } from "../../../ts/page/history.ts";

const minute = 60_000;

function pointsOf(line: string): number[][] {
  return line.split(" ").map((point) => point.split(",").map(Number));
}

test("a line stays in its box, runs to the right edge, and has at most two points for each two seconds", () => {
  const changes = fc.array(fc.tuple(fc.nat(20_000), fc.double({ noNaN: true, min: -1e6, max: 1e6 })), { minLength: 1 });
  fc.assert(
    fc.property(changes, (steps) => {
      const history = new History();
      let time = 0;
      for (const [step, value] of steps) {
        time += step;
        history.add(time, value);
      }
      const points = pointsOf(history.line(time, 100, 20));
      let before = 0;
      for (const [x = Number.NaN, y = Number.NaN] of points) {
        expect(x >= before && x <= 100 && y >= 0 && y <= 20).toBe(true);
        before = x;
      }
      expect(before).toBe(100);
      expect(points.length).toBeLessThanOrEqual(2 * (300 / 2 + 4));
    }),
  );
});

test("what has not changed is a line half way up", () => {
  const history = new History();
  expect(history.line(0, 100, 20)).toBe("");
  history.add(0, 7);
  history.add(minute, 7);
  expect(new Set(pointsOf(history.line(minute, 100, 20)).map(([, y]) => y))).toEqual(new Set([10]));
  expect(history.range()).toBeUndefined();
});

test("after five minutes a value is forgotten", () => {
  const history = new History();
  history.add(0, 100);
  history.add(minute, 1);
  history.add(2 * minute, 2);
  expect(history.range()).toEqual([1, 100]);
  history.add(6.5 * minute, 2);
  expect(history.range()).toEqual([1, 2]);
});
