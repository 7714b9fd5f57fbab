/** The control of a colour whose red, green and blue are keys of one noun or of three. */
import type { Channel, Colour } from "./arrange.ts";
import { say } from "./say.ts";

/** @returns the part of a channel, from 0 to 255. */
function levelOf({ view, key }: Channel): number {
  const value = view.valueOf(key);
  const { minimum = 0, maximum = 255 } = key;
  return typeof value === "number" ? Math.round(((value - minimum) / (maximum - minimum)) * 255) : 0;
}

/** Sends a colour: to each noun what is its, by one request. */
function send(channels: Colour, text: string): void {
  const levels = channels.map(levelOf);
  const values = channels.flatMap((channel, index) => {
    const { name, minimum = 0, maximum = 255, isInteger } = channel.key;
    const level = Number.parseInt(text.slice(1 + 2 * index, 3 + 2 * index), 16);
    const value = minimum + (level / 255) * (maximum - minimum);
    return level === levels[index] ? [] : [{ channel, name, value: isInteger ? Math.round(value) : value }];
  });
  for (const view of new Set(channels.map((channel) => channel.view))) {
    const own = values.filter(({ channel }) => channel.view === view);
    if (own.length > 0) view.setAll(own.map(({ name, value }) => [name, value]));
  }
}

/** In the order of their names. */
const swatches = ["#ffa757", "#ffffff", "#ff0000", "#00ff00", "#0000ff"];

export function ColourRow({ channels, labelledBy }: { channels: Colour; labelledBy: string }) {
  const levels = channels.map(levelOf);
  const text = `#${levels.map((level) => level.toString(16).padStart(2, "0")).join("")}`;
  return (
    <div class="row colours">
      <span class="unseen">{say("colour")}</span>
      <input
        type="color"
        aria-labelledby={labelledBy}
        value={text}
        onChange={({ currentTarget: { value } }) => send(channels, value)}
      />
      {swatches.map((swatch, index) => (
        <button
          key={swatch}
          type="button"
          class="square swatch"
          style={{ backgroundColor: swatch }}
          aria-label={say("swatches").split("|")[index]}
          aria-pressed={swatch === text}
          onClick={() => send(channels, swatch)}
        />
      ))}
    </div>
  );
}
