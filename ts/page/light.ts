/** A light of three channels: its colour, its brightness, and whether it is on. Levels are from 0 to 255. */
import type { Channel, Colour } from "./arrange.ts";
import type { NounView } from "./noun-view.ts";

/** By its first noun, the last colour of a light that was not black, as exactly as a person has chosen it. */
const colours = new WeakMap<NounView, readonly number[]>();

const white = [255, 255, 255];

/** The largest difference between a level and the step of a channel that is nearest to it. */
const stepOfChannel = 2;

function levelOf({ view, key }: Channel): number {
  const value = view.valueOf(key);
  const { minimum = 0, maximum = 255 } = key;
  return typeof value === "number" ? ((value - minimum) / (maximum - minimum)) * 255 : 0;
}

export function levelsOf(channels: Colour): readonly number[] {
  return channels.map(levelOf);
}

/** @returns the colour of a light, or that which it had before it went off; white if nobody knows. */
function colourOf(channels: Colour): readonly number[] {
  const [{ view }] = channels;
  const levels = levelsOf(channels);
  const kept = colours.get(view);
  // The steps of a channel would change the hue of a light that is nearly off.
  const isKept = kept?.every((level, index) => Math.abs(level - (levels[index] ?? 0)) < stepOfChannel);
  if (!isKept && Math.max(...levels) > 0) colours.set(view, levels);
  return colours.get(view) ?? white;
}

/** Sends levels: to each noun what is its, by one request. */
export function setLevels(channels: Colour, levels: readonly number[]): void {
  const values = channels.flatMap((channel, index) => {
    const { name, minimum = 0, maximum = 255, isInteger } = channel.key;
    const level = levels[index] ?? 0;
    const value = minimum + (level / 255) * (maximum - minimum);
    if (Math.round(level) === Math.round(levelOf(channel))) return [];
    return [{ view: channel.view, name, value: isInteger ? Math.round(value) : value }];
  });
  for (const view of new Set(channels.map((channel) => channel.view))) {
    const own = values.filter((one) => one.view === view);
    if (own.length > 0) view.setAll(own.map(({ name, value }) => [name, value]));
  }
}

/** @returns the brightness of a light in percent. */
export function brightnessOf(channels: Colour): number {
  colourOf(channels);
  return Math.round(Math.max(...levelsOf(channels)) / 2.55);
}

export function setBrightness(channels: Colour, percent: number): void {
  const colour = colourOf(channels);
  const levels = colour.map((level) => (level * percent * 255) / (100 * Math.max(...colour)));
  if (percent > 0) colours.set(channels[0].view, levels);
  setLevels(channels, levels);
}

/** Switches a light off, or on with the colour that it had. */
export function setPower(channels: Colour, isOn: boolean): void {
  const colour = colourOf(channels);
  setLevels(channels, isOn ? colour : [0, 0, 0]);
}
