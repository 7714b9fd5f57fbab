/** The last day of a number, as a line. */

import { measure } from "./format.ts";
import { type History, height, width } from "./history.ts";
import { say } from "./say.ts";
import type { Key } from "./thing.ts";

export function Sparkline({ history, of: { label, unit } }: { history: History; of: Key }) {
  const { least = 0, most = 0, line = "" } = history.drawn(performance.now()) ?? {};
  if (most === least) return null;
  const [from = "", to = ""] = [least, most].map((value) => measure(value, unit).join("\u00a0").trim());
  return (
    <svg
      class="spark"
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={say("plotted", label, from, to)}
    >
      <polyline points={line} />
    </svg>
  );
}
