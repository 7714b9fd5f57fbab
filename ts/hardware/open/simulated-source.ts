/**
 * A noun that sets simulated hardware which another noun only reads: the finger on the button, the voltage at the
 * converter.
 *
 *     const pin = gpio.pin({ name: "GPIO27" });
 *     const write = (level) => pin.drive(level === 1 ? 1 : 0);
 *     addSource("button", simulatedSource({ key: "button", maximum: 1, read: () => pin.voltage, write }));
 */
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import type { Noun } from "../../core/noun/noun.ts";
import type { Key } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { SteadyState } from "../../core/noun/steady-state.ts";

interface SimulatedSourceOptions {
  /** The one key of the state. */
  readonly key: string;
  /** The largest value; the smallest is 0. */
  readonly maximum: number;
  read(): number;
  write(value: number): void;
}

/** PUT sets the hardware's value. POST sets 0, or the maximum if it is 0. DELETE sets the first value. */
export function simulatedSource({ key, maximum, read, write }: SimulatedSourceOptions): Noun {
  const listeners = new ChangeListeners();
  const steady = new SteadyState([key]);
  const first = read();
  // What moves the simulation is no part of a room.
  const homeAssistant = { entity_category: "config" };
  const range: Key = maximum === 1 ? { type: "choice", values: [0, 1] } : { type: "integer", minimum: 0, maximum };
  const getState = () => steady.of({ [key]: read() });
  const set = (value: number): State => {
    write(value);
    listeners.tell();
    return getState();
  };
  return {
    shape: { [key]: { ...range, homeAssistant } },
    getState,
    setState: (state) => set(Number(state[key])),
    updateState: () => set(read() === 0 ? maximum : 0),
    deleteState: () => set(first),
    watch: (changed) => listeners.add(changed),
  };
}
