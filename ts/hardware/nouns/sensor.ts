/**
 * The common part of nouns that measure: keys that are read from files of the kernel. A noun fails while none of them
 * can be read. If some can, the others are null.
 *
 *     const sensor = sysfsSensor({ path: "/sys/class/backlight/panel/brightness" });
 *     server.register("panel", new SensorNoun(sensor, files));
 *     // {"value":120}
 */

import { HttpError } from "../../core/http/http-error.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import type { Awaitable, Noun } from "../../core/noun/noun.ts";
import type { Key, NumberKey, Shape } from "../../core/noun/shape.ts";
import { emptyState, type Scalar, type State } from "../../core/noun/state.ts";
import { SteadyState } from "../../core/noun/steady-state.ts";
import type { Files } from "../../native/files.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logFailure } from "../../platform/log.ts";
import { hardware, isSimulated, simulatedDevice, system } from "../../platform/platform.ts";
import { addReach } from "../../platform/reach.ts";
import { addSource } from "../../platform/simulated-sources.ts";
import { devicesReach } from "../open/kernel-file.ts";
import { measuredIn } from "../open/quantities.ts";
import { ReadOnlyNoun } from "./read-only-noun.ts";
import { simulateSensor } from "./simulated-sensor.ts";

/**
 * Reads the values of keys that belong together. If it throws, and another reading does not, they are null.
 * @param fail receives why a key is left out, which then is null.
 */
export type Reading = (files: Files, fail: (error: unknown) => void) => Awaitable<State>;

/** @param read reads the value of one key. */
export function readingOf(key: string, read: (files: Files) => Promise<Scalar>): Reading {
  return async (files) => ({ [key]: await read(files) });
}

/** A sensor, or a few facts that belong together. */
export interface Sensor {
  /** All keys are read-only. A key is nullable if the others may be read without it. */
  readonly shape: Shape;
  /** Called one after the other. */
  readonly readings: readonly Reading[];
  /** Files and folders that the program opens again after `restrict`, besides those of devices, which come and go. */
  readonly reach?: readonly string[];
  /** The first values of the keys that set the sensor on simulated hardware. */
  readonly initial: State;
  /** What the simulation can have fail, by the key `fault`; nothing if left out. */
  readonly faults?: readonly string[];
  /**
   * The reverse of `readings`, for the simulation.
   * @param state has the keys that set the sensor.
   * @returns by path, the texts of files that give this state; undefined for an absent file.
   */
  filesOf(state: State): { readonly [path: string]: string | undefined };
}

/**
 * @param read reads the only value.
 * @param filesOf as that of a `Sensor`, of the value.
 */
export function sensorOf(
  [key, declared]: readonly [string, Key],
  initial: Scalar,
  read: (files: Files) => Promise<Scalar>,
  filesOf: (value: Scalar | undefined) => ReturnType<Sensor["filesOf"]>,
): Sensor {
  return {
    shape: { [key]: declared },
    readings: [readingOf(key, read)],
    initial: { [key]: initial },
    filesOf: (state) => filesOf(state[key]),
  };
}

/** @returns the text of a simulated file: a number times a factor; undefined for another value. */
export function numberText(value: Scalar | undefined, factor = 1): string | undefined {
  return typeof value === "number" ? `${Math.round(value * factor)}\n` : undefined;
}

/** @returns the declaration of a number that is the only value of its sensor: without it, the noun fails. */
export function measurement(unit: string): NumberKey {
  return { type: "number", readOnly: true, ...measuredIn(unit) };
}

/** @returns the declaration of one of several numbers, each of which may be missing. */
export function measurementOfSeveral(unit: string, description?: string): NumberKey & { readonly nullable: true } {
  return { ...measurement(unit), nullable: true, ...(description !== undefined && { description }) };
}

/**
 * The options of every noun that measures.
 *
 * @example
 * const options: MeasuringOptions = { title: "Boiler", keys: { celsius: { title: "Flow" } } };
 * server.register("boiler", sensorNoun({ device: "28-0316a2796ee1", ...options }));
 */
export interface MeasuringOptions extends NounDescription {
  /** On simulated hardware, the noun `simulated.` plus this text moves the sensor. Default: its measurement. */
  readonly simulatedAs?: string;
  /** ms between two readings while somebody watches; 1000 if left out. */
  readonly poll?: Milliseconds | undefined;
}

/** How a sensor is read. */
export interface ReadingOptions {
  /** Receives the reason why a key cannot be read, once. */
  readonly report?: (error: unknown) => void;
  /** ms between two readings while somebody watches; 1000 if left out. */
  readonly poll?: number | undefined;
}

/**
 * GET reads the sensor. It reports the first failure, and later each failure with a different message. DELETE changes
 * nothing. PUT and POST are refused.
 */
export class SensorNoun extends ReadOnlyNoun {
  protected readonly refusal = "This noun is a measurement, and cannot be set; GET reads it.";
  readonly shape: Shape;
  readonly poll: number | undefined;
  protected readonly files: Files;
  private readonly readings: readonly Reading[];
  private readonly report: (error: unknown) => void;
  private readonly keys: readonly string[];
  private readonly steady: SteadyState;
  /** The first failure of this reading; undefined for none. */
  private failure: unknown;
  private reported = "";

  constructor({ shape, readings }: Sensor, files: Files, { report = () => {}, poll }: ReadingOptions = {}) {
    super();
    this.shape = shape;
    this.poll = poll;
    this.files = files;
    this.readings = readings;
    this.report = report;
    this.keys = Object.keys(shape);
    this.steady = new SteadyState(this.keys);
  }

  /** @throws HttpError, at once or by the promise, if nothing can be read. Otherwise a key that cannot is null. */
  getState(): Awaitable<State> {
    this.failure = undefined;
    return this.readOn(0, emptyState);
  }

  deleteState(): Awaitable<State> {
    return this.getState();
  }

  /** Files are opened for each operation, so there is nothing to close. */
  close(): void {}

  private readonly fail = (error: unknown): void => {
    this.failure ??= error;
  };

  /**
   * @param index the index of the next reading.
   * @param values the values of the previous readings.
   */
  private readOn(index: number, values: State): Awaitable<State> {
    const reading = this.readings[index];
    if (reading === undefined) return this.conclude(values);
    let found: Awaitable<State>;
    try {
      found = reading(this.files, this.fail);
    } catch (error) {
      this.fail(error);
      return this.readOn(index + 1, values);
    }
    if (found instanceof Promise) return this.waitFor(found, index, values);
    return this.readOn(index + 1, index === 0 ? found : { ...values, ...found });
  }

  private async waitFor(found: Promise<State>, index: number, values: State): Promise<State> {
    let all = values;
    try {
      const read = await found;
      all = index === 0 ? read : { ...values, ...read };
    } catch (error) {
      this.fail(error);
    }
    return await this.readOn(index + 1, all);
  }

  private conclude(values: State): State {
    const { failure } = this;
    this.tell(failure);
    if (failure === undefined) return this.steady.of(values);
    if (values === emptyState) throw HttpError.keeping(500, "The sensor is absent or does not answer.");
    const state: { [key: string]: Scalar } = {};
    for (const key of this.keys) state[key] = values[key] ?? null;
    return this.steady.of(state);
  }

  private tell(failure: unknown): void {
    const sentence = failure === undefined ? "" : String(failure);
    if (failure !== undefined && sentence !== this.reported) this.report(failure);
    this.reported = sentence;
  }
}

/** @returns a function that writes to the log why this sensor cannot be read. */
export function reportAs(source: string): (error: unknown) => void {
  return (error) => logFailure(source, error instanceof Error ? error.message : String(error));
}

/** A service manager may hide files of /proc. An absent file cannot be added to the reach. */
function isThere(path: string): boolean {
  if (!path.startsWith("/proc/")) return true;
  try {
    system.readTextFile(path, 4_096);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes sure that the sensor's files can be read after `restrict`. On simulated hardware, it makes the files and a noun
 * that sets them.
 */
export function prepare(sensor: Sensor, source: string): void {
  if (isSimulated) addSource(source, simulateSensor(sensor, simulatedDevice().files.texts));
  else addReach({ readable: [...devicesReach, ...(sensor.reach ?? [])].filter(isThere) });
}

/** @param label names the sensor in the log, and on simulated hardware unless the options do. */
export function nounOfSensor(sensor: Sensor, options: MeasuringOptions, label: string): Noun {
  const { simulatedAs: source = label, poll } = options;
  prepare(sensor, source);
  return describeNoun(new SensorNoun(sensor, hardware().files, { report: reportAs(source), poll }), options);
}
