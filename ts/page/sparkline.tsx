/** The last minutes of a number, as a line. */

import { measure } from "./format.ts";
import type { History } from "./history.ts";
import { say } from "./say.ts";
import type { Key } from "./thing.ts";

const width = 120;
const height = 28;

export function Sparkline({ history, of: { label, unit } }: { history: History; of: Key }) {
  const range = history.range();
  if (range === undefined) return null;
  const [from = "", to = ""] = range.map((value) => measure(value, unit).join("\u00a0").trim());
  const line = history.line(performance.now(), width, height);
  return (
    <svg
      class="spark"
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={say("trend", label, from, to)}
    >
      <polygon points={`0,${height + 2} ${line} ${width},${height + 2}`} />
      <polyline points={line} />
    </svg>
  );
}
