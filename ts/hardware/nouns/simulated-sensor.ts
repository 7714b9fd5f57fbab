/**
 * The noun that sets a simulated sensor. PUT and POST set what the sensor reads; null makes it absent. DELETE returns
 * to the first state.
 */
import type { Noun } from "../../core/noun/noun.ts";
import type { Key } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import type { Sensor } from "./sensor.ts";
import { ValueNoun } from "./value-noun.ts";

/** By unit, the range in which Home Assistant sets a sensor: that of usual ones. Requests may set more. */
const ranges: { readonly [unit: string]: { readonly min: number; readonly max: number } } = {
  Cel: { min: -55, max: 125 },
  "%": { min: 0, max: 100 },
};

/** @returns the declaration of a key, but nullable, not read-only, and without the range that the sensor enforces. */
function settable(key: Key): Key {
  const { readOnly: _, diagnostic: __, ...rest } = key;
  return {
    ...rest,
    nullable: true,
    homeAssistant: { ...key.homeAssistant, ...ranges[key.unit ?? ""], entity_category: "config" },
  };
}

/**
 * Puts the sensor's files on the simulated device.
 * @param texts the contents of the files, by path.
 */
export function simulateSensor({ shape, initial, faults, filesOf }: Sensor, texts: Map<string, string>): Noun {
  function move(state: State): State {
    for (const [path, text] of Object.entries(filesOf(state))) {
      if (text === undefined) texts.delete(path);
      else texts.set(path, text);
    }
    return state;
  }

  // Files that a test or another noun has made are not replaced.
  for (const [path, text] of Object.entries(filesOf(initial))) {
    if (text !== undefined && !texts.has(path)) texts.set(path, text);
  }
  const measured = Object.entries(shape).filter(([key]) => Object.hasOwn(initial, key));
  const keys = Object.fromEntries(measured.map(([key, declared]) => [key, settable(declared)]));
  const fault = faults && {
    fault: {
      type: "choice",
      values: ["none", ...faults],
      optional: true,
      homeAssistant: { entity_category: "config" },
    } as const,
  };
  const all = { ...keys, ...fault };
  const held = new ValueNoun({ shape: all, default: initial });
  return {
    shape: all,
    getState: () => held.getState(),
    setState: (state) => move(held.setState(state)),
    updateState: (change) => move(held.updateState(change)),
    deleteState: () => move(held.deleteState()),
    watch: (changed) => held.watch(changed),
  };
}
