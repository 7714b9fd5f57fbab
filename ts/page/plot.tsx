/** The line of a number: small on its tile, and with axes and the value that a person points at in its detail. */

import { Component } from "./dom/component.ts";
import { dayAndTime, timeOfDay, withUnit } from "./format.ts";
import { day, type History, height, width } from "./history.ts";
import { readDocument } from "./http-client.ts";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";
import type { Key } from "./thing.ts";

/** A line at the top or at the bottom is as thick as another. */
const viewBox = `0 -2 ${width} ${height + 4}`;

/** ms after which the browser has taken a file. */
const saveTime = 10_000;

/** @returns what the plot can show, in ms until a moment. */
function spansUntil(now: number): readonly (readonly [string, number])[] {
  const midnight = new Date().setHours(0, 0, 0, 0) - performance.timeOrigin;
  return [
    ["24 h", day],
    [say("today"), now - midnight],
    ["1 h", day / 24],
  ];
}

interface Props {
  readonly view: NounView;
  readonly of: Key;
}

interface Shown {
  /** The place of what is shown among what can be. */
  readonly span: number;
  /** Where a person points, from 0 to 1. */
  readonly at: number;
}

export class Plot extends Component<Props, Shown> {
  override state = { span: 0, at: 1 };

  render({ view, of: { name, label, unit } }: Props, { span, at }: Shown) {
    const history = view.history(name);
    const now = performance.now();
    const origin = performance.timeOrigin;
    const spans = spansUntil(now);
    const [, time = day] = spans[span] ?? [];
    const drawn = history.drawn(now, time);
    if (drawn === undefined) return null;
    const { from, least, most, line } = drawn;
    const written = (value: number) => withUnit(value, unit);
    const whenOf = (value: number) => dayAndTime(origin + history.whenOf(value, now, time));
    const moment = from + at * (now - from);
    const pointed = `${dayAndTime(origin + moment)}: ${written(history.at(moment))}`;
    return (
      <figure class="plot">
        <div class="spans">
          <output>{pointed}</output>
          {spans.map(([text], place) => (
            <button
              key={text}
              type="button"
              aria-pressed={span === place}
              onClick={() => this.setState({ span: place })}
            >
              {text}
            </button>
          ))}
        </div>
        <div class="axes">
          <span>{written(most)}</span>
          <span>{most > least && written(least)}</span>
          <input
            type="range"
            min={0}
            max={1}
            step={0.005}
            value={at}
            aria-label={say("plotted", label, written(least), written(most))}
            aria-valuetext={pointed}
            onInput={({ currentTarget: { value } }) => this.setState({ at: Number(value) })}
            onPointermove={({ offsetX, currentTarget: { clientWidth } }) =>
              this.setState({ at: Math.min(Math.max(offsetX / clientWidth, 0), 1) })
            }
          />
          <svg viewBox={viewBox} preserveAspectRatio="none" aria-hidden={true}>
            <path
              class="grid"
              d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}M75 0V90M150 0V90M225 0V90`}
            />
            <polyline points={line} />
            <path d={`M${at * width} 0V${height}`} />
          </svg>
          <p>
            {[0, 1, 2, 3].map((part) => (
              <span key={part}>{timeOfDay(origin + from + (part / 4) * (now - from))}</span>
            ))}
          </p>
        </div>
        <figcaption>
          {say("least", written(least), whenOf(least))}, {say("most", written(most), whenOf(most))}
        </figcaption>
      </figure>
    );
  }
}

/** Gives the last day as a file for spreadsheets. */
export function SaveDay({ view: { noun } }: { view: NounView }) {
  const save = async () => {
    const text = await readDocument(`/${encodeURIComponent(noun.name)}`, "text/csv");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text ?? ""], { type: "text/csv" }));
    link.download = `${noun.name}-${new Date().toISOString().slice(0, 10)}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), saveTime);
  };
  return (
    <button type="button" onClick={() => void save()}>
      {say("saveDay")}
    </button>
  );
}

/** The lowest and the highest value of the last day. */
export function Range({ history }: { history: History }) {
  const { least = 0, most = 0 } = history.drawn(performance.now()) ?? {};
  if (most === least) return null;
  return (
    <span class="range" aria-hidden={true}>
      {`24 h: ${withUnit(least, undefined)} – ${withUnit(most, undefined)}`}
    </span>
  );
}

/** The last day of a number, as a line. */
export function Sparkline({ history, of: { label, unit } }: { history: History; of: Key }) {
  const { least = 0, most = 0, line = "" } = history.drawn(performance.now()) ?? {};
  if (most === least) return null;
  return (
    <svg
      class="spark"
      viewBox={viewBox}
      preserveAspectRatio="none"
      role="img"
      aria-label={say("plotted", label, withUnit(least, unit), withUnit(most, unit))}
    >
      <polyline points={line} />
    </svg>
  );
}
