/** The last hour of a number, with its axes and its values. */

import { measure } from "./format.ts";
import { type History, wholeTime } from "./history.ts";
import { say } from "./say.ts";
import type { Key } from "./thing.ts";

const width = 300;
const height = 90;

/** @returns the time of day of a moment, in ms on the page's clock. */
function timeOfDay(moment: number): string {
  const options = { hour: "2-digit", minute: "2-digit" } as const;
  return new Date(performance.timeOrigin + moment).toLocaleTimeString(undefined, options);
}

export function Plot({ history, of: { label, unit } }: { history: History; of: Key }) {
  const now = performance.now();
  const points = history.window(now, wholeTime);
  const [first] = points;
  if (first === undefined) return null;
  const values = points.map(({ value }) => value);
  const written = (value: number) => measure(value, unit).join("\u00a0").trim();
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const whenOf = (value: number) => timeOfDay(Math.max(points.find((point) => point.value === value)?.time ?? now, 0));
  const from = Math.max(first.time, now - wholeTime);
  const line = history.line(now, width, height, wholeTime);
  return (
    <figure class="plot">
      <div class="axes">
        <span>{written(most)}</span>
        <span>{most > least && written(least)}</span>
        <svg
          viewBox={`0 -2 ${width} ${height + 4}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={say("plotted", label, written(least), written(most))}
        >
          <path class="grid" d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`} />
          <polyline points={line} />
        </svg>
        <span>{timeOfDay(from)}</span>
        <span>{timeOfDay((from + now) / 2)}</span>
        <span>{timeOfDay(now)}</span>
      </div>
      <figcaption>
        {`${say("least", written(least), whenOf(least))}, ${say("most", written(most), whenOf(most))}. `}
        {say("plotKept", timeOfDay(from))}
      </figcaption>
    </figure>
  );
}
