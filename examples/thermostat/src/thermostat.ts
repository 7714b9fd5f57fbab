/** A noun that is a rule between two others: it reads a temperature, and switches a heater. */
import { defineNoun, type Noun } from "nound";

/** What the rule is made of. */
export interface ThermostatOptions {
  /** Reads the temperature in degrees Celsius; the promise may be broken. */
  measure(): Promise<number>;
  /** Has one key, `heater`: 1 heats. */
  readonly heater: Noun;
  /** Degrees Celsius below and above the target within which nothing changes, so that the relay does not chatter. */
  readonly tolerance: number;
  /** ms from one look at the temperature to the next. */
  readonly interval: number;
}

/**
 * PUT says which temperature is wanted; GET shows what is measured too. Without a measurement it does not heat: a
 * sensor whose cable is broken must not set the house on fire.
 */
export function thermostat({ measure, heater, tolerance, interval }: ThermostatOptions): Noun {
  let target = 20;
  let celsius: number | null = null;
  let isHeating = false;

  async function readTemperature(): Promise<void> {
    try {
      celsius = await measure();
    } catch {
      celsius = null;
    }
  }

  async function apply(): Promise<void> {
    await readTemperature();
    if (celsius === null || celsius >= target + tolerance) isHeating = false;
    else if (celsius <= target - tolerance) isHeating = true;
    // Said again each time: where this rule gets stuck, the heater's lease ends.
    await heater.setState({ heater: isHeating ? 1 : 0 });
  }

  void readTemperature();
  const timer = setInterval(() => void apply(), interval);
  return defineNoun({
    shape: {
      target: { type: "number", minimum: 5, maximum: 30 },
      celsius: { type: "number", nullable: true, readOnly: true },
      heating: { type: "boolean", readOnly: true },
    },
    default: { target: 20 },
    get: () => ({ target, celsius, heating: isHeating }),
    async set(state) {
      ({ target } = state);
      await apply();
    },
    close: () => clearInterval(timer),
  });
}
