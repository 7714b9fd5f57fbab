/** The control of a colour whose red, green and blue are keys of one noun or of three. */
import type { Channel, Colour } from "./arrange.ts";
import { say } from "./say.ts";

/** @returns the part of a channel, from 0 to 255. */
function levelOf({ view, key }: Channel): number {
  const value = view.valueOf(key);
  const { minimum = 0, maximum = 255 } = key;
  return typeof value === "number" ? Math.round(((value - minimum) / (maximum - minimum)) * 255) : 0;
}

function send({ view, key }: Channel, level: number): void {
  const { name, minimum = 0, maximum = 255, isInteger } = key;
  const value = minimum + (level / 255) * (maximum - minimum);
  view.set(name, isInteger ? Math.round(value) : value);
}

export function ColourRow({ channels, labelledBy }: { channels: Colour; labelledBy: string }) {
  const levels = channels.map(levelOf);
  const text = `#${levels.map((level) => level.toString(16).padStart(2, "0")).join("")}`;
  return (
    <div class="row">
      <span class="label">{say("colour")}</span>
      <input
        type="color"
        aria-labelledby={labelledBy}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          for (const [index, channel] of channels.entries()) {
            const level = Number.parseInt(value.slice(1 + 2 * index, 3 + 2 * index), 16);
            if (level !== levels[index]) send(channel, level);
          }
        }}
      />
    </div>
  );
}
