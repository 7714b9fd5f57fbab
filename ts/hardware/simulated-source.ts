/**
 * A noun that sets simulated hardware which another noun only reads: the finger on the button, the voltage at the
 * converter.
 *
 *     const pin = gpio.pin({ name: "GPIO27" });
 *     const write = (level) => pin.drive(level === 1 ? 1 : 0);
 *     const options = { key: "button", maximum: 1, read: () => pin.voltage, write };
 *     server.register("simulated.button", new SimulatedSource(options));
 */
import { addSource } from "../application/simulated-sources.ts";
import { ChangeListeners } from "../noun/change-listeners.ts";
import type { Noun } from "../noun/noun.ts";
import type { Shape } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { SteadyState } from "../noun/steady-state.ts";

export interface SimulatedSourceOptions {
  /** The one key of the state. */
  readonly key: string;
  /** The largest value; the smallest is 0. */
  readonly maximum: number;
  read(): number;
  write(value: number): void;
}

/** PUT sets the hardware's value. POST sets 0, or the maximum if it is 0. DELETE sets the first value. */
export class SimulatedSource implements Noun {
  readonly shape: Shape;
  private readonly listeners = new ChangeListeners();
  private readonly options: SimulatedSourceOptions;
  private readonly first: number;
  private readonly steady: SteadyState;

  constructor(options: SimulatedSourceOptions) {
    this.options = options;
    const { key, maximum } = options;
    // What moves the simulation is no part of a room.
    const homeAssistant = { entity_category: "config" };
    this.shape = {
      [key]:
        maximum === 1
          ? { type: "choice", values: [0, 1], homeAssistant }
          : { type: "integer", minimum: 0, maximum, homeAssistant },
    };
    this.first = options.read();
    this.steady = new SteadyState([options.key]);
  }

  getState(): State {
    return this.steady.of({ [this.options.key]: this.options.read() });
  }

  setState(state: State): State {
    return this.write(Number(state[this.options.key]));
  }

  updateState(_change: State): State {
    return this.write(this.options.read() === 0 ? this.options.maximum : 0);
  }

  deleteState(): State {
    return this.write(this.first);
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  private write(value: number): State {
    this.options.write(value);
    this.listeners.tell();
    return this.getState();
  }
}

/** @param input the name of the input, for people. */
export function addNumberSource(input: string, options: SimulatedSourceOptions): void {
  addSource(input, new SimulatedSource(options));
}
