/**
 * A noun beside a noun that only reads simulated hardware: it is the finger on the button, the voltage at the converter.
 *
 *     const pin = gpio.pin({ name: "GPIO27" });
 *     const options = { key: "button", maximum: 1, read: () => pin.voltage, write: (level) => pin.drive(level === 1 ? 1 : 0) };
 *     server.register("simulated.button", new SimulatedSource(options));
 */
import type { Noun } from "../noun/noun.ts";
import type { Shape } from "../noun/shape.ts";
import type { State } from "../noun/state.ts";
import { SteadyState } from "./steady-state.ts";

/** What a `SimulatedSource` is made from. */
export interface SimulatedSourceOptions {
  /** The one key of the state. */
  readonly key: string;
  /** The largest value; the smallest is 0. */
  readonly maximum: number;
  read(): number;
  write(value: number): void;
}

/** PUT puts a value on the hardware; POST goes from 0 to the maximum and from anything else to 0; DELETE goes back to the first. */
export class SimulatedSource implements Noun {
  readonly shape: Shape;
  private readonly options: SimulatedSourceOptions;
  private readonly first: number;
  private readonly steady: SteadyState;

  constructor(options: SimulatedSourceOptions) {
    this.options = options;
    this.shape = { [options.key]: { type: "integer", minimum: 0, maximum: options.maximum } };
    this.first = options.read();
    this.steady = new SteadyState([options.key]);
  }

  getState(): State {
    return this.steady.of({ [this.options.key]: this.options.read() });
  }

  setState(state: State): State {
    this.options.write(Number(state[this.options.key]));
    return this.getState();
  }

  updateState(_change: State): State {
    this.options.write(this.options.read() === 0 ? this.options.maximum : 0);
    return this.getState();
  }

  deleteState(): State {
    this.options.write(this.first);
    return this.getState();
  }
}
