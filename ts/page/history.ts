/** The values of a number in the last day, for its plot and its sparkline: those of the device, and those since. */

/** The duration of one point that the page adds, and of all points, in ms. */
const pointTime = 60_000;
export const day = 86_400_000;

/** The device's clock counts as wrong if it differs by more, in ms. */
const wrongTime = 2 * 3_600_000;

/** The size of a picture. */
export const width = 300;
export const height = 90;

/** A value and its beginning, in ms on the page's clock. */
export interface Point {
  readonly time: number;
  readonly value: number;
}

/** The values of one number in the last day. */
export class History {
  private points: Point[] = [];

  /** Takes what the device has of a key. @param csv a line for each interval. @param origin the page's 0, since 1970. */
  load(csv: string, key: string, now: number, origin: number): void {
    const [titles = [], ...lines] = csv.split("\r\n").map((line) => line.split(","));
    const column = titles.indexOf(key);
    // A text with a comma would move the columns.
    const rows = lines.filter((fields) => column > 0 && fields.length === titles.length && fields[column] !== "");
    const times = rows.map(([time = ""]) => Date.parse(time) - origin);
    const [first = 0, second = first] = times;
    const late = now - (times.at(-1) ?? now);
    const shift = Math.abs(late) > wrongTime ? late : 0;
    let before = Number.NaN;
    const points = rows.flatMap((fields, index): Point[] => {
      const [last = 0, low = 0, high = 0] = fields.slice(column, column + 3).map(Number);
      const time = (times[index] ?? 0) + shift;
      // Nobody knows which came first; a value that falls was high before it was low.
      const isFalling = last < before;
      before = last;
      return [isFalling ? high : low, isFalling ? low : high, last].map((value, part) => ({
        time: Math.min(time + ((second - first) * part) / 3, now),
        value,
      }));
    });
    if (points.length > 0) this.points = points;
  }

  add(time: number, value: number): void {
    const { points } = this;
    const before = points.at(-2);
    // Within the time of one point the last value counts.
    if (before !== undefined && time - before.time < pointTime) points.pop();
    points.push({ time, value });
    // One point from before the window gives the value at its beginning.
    while (points[1] !== undefined && points[1].time < time - day) points.shift();
  }

  /** @returns the points of the last `span` ms, and one from before. */
  window(now: number, span: number): readonly Point[] {
    const { points } = this;
    let first = Math.max(points.length - 1, 0);
    while (first > 0 && (points[first]?.time ?? 0) >= now - span) first -= 1;
    return points.slice(first);
  }

  /** @returns the value at a moment; NaN before the first one. */
  at(moment: number): number {
    return this.window(moment + 1, 0)[0]?.value ?? Number.NaN;
  }

  /** @returns when the value became larger last; undefined if nobody knows. */
  get risen(): number | undefined {
    const { points } = this;
    return points.filter(({ value }, place) => value > (points[place - 1]?.value ?? Infinity)).at(-1)?.time;
  }

  /**
   * @returns how the last `span` ms are drawn, `from` the moment at the left: points from 0, 0 at the upper left to
   *   `width`, `height`, at half the height without a change. Undefined before the first value.
   */
  drawn(now: number, span = day) {
    const points = this.window(now, span);
    const [first] = points;
    if (first === undefined) return undefined;
    const values = points.map(({ value }) => value);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const from = Math.max(first.time, now - span);
    const time = Math.max(now - from, 1);
    const x = (at: number) => (((Math.max(at, from) - from) / time) * width).toFixed(1);
    const y = (value: number) =>
      (most > least ? height - ((value - least) / (most - least)) * height : height / 2).toFixed(1);
    const steps = points.map((point, index) => {
      const before = points[index - 1];
      return `${before === undefined ? "" : `${x(point.time)},${y(before.value)} `}${x(point.time)},${y(point.value)}`;
    });
    return { from, least, most, line: `${steps.join(" ")} ${width},${y(points.at(-1)?.value ?? 0)}` };
  }

  /** @returns when the value was first one of the last `span` ms. */
  whenOf(value: number, now: number, span: number): number {
    return Math.max(this.window(now, span).find((point) => point.value === value)?.time ?? now, now - span);
  }
}
