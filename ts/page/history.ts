/** The values of a number in the last minutes, for its sparkline. */

/** The duration of one point and of all points, in ms. */
const pointTime = 2_000;
const wholeTime = 300_000;

/** A value and its beginning, in ms on any clock. */
interface Point {
  readonly time: number;
  readonly value: number;
}

/** The values of one number in the last minutes. */
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

  /** @returns the smallest and the largest value; undefined before there are two of them. */
  range(): readonly [number, number] | undefined {
    const values = this.points.map(({ value }) => value);
    const range = [Math.min(...values), Math.max(...values)] as const;
    return range[0] < range[1] ? range : undefined;
  }

  /** @returns the points from 0, 0 at the upper left to `width`, `height`; at half the height without a change. */
  line(now: number, width: number, height: number): string {
    const first = this.points[0];
    if (first === undefined) return "";
    const [low, high] = this.range() ?? [first.value - 1, first.value + 1];
    const from = Math.max(first.time, now - wholeTime);
    const span = Math.max(now - from, 1);
    const x = (time: number) => (((Math.max(time, from) - from) / span) * width).toFixed(1);
    const y = (value: number) => (height - ((value - low) / (high - low)) * height).toFixed(1);
    const steps = this.points.map(({ time, value }, index) => {
      const before = this.points[index - 1];
      return `${before === undefined ? "" : `${x(time)},${y(before.value)} `}${x(time)},${y(value)}`;
    });
    return `${steps.join(" ")} ${width},${y(this.points.at(-1)?.value ?? low)}`;
  }
}
