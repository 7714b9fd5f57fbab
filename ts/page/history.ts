/** The values of a number in the last hour, for its plot and its sparkline. */

/** The duration of one point, of all points, and of those of a sparkline, in ms. */
const pointTime = 2_000;
export const wholeTime = 3_600_000;
export const sparkTime = 300_000;

/** A value and its beginning, in ms on any clock. */
export interface Point {
  readonly time: number;
  readonly value: number;
}

/** The values of one number in the last hour. */
export class History {
  private points: Point[] = [];

  add(time: number, value: number): void {
    const { points } = this;
    const before = points.at(-2);
    // Within the time of one point the last value counts.
    if (before !== undefined && time - before.time < pointTime) points.pop();
    points.push({ time, value });
    // One point from before the window gives the value at its beginning.
    while (points[1] !== undefined && points[1].time < time - wholeTime) points.shift();
  }

  /** @returns the points of the last `span` ms, and one from before. */
  window(now: number, span: number): readonly Point[] {
    const { points } = this;
    let first = Math.max(points.length - 1, 0);
    while (first > 0 && (points[first]?.time ?? 0) >= now - span) first -= 1;
    return points.slice(first);
  }

  /** @returns the smallest and the largest value in `span` ms; undefined before there are two of them. */
  range(span = sparkTime, now = this.points.at(-1)?.time ?? 0): readonly [number, number] | undefined {
    const values = this.window(now, span).map(({ value }) => value);
    const range = [Math.min(...values), Math.max(...values)] as const;
    return range[0] < range[1] ? range : undefined;
  }

  /** @returns the points from 0, 0 at the upper left to `width`, `height`; at half the height without a change. */
  line(now: number, width: number, height: number, span = sparkTime): string {
    const points = this.window(now, span);
    const [first] = points;
    if (first === undefined) return "";
    const [low, high] = this.range(span, now) ?? [first.value - 1, first.value + 1];
    const from = Math.max(first.time, now - span);
    const time = Math.max(now - from, 1);
    const x = (at: number) => (((Math.max(at, from) - from) / time) * width).toFixed(1);
    const y = (value: number) => (height - ((value - low) / (high - low)) * height).toFixed(1);
    const steps = points.map((point, index) => {
      const before = points[index - 1];
      return `${before === undefined ? "" : `${x(point.time)},${y(before.value)} `}${x(point.time)},${y(point.value)}`;
    });
    return `${steps.join(" ")} ${width},${y(points.at(-1)?.value ?? low)}`;
  }
}
