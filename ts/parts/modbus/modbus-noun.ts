/** A noun for the registers and bits of a Modbus unit. */

import { HttpError } from "../../core/http/http-error.ts";
import { describeNoun, type NounDescription } from "../../core/noun/description.ts";
import { leftByDelete } from "../../core/noun/inner-noun.ts";
import { isCount, leave, takeOver } from "../../core/noun/left-state.ts";
import type { Noun } from "../../core/noun/noun.ts";
import type { Key, NumberKey, Shape } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { SteadyState } from "../../core/noun/steady-state.ts";
import type { HardwareNoun } from "../../hardware/nouns/hardware-noun.ts";
import type { Milliseconds } from "../../native/units.ts";
import { logFailure } from "../../platform/log.ts";
import { isSimulated } from "../../platform/platform.ts";
import { addSource } from "../../platform/simulated-sources.ts";
import { type ModbusCounts, noCounts } from "./bus.ts";
import { illegalAddress, illegalValue, type Table } from "./functions.ts";
import { type ModbusPlace, openModbus, placeOf, simulatedUnits } from "./modbus.ts";
import { planReads, type Span } from "./plan.ts";
import type { SimulatedUnit } from "./simulated-units.ts";
import { ModbusError, type ModbusUnit } from "./unit.ts";
import { decode, encode, rangeOf, registersOf, shortest, type ValueOrder, type ValueType } from "./values.ts";

/**
 * A value of a unit.
 *
 * @example
 * const limit: ModbusKey = { read: "holding", at: 40, as: "int16", scale: 0.1, unit: "kW", writable: true };
 * server.register("inverter", modbusNoun({ server: "192.0.2.9:502", keys: { limit } }));
 */
export interface ModbusKey {
  /** The table: `coil` (functions 1, 5 and 15), `discrete` (2), `holding` (3, 6 and 16) or `input` (4). */
  readonly read: Table;
  /** The address, from 0. Documents that count from 1, 30001 or 40001 mean the same one less. */
  readonly at: number;
  /** The type in registers; `uint16` if left out. `bits` is 16 bits as a whole number. */
  readonly as?: ValueType;
  /** The order of bytes: `ABCD` if left out; `CDAB` if the low register is first. */
  readonly order?: ValueOrder;
  /** With `bits`: the one bit that is the value, true or false, 0 for the lowest. */
  readonly bit?: number;
  /** The value is the number of the registers, times this; 1 if left out. */
  readonly scale?: number;
  /** A number to add to that; 0 if left out. */
  readonly offset?: number;
  /** The unit of the value. */
  readonly unit?: string;
  /** Whether clients may set it; for a coil or a holding register. */
  readonly writable?: boolean;
  /** The smallest value that a client may set; if left out, that of the type. */
  readonly minimum?: number;
  /** The largest value that a client may set; if left out, that of the type. */
  readonly maximum?: number;
  /** What DELETE writes; if left out, DELETE leaves the value. */
  readonly default?: number | boolean;
}

/**
 * The options of `modbusNoun`.
 *
 * @example
 * const celsius: ModbusKey = { read: "input", at: 0, as: "int16", scale: 0.1 };
 * const options: ModbusOptions = { device: "/dev/ttyS1", unit: 7, keys: { celsius } };
 * server.register("boiler", modbusNoun(options));
 */
export interface ModbusOptions extends ModbusPlace, Omit<NounDescription, "keys"> {
  /** The values, by their keys in the state. */
  readonly keys: { readonly [key: string]: ModbusKey };
  /** How many registers or bits that nobody asked for may be read between two values; 0 if left out. */
  readonly gap?: number;
  /** ms between two readings while somebody watches; 5000 if left out. */
  readonly poll?: Milliseconds | undefined;
  /** On simulated hardware, the noun `simulated.` plus this text moves the values. Default: the place and unit. */
  readonly simulatedAs?: string;
}

const count = { type: "integer", minimum: 0, readOnly: true, counts: "total", diagnostic: true } as const;

const countsShape: Shape = {
  timeouts: { ...count, description: "Questions that the unit did not answer." },
  garbled: { ...count, description: "Answers with a wrong checksum." },
  strays: { ...count, description: "Answers of other units." },
  late: { ...count, description: "Answers to questions that were given up." },
  exceptions: { ...count, description: "Exceptions." },
  lastException: {
    type: "integer",
    minimum: 1,
    maximum: 255,
    nullable: true,
    readOnly: true,
    diagnostic: true,
    description: "The code of the last exception; null before the first.",
  },
};

/** The keys that a value cannot have. */
export const countKeys: readonly string[] = Object.keys(countsShape);

function isBit({ read, bit }: ModbusKey): boolean {
  return read === "coil" || read === "discrete" || bit !== undefined;
}

function spanOf({ read, at, as = "uint16" }: ModbusKey): Span {
  return { table: read, at, count: read === "coil" || read === "discrete" ? 1 : registersOf(as) };
}

function contains(span: Span, { table, at, count }: Span): boolean {
  return span.table === table && span.at <= at && at + count <= span.at + span.count;
}

/** A number after scale and offset, without the errors of rounding. */
function scaled(raw: number, { as = "uint16", scale = 1, offset = 0 }: ModbusKey): number {
  const value = as === "float32" ? shortest(raw) : raw;
  return scale === 1 && offset === 0 ? value : Number((value * scale + offset).toPrecision(12));
}

/** @returns the value of a key. @throws Error if its registers hold none. */
function valueIn(key: ModbusKey, values: readonly number[]): Scalar {
  const [first = 0] = values;
  const { read, bit, as = "uint16", order = "ABCD" } = key;
  if (read === "coil" || read === "discrete") return first === 1;
  const raw = decode(values, { as, order });
  if (bit !== undefined) return (((raw ?? 0) >> bit) & 1) === 1;
  if (raw === undefined) throw new Error(`the registers from ${key.at} on hold no ${as}, or one too large to be exact`);
  return scaled(raw, key);
}

/** @returns what is written for a value. */
function rawOf(key: ModbusKey, value: Scalar): number[] {
  if (isBit(key)) return [value === true ? 1 : 0];
  const { as = "uint16", order = "ABCD", scale = 1, offset = 0 } = key;
  return encode((Number(value) - offset) / scale, { as, order });
}

function keyOf(key: ModbusKey): Key {
  const { as = "uint16", scale = 1, offset = 0, unit, writable = false } = key;
  const common: Pick<Key, "nullable" | "readOnly"> = writable ? { nullable: true } : { nullable: true, readOnly: true };
  if (isBit(key)) return { type: "boolean", ...common };
  const isWhole = !as.startsWith("float") && Number.isInteger(scale) && Number.isInteger(offset);
  const range = rangeOf(as)
    ?.map((bound) => scaled(bound, key))
    .sort((one, other) => one - other);
  const { minimum = range?.[0], maximum = range?.[1] } = key;
  const number: NumberKey = {
    type: isWhole ? "integer" : "number",
    ...common,
    ...(unit !== undefined && { unit }),
    ...(writable && minimum !== undefined && { minimum }),
    ...(writable && maximum !== undefined && { maximum }),
  };
  return number;
}

/** @returns the keys of the state. */
export function modbusShape(keys: ModbusOptions["keys"]): Shape {
  const shape = Object.entries(keys).map(([name, key]): [string, Key] => [name, keyOf(key)]);
  return { ...Object.fromEntries(shape), ...countsShape };
}

/** GET reads the unit. PUT and POST write what is writable, and read it back. DELETE resets the counts. */
export class ModbusNoun implements HardwareNoun {
  readonly shape: Shape;
  readonly settable: boolean;
  readonly poll: number;
  readonly [leftByDelete]: readonly string[];
  private readonly modbus: ModbusUnit;
  private readonly keys: ModbusOptions["keys"];
  private readonly plan: Span[];
  private readonly report: (error: unknown) => void;
  private readonly steady: SteadyState;
  private reported = "";

  constructor(modbus: ModbusUnit, options: ModbusOptions, report: (error: unknown) => void) {
    const { keys, gap = 0, poll = 5_000 } = options;
    this.modbus = modbus;
    this.keys = keys;
    this.shape = modbusShape(keys);
    this.settable = Object.values(keys).some(({ writable }) => writable === true);
    this.poll = poll;
    this[leftByDelete] = Object.keys(keys).filter((name) => keys[name]?.writable && keys[name]?.default === undefined);
    this.plan = planReads(Object.values(keys).map(spanOf), gap);
    this.report = report;
    this.steady = new SteadyState(Object.keys(this.shape));
  }

  /** A key that cannot be read is null. */
  async getState(): Promise<State> {
    let failure: unknown;
    const read = new Map<Span, readonly number[]>();
    for (let index = 0; index < this.plan.length; index += 1) {
      const span = this.plan[index] as Span;
      try {
        read.set(span, await this.modbus.read(span.table, span.at, span.count));
      } catch (error) {
        const exception = error instanceof ModbusError ? error.exception : undefined;
        if (this.divide(span, exception)) {
          index -= 1;
          continue;
        }
        failure ??= error;
        // A unit that does not answer is not asked for the rest.
        if (exception === undefined) break;
      }
    }
    const state: { [key: string]: Scalar } = {};
    for (const [name, key] of Object.entries(this.keys)) {
      const { table, at, count } = spanOf(key);
      const found = [...read].find(([span]) => contains(span, { table, at, count }));
      state[name] = null;
      if (found === undefined) continue;
      const [span, values] = found;
      try {
        state[name] = valueIn(key, values.slice(at - span.at, at - span.at + count));
      } catch (error) {
        failure ??= error;
      }
    }
    this.tell(failure);
    return this.steady.of({ ...state, ...this.modbus.counts });
  }

  /** @throws StateError for null; HttpError 500 or 503 with what the unit says. */
  async setState(state: State): Promise<State> {
    return await this.set(state, false);
  }

  /** @param triesAll whether it goes on after a key that fails. @throws as `setState`, the first failure. */
  private async set(state: State, triesAll: boolean): Promise<State> {
    const wanted = Object.entries(this.keys).filter(([name]) => Object.hasOwn(state, name));
    for (const [name] of wanted) {
      if (state[name] === null) throw new StateError("Null means that the unit does not answer.", name);
    }
    let failure: unknown;
    for (const [name, key] of wanted) {
      try {
        await this.write(name, key, state[name] ?? null);
      } catch (error) {
        if (!triesAll) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return await this.getState();
  }

  /** @throws as `setState`. */
  async updateState(change: State): Promise<State> {
    return await this.setState(change);
  }

  /**
   * Resets the counts, and writes the defaults. Each key is tried: a relay that does not switch must not keep others
   * on. @throws as `setState`, the first failure.
   */
  async deleteState(): Promise<State> {
    Object.assign(this.modbus.counts, noCounts());
    const defaults = Object.entries(this.keys).flatMap(([name, key]): [string, Scalar][] =>
      key.default === undefined ? [] : [[name, key.default]],
    );
    return await this.set(Object.fromEntries(defaults), true);
  }

  [leave](): State {
    return { ...this.modbus.counts };
  }

  [takeOver](left: State): void {
    const { counts } = this.modbus;
    for (const name of countKeys as readonly (keyof ModbusCounts)[]) {
      const value = left[name];
      if (isCount(value)) counts[name] = value;
    }
  }

  close(): void {
    this.modbus.close();
  }

  /** Writes a value, and reads it back. */
  private async write(name: string, key: ModbusKey, value: Scalar): Promise<void> {
    const { read, at } = key;
    const raw = rawOf(key, value);
    let back: readonly number[];
    try {
      await this.modbus.write(read === "coil" ? "coil" : "holding", at, raw);
      back = await this.modbus.read(read, at, raw.length);
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error;
      const status = error.exception === undefined ? 503 : 500;
      throw HttpError.keeping(status, `The unit did not take ${JSON.stringify(name)}: ${error.message}.`);
    }
    if (back.every((one, index) => one === raw[index])) return;
    const kept = JSON.stringify(valueIn(key, back));
    throw HttpError.keeping(500, `The unit did not take ${JSON.stringify(name)}: it has ${kept}.`);
  }

  /**
   * From now on, the keys of a question are read one by one if the unit refuses their addresses: it may lack the one of
   * another key, or one in a gap. @returns whether they are.
   */
  private divide(span: Span, exception: number | undefined): boolean {
    if (exception !== illegalAddress && exception !== illegalValue) return false;
    const spans = Object.values(this.keys).map(spanOf);
    const parts = new Map(spans.filter((one) => contains(span, one)).map((one) => [`${one.at} ${one.count}`, one]));
    if (parts.size <= 1) return false;
    const index = this.plan.indexOf(span);
    if (index >= 0) this.plan.splice(index, 1, ...parts.values());
    return true;
  }

  private tell(failure: unknown): void {
    const sentence = failure instanceof Error ? failure.message.replace(/ in [0-9]+ s$/, "") : "";
    if (failure !== undefined && sentence !== this.reported) this.report(failure);
    this.reported = sentence;
  }
}

/** @returns a noun that moves the values of a simulated unit. Nothing is null there. */
function simulatedValues(unit: SimulatedUnit, keys: ModbusOptions["keys"]): Noun {
  const moved = Object.entries(keys).filter(([, { bit }]) => bit === undefined);

  function getState(): State {
    const values = moved.map(([name, key]): [string, Scalar] => {
      const { table, at, count } = spanOf(key);
      return [
        name,
        valueIn(
          key,
          Array.from({ length: count }, (_, index) => unit[table].get(at + index) ?? 0),
        ),
      ];
    });
    return Object.fromEntries(values);
  }

  function setState(state: State): State {
    for (const [name, value] of Object.entries(state)) {
      const key = keys[name];
      if (key === undefined) continue;
      for (const [index, one] of rawOf(key, value).entries()) unit[key.read].set(key.at + index, one);
    }
    return getState();
  }

  const declared = moved.map(([name, key]): [string, Key] => [
    name,
    { type: isBit(key) ? "boolean" : "number", optional: true },
  ]);
  return {
    shape: Object.fromEntries(declared),
    getState,
    setState,
    updateState: setState,
    deleteState: getState,
  };
}

/** @throws TypeError for keys that do not fit a unit. */
function checkKeys(keys: ModbusOptions["keys"]): void {
  for (const [name, key] of Object.entries(keys)) {
    if (countKeys.includes(name)) throw new TypeError(`The key ${JSON.stringify(name)} is that of a count.`);
    const isSettable = (key.read === "coil" || key.read === "holding") && key.bit === undefined;
    if (key.writable === true && !isSettable) throw new TypeError(`The key ${JSON.stringify(name)} cannot be written.`);
  }
}

/**
 * A noun for the registers and bits of a Modbus unit. Its keys are null while the unit does not answer.
 * @throws TypeError as `openModbus`; for a key that cannot be written, or has the name of a count.
 *
 * @example
 * const keys = { watts: { read: "input", at: 12, as: "float32", unit: "W" } } as const;
 * server.register("grid", modbusNoun({ device: "/dev/ttyS1", baud: 9_600, unit: 1, keys }));
 */
export function modbusNoun(options: ModbusOptions): Noun {
  const { keys, unit = 1, simulatedAs: source = `${placeOf(options)}-${unit}`, ...others } = options;
  checkKeys(keys);
  const modbus = openModbus(options);
  if (isSimulated) addSource(source, simulatedValues(simulatedUnits(placeOf(options)).unit(unit), keys));
  const report = (error: unknown) => logFailure(source, error instanceof Error ? error.message : String(error));
  return describeNoun(new ModbusNoun(modbus, options, report), others);
}
