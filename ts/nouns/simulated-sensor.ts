/**
 * The noun beside a simulated sensor that moves it: PUT and POST say what the sensor reads, null that it is absent, DELETE goes back to
 * the first state.
 */
import { defineNoun } from "../noun/define-noun.ts";
import type { Noun } from "../noun/noun.ts";
import type { Key } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import type { Sensor } from "./sensor.ts";

/** @returns the declaration of a key without its being read-only, and without the range that the sensor itself keeps. */
function settable(key: Key): Key {
  const { readOnly: _, ...rest } = key;
  return rest;
}

/**
 * Puts the sensor's files on the simulated device.
 * @param texts the files there are, by path.
 */
export function simulateSensor({ shape, initial, filesOf }: Sensor, texts: Map<string, string>): Noun {
  let state: State = initial;

  function move(to: State): void {
    state = to;
    for (const [path, text] of Object.entries(filesOf(to))) {
      if (text === undefined) texts.delete(path);
      else texts.set(path, text);
    }
  }

  move(initial);
  return defineNoun({
    shape: Object.fromEntries(Object.entries(shape).map(([key, declared]) => [key, settable(declared)])),
    default: initial as never,
    get: () => state as never,
    set: (to) => move(to as unknown as State),
  });
}
