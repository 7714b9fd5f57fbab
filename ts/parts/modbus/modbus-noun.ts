/** A noun for the registers and bits of a Modbus unit. */

import { HttpError } from "../../core/http/http-error.ts";
import { decodeUtf8 } from "../../core/http/utf8.ts";
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
import { illegalAddress, illegalValue, type Table, unitFailure } from "./functions.ts";
import { type ModbusPlace, openModbus, placeOf, simulatedUnits } from "./modbus.ts";
import { planReads, type Span } from "./plan.ts";
import type { SimulatedUnit } from "./simulated-units.ts";
import { ModbusError, type ModbusUnit } from "./unit.ts";
import {
  decode,
  decodeText,
  encode,
  encodeText,
  holds,
  longestText,
  rangeOf,
  registersOf,
  shortest,
  type ValueOrder,
  type ValueType,
} from "./values.ts";

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
  /** The type in registers; `uint16` if left out. `bits` is 16 bits as a whole number, `string` a text. */
  readonly as?: ValueType;
  /** Of a `string`: its bytes, two in each register. */
  readonly length?: number;
  /** The order of bytes: `ABCD` if left out; `CDAB` if the low register is first. */
  readonly order?: ValueOrder;
  /**
   * With `bits`: the one bit that is the value, true or false, 0 for the lowest; or the lowest and the highest bit of a
   * whole number.
   */
  readonly bit?: number | readonly [lowest: number, highest: number];
  /** The value is the number of the registers, times this; 1 if left out. */
  readonly scale?: number;
  /** A number to add to that; 0 if left out. */
  readonly offset?: number;
  /** Another key, whose value is the power of ten by which the number is multiplied, too, as SunSpec has it. */
  readonly scaleBy?: string;
  /** Numbers of the registers, or texts, that mean that there is no value: the key is then null. */
  readonly none?: number | string | readonly (number | string)[];
  /** The unit of the value. */
  readonly unit?: string;
  /** Whether clients may set it; for a coil or a holding register. */
  readonly writable?: boolean;
  /** The smallest value that a client may set; if left out, that of the type. */
  readonly minimum?: number;
  /** The largest value that a client may set; if left out, that of the type. */
  readonly maximum?: number;
  /** What DELETE writes; if left out, DELETE leaves the value. */
  readonly default?: number | boolean | string;
  /** As `confirm` of the noun, for this value. */
  readonly confirm?: Confirmation;
}

/**
 * When a value counts as written: once it was read back, or once the unit has answered.
 *
 * @example
 * const confirm: Confirmation = "answer";
 * const reset: ModbusKey = { read: "holding", at: 99, writable: true, confirm };
 */
export type Confirmation = "read" | "answer";

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
  /** How many registers one question may ask for; as many as the unit takes if left out. */
  readonly most?: number;
  /**
   * When a value counts as written: `read`, once it was read back; `answer`, once the unit has answered, for registers
   * of commands and slow units. `read` if left out.
   */
  readonly confirm?: Confirmation;
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
  misnumbered: { ...count, description: "Answers with the number of no question." },
  late: { ...count, description: "Answers to questions that were given up, or answered before." },
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

function isOfBits({ read }: ModbusKey): boolean {
  return read === "coil" || read === "discrete";
}

/** Whether the value is true or false. */
function isBit(key: ModbusKey): boolean {
  return isOfBits(key) || typeof key.bit === "number";
}

function spanOf(key: ModbusKey): Span {
  const { read, at, as = "uint16", length } = key;
  return { table: read, at, count: isOfBits(key) ? 1 : registersOf(as, length) };
}

function contains(span: Span, { table, at, count }: Span): boolean {
  return span.table === table && span.at <= at && at + count <= span.at + span.count;
}

/** @param power the power of ten. @returns a number after scale and offset, without the errors of rounding. */
function scaled(raw: number, { as = "uint16", scale = 1, offset = 0 }: ModbusKey, power = 0): number {
  const value = as === "float32" ? shortest(raw) : raw;
  if (scale === 1 && offset === 0 && power === 0) return value;
  return Number((value * scale * tenTo(power) + offset).toPrecision(12));
}

/** @returns ten to a power, exactly, if there is such a number. */
function tenTo(power: number): number {
  return Number(`1e${power}`);
}

/** @returns the bits of a register that are a value. */
function bitsOf(register: number, bit: NonNullable<ModbusKey["bit"]>): number {
  const [lowest, highest] = typeof bit === "number" ? [bit, bit] : bit;
  return (register >> lowest) & (2 ** (highest - lowest + 1) - 1);
}

/**
 * @param power as in `scaled`.
 * @returns the value of a key; null if the registers say that there is none. @throws Error if they hold none.
 */
function valueIn(key: ModbusKey, values: readonly number[], power?: number): Scalar {
  const [first = 0] = values;
  const { bit, as = "uint16", order = "ABCD", none, length = 0 } = key;
  if (isOfBits(key)) return first === 1;
  if (as === "string") {
    const bytes = decodeText(values, length, order);
    // Many units have ISO 8859-1, whose bytes are these characters.
    const text = decodeUtf8(bytes) ?? bytes;
    return isNone(none, (one) => one === text) ? null : text;
  }
  const form = { as, order };
  if (bit !== undefined) {
    const number = bitsOf(decode(values, form) ?? 0, bit);
    if (typeof bit === "number") return number === 1;
    return isNone(none, (one) => one === number) ? null : scaled(number, key, power);
  }
  if (isNone(none, (one) => typeof one === "number" && holds(values, form, one))) return null;
  const raw = decode(values, form);
  if (raw === undefined) throw new Error(`the registers from ${key.at} on hold no ${as}, or one too large to be exact`);
  return scaled(raw, key, power);
}

function isNone(none: ModbusKey["none"], is: (one: number | string) => boolean): boolean {
  return none !== undefined && (typeof none === "object" ? none : [none]).some(is);
}

/** @returns the power of ten that the value of another key is. @throws Error if it is none. */
function powerIn(name: string, value: Scalar): number {
  if (Number.isInteger(value) && Math.abs(Number(value)) <= mostPower) return Number(value);
  throw new Error(`${JSON.stringify(name)} is ${JSON.stringify(value)}, which is no power of ten`);
}

/** Larger powers of ten are a unit's mistake, or say that it has none. */
const mostPower = 12;

/** @returns what is written for a value. @throws StateError for one that its registers cannot have. */
function rawOf(name: string, key: ModbusKey, value: Scalar, power = 0): number[] {
  if (isOfBits(key)) return [value === true ? 1 : 0];
  const { as = "uint16", order = "ABCD", scale = 1, offset = 0, length = 0 } = key;
  if (as === "string") {
    const bytes = encodeURIComponent(String(value).toWellFormed()).replace(/%(..)/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    if (bytes.length > length) throw new StateError(`The text has more than ${length} bytes.`, name);
    return encodeText(bytes, length, order);
  }
  const number = (Number(value) - offset) / scale / tenTo(power);
  const [least, most] = rangeOf(as) ?? [-Infinity, Infinity];
  if (Math.round(number) < least || Math.round(number) > most) {
    throw new StateError("The value is beyond what its registers can hold now.", name);
  }
  return encode(number, { as, order });
}

function keyOf(key: ModbusKey): Key {
  const { as = "uint16", scale = 1, offset = 0, unit, writable = false, bit, scaleBy, length = 0 } = key;
  const common: Pick<Key, "nullable" | "readOnly"> = writable ? { nullable: true } : { nullable: true, readOnly: true };
  if (isBit(key)) return { type: "boolean", ...common };
  if (as === "string") return { type: "string", ...common, maximumLength: length };
  const isWhole =
    !as.startsWith("float") && Number.isInteger(scale) && Number.isInteger(offset) && scaleBy === undefined;
  const range = scaleBy !== undefined || bit !== undefined ? undefined : rangeOf(as);
  const [first, second] = range?.map((bound) => scaled(bound, key)).sort((one, other) => one - other) ?? [];
  const { minimum = first, maximum = second } = key;
  const number: NumberKey = {
    type: isWhole ? "integer" : "number",
    ...common,
    ...(unit !== undefined && { unit }),
    ...(writable && minimum !== undefined && { minimum }),
    ...(writable && maximum !== undefined && { maximum }),
  };
  return number;
}

/** A value, and where it is. */
interface Part {
  readonly name: string;
  readonly key: ModbusKey;
  readonly span: Span;
}

/** A question, and the values that are in its answer. */
interface Reading {
  readonly span: Span;
  readonly parts: readonly Part[];
  /** Whether the unit has ever answered it. */
  wasAnswered: boolean;
  /** Whether it has not, though it answers others. */
  wasSilent: boolean;
}

/** @returns the places of values, in the order of their addresses. */
function partsOf(parts: readonly Part[]): readonly string[] {
  const sorted = parts.map(({ span }) => span).sort((one, other) => one.at - other.at || one.count - other.count);
  return [...new Set(sorted.map(placeOfSpan))];
}

function placeOfSpan({ at, count }: Span): string {
  return `${at} ${count}`;
}

/** ms that a reading may spend in all with questions that are not answered, while it finds out which are. */
const longestSilence = 2_500;

/** ms until a value that was not taken is read again, doubled each time, and ms in all at most. */
const [firstRest, longestRest] = [50, 1_000];

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
  private readonly options: ModbusOptions;
  private readonly keys: ModbusOptions["keys"];
  private plan: readonly Reading[];
  private readonly report: (error: unknown) => void;
  private readonly steady: SteadyState;
  private readonly nulls: { readonly [key: string]: Scalar };
  private probes = 0;
  private reported = "";

  constructor(modbus: ModbusUnit, options: ModbusOptions, report: (error: unknown) => void) {
    const { keys, poll = 5_000 } = options;
    this.modbus = modbus;
    this.options = options;
    this.keys = keys;
    this.shape = modbusShape(keys);
    this.settable = Object.values(keys).some(({ writable }) => writable === true);
    this.poll = poll;
    this[leftByDelete] = Object.keys(keys).filter((name) => keys[name]?.writable && keys[name]?.default === undefined);
    const parts = Object.entries(keys).map(([name, key]): Part => ({ name, key, span: spanOf(key) }));
    this.plan = this.planFor(parts, false);
    this.nulls = Object.fromEntries(Object.keys(keys).map((name) => [name, null]));
    this.report = report;
    this.steady = new SteadyState(Object.keys(this.shape));
  }

  private planFor(parts: readonly Part[], wasSilent: boolean): Reading[] {
    const { gap = 0, most } = this.options;
    const spans = parts.map(({ span }) => span);
    return planReads(spans, gap, most).map((span) => ({
      span,
      parts: parts.filter((one) => contains(span, one.span)),
      wasAnswered: false,
      wasSilent,
    }));
  }

  /** A key that cannot be read is null. */
  async getState(): Promise<State> {
    const state: { [key: string]: Scalar } = { ...this.nulls };
    const before = this.plan;
    const asked = [...before];
    const scaled = new Map<string, readonly number[]>();
    let failure: unknown;
    let silences = 0;
    let answers = 0;
    for (let reading = asked.shift(); reading !== undefined; reading = asked.shift()) {
      const { table, at, count } = reading.span;
      try {
        const values = await this.modbus.read(table, at, count, silences > 0);
        answers += 1;
        reading.wasAnswered = true;
        for (const { name, key, span } of reading.parts) {
          const own = values.slice(span.at - at, span.at - at + span.count);
          if (key.scaleBy !== undefined) scaled.set(name, own);
          else failure = this.take(state, name, () => valueIn(key, own), failure);
        }
      } catch (error) {
        const isSilent = error instanceof ModbusError && error.wasSent;
        if (isSilent) silences += 1;
        if (silences < this.mostSilences && (await this.mayDivide(reading, error, answers > 0))) {
          answers += isSilent ? 1 : 0;
          asked.unshift(...(isSilent && !reading.wasSilent ? [reading] : this.divide(reading, isSilent)));
          // It may have been lost by chance, and is asked once more.
          reading.wasSilent = isSilent;
          continue;
        }
        failure ??= error;
        // A unit that does not answer is not asked for the rest.
        if (!(error instanceof ModbusError) || error.exception === undefined) break;
      }
    }
    // It refuses all, so nothing was found out.
    if (answers === 0) this.plan = before;
    for (const [name, own] of scaled) {
      const key = this.keys[name] as ModbusKey;
      const by = key.scaleBy ?? "";
      const power = state[by] ?? null;
      if (power === null) continue;
      failure = this.take(state, name, () => valueIn(key, own, powerIn(by, power)), failure);
    }
    this.tell(failure);
    return this.steady.of(Object.assign(state, this.modbus.counts));
  }

  /** Puts a value into a state. @returns the first failure. */
  private take(state: { [key: string]: Scalar }, name: string, value: () => Scalar, failure: unknown): unknown {
    try {
      state[name] = value();
      return failure;
    } catch (error) {
      return failure ?? error;
    }
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

  /** Writes a value, and reads it back until the unit has it. */
  private async write(name: string, key: ModbusKey, value: Scalar): Promise<void> {
    const { read, at, confirm = this.options.confirm ?? "read" } = key;
    const table = read === "coil" ? "coil" : "holding";
    const raw = rawOf(name, key, value, await this.powerOf(name, key));
    const isTaken = (kept: readonly number[]) => kept.every((one, index) => one === raw[index]);
    for (let isFirst = true; ; isFirst = false) {
      try {
        await this.modbus.write(table, at, raw);
        break;
      } catch (error) {
        if (!(error instanceof ModbusError)) throw error;
        // The answer alone may have been lost. A value that is there already can be written again.
        const kept = error.wasSent && confirm === "read" ? await this.readBack(read, at, raw.length) : undefined;
        if (kept !== undefined && isTaken(kept)) return;
        if (kept !== undefined && isFirst) continue;
        const may = error.wasSent ? ", so it may have been written" : "";
        const status = error.exception === undefined ? 503 : 500;
        throw HttpError.keeping(status, `The unit did not take ${JSON.stringify(name)}: ${error.message}${may}.`);
      }
    }
    if (confirm === "answer") return;
    const end = Math.min(longestRest, this.options.timeout ?? 500);
    for (let rest = firstRest, waited = 0; ; rest *= 2) {
      const kept = await this.readBack(read, at, raw.length);
      // It has taken the value, and cannot be asked for it.
      if (kept === undefined || isTaken(kept)) return;
      if (waited + rest > end) {
        const found = JSON.stringify(valueIn(key, kept, await this.powerOf(name, key)));
        throw HttpError.keeping(500, `The unit did not take ${JSON.stringify(name)}: it has ${found}.`);
      }
      await this.modbus.rest(rest);
      waited += rest;
    }
  }

  /** @returns what a unit has; undefined if it cannot be read. */
  private async readBack(table: Table, at: number, count: number): Promise<readonly number[] | undefined> {
    try {
      return await this.modbus.read(table, at, count, true);
    } catch (error) {
      if (error instanceof ModbusError) return undefined;
      throw error;
    }
  }

  /** @returns the power of ten by which a value is scaled now. @throws HttpError 503 if it cannot be read. */
  private async powerOf(name: string, { scaleBy }: ModbusKey): Promise<number> {
    const key = scaleBy === undefined ? undefined : this.keys[scaleBy];
    if (scaleBy === undefined || key === undefined) return 0;
    try {
      const { table, at, count } = spanOf(key);
      return powerIn(scaleBy, valueIn(key, await this.modbus.read(table, at, count)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw HttpError.keeping(
        503,
        `The unit did not take ${JSON.stringify(name)}: its scale cannot be read: ${reason}.`,
      );
    }
  }

  /** Questions without an answer after which the rest of a reading is left for the next one. */
  private get mostSilences(): number {
    return Math.max(2, Math.floor(longestSilence / (this.options.timeout ?? 500)));
  }

  /** @returns whether a unit that refuses a question, or does not answer it, may answer parts of it. */
  private async mayDivide(reading: Reading, error: unknown, hasAnswered: boolean): Promise<boolean> {
    const { parts, wasAnswered } = reading;
    if (!(error instanceof ModbusError) || partsOf(parts).length <= 1) return false;
    const { exception, wasSent } = error;
    // It may lack the address of one key, or one in a gap.
    if (exception === illegalAddress || exception === illegalValue) return true;
    if (wasAnswered || !(wasSent || exception === unitFailure)) return false;
    if (!wasSent || hasAnswered) return true;
    this.probes += 1;
    const { table, at, count } = (parts[this.probes % parts.length] as Part).span;
    return (await this.readBack(table, at, count)) !== undefined;
  }

  /** From now on, the halves of a question are asked for in its place. @returns them. */
  private divide(reading: Reading, isSilent: boolean): readonly Reading[] {
    const places = partsOf(reading.parts);
    const first = new Set(places.slice(0, Math.ceil(places.length / 2)));
    const [left, right] = [true, false].map((isFirst) =>
      reading.parts.filter(({ span }) => first.has(placeOfSpan(span)) === isFirst),
    );
    const halves = [left ?? [], right ?? []].flatMap((parts) => this.planFor(parts, isSilent));
    this.plan = this.plan.flatMap((one) => (one === reading ? halves : [one]));
    return halves;
  }

  private tell(failure: unknown): void {
    const sentence = failure instanceof Error ? failure.message.replace(/ in [0-9]+ s$/, "") : "";
    if (failure !== undefined && sentence !== this.reported) this.report(failure);
    this.reported = sentence;
  }
}

/** @returns a noun that moves the values of a simulated unit. Nothing is null there. */
function simulatedValues(unit: SimulatedUnit, keys: ModbusOptions["keys"]): Noun {
  const registersAt = ({ table, at, count }: Span) =>
    Array.from({ length: count }, (_, index) => unit[table].get(at + index) ?? 0);

  function current(key: ModbusKey): Scalar {
    try {
      return valueIn({ ...key, none: [] }, registersAt(spanOf(key)), powerOf(key));
    } catch {
      return 0; // other registers of the same place hold no such number
    }
  }

  function powerOf({ scaleBy }: ModbusKey): number {
    const by = scaleBy === undefined ? undefined : keys[scaleBy];
    return by === undefined ? 0 : Number(current(by));
  }

  function getState(): State {
    return Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, current(key)]));
  }

  function setState(state: State): State {
    for (const [name, value] of Object.entries(state)) {
      const key = keys[name];
      if (key === undefined) continue;
      const { read, at, bit } = key;
      const written = bit === undefined ? rawOf(name, key, value, powerOf(key)) : [withBits(key, bit, value)];
      for (const [index, one] of written.entries()) unit[read].set(at + index, one);
    }
    return getState();
  }

  /** @returns a register with other bits. */
  function withBits(key: ModbusKey, bit: NonNullable<ModbusKey["bit"]>, value: Scalar): number {
    const { order = "ABCD", scale = 1, offset = 0 } = key;
    const [lowest] = typeof bit === "number" ? [bit] : bit;
    const before = decode(registersAt(spanOf(key)), { as: "bits", order }) ?? 0;
    const ones = bitsOf(0xffff, bit);
    const number = typeof value === "boolean" ? Number(value) : Math.round((Number(value) - offset) / scale);
    const [after = 0] = encode((before & ~(ones << lowest)) | ((number & ones) << lowest), { as: "bits", order });
    return after;
  }

  const typeOf = (key: ModbusKey) => (isBit(key) ? "boolean" : key.as === "string" ? "string" : "number");
  const declared = Object.entries(keys).map(([name, key]): [string, Key] => [
    name,
    { type: typeOf(key), optional: true },
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
    const misfit = misfitOf(name, keys);
    if (misfit !== undefined) {
      const [option, sentence] = misfit;
      throw new TypeError(`The option ${JSON.stringify(option)} of the key ${JSON.stringify(name)}: ${sentence}.`);
    }
    const isSettable = (key.read === "coil" || key.read === "holding") && key.bit === undefined;
    if (key.writable === true && !isSettable) throw new TypeError(`The key ${JSON.stringify(name)} cannot be written.`);
  }
}

/** @returns the first option of a value that does not fit, as far as types do not say it, with a sentence. */
export function misfitOf(
  name: string,
  keys: ModbusOptions["keys"],
): readonly [option: string, sentence: string] | undefined {
  const key = keys[name] as ModbusKey;
  const { as = "uint16", length, bit, scaleBy, none, writable } = key;
  if ((as === "string") !== (length !== undefined)) {
    const text = 'expected the number of bytes together with "as": "string"';
    return ["length", length === undefined ? `${text}, found nothing` : 'expected nothing without "as": "string"'];
  }
  if (length !== undefined && writable === true && length > longestText - 4) {
    return ["length", `expected at most ${longestText - 4} together with "writable", found ${length}`];
  }
  if (typeof bit === "object" && !(bit.length === 2 && bit[0] < bit[1])) {
    return ["bit", "expected a bit, or the lowest and the highest one of a number"];
  }
  if (scaleBy !== undefined) {
    const by = Object.hasOwn(keys, scaleBy) ? keys[scaleBy] : undefined;
    const isNumber = by !== undefined && !isBit(by) && by.as !== "string" && by.scaleBy === undefined;
    if (!isNumber || scaleBy === name) {
      return ["scaleBy", `expected another key with a number of its own, found ${JSON.stringify(scaleBy)}`];
    }
  }
  for (const one of none === undefined ? [] : [none].flat()) {
    if ((typeof one === "string") !== (as === "string")) {
      const what = as === "string" ? "a string" : "a number";
      return ["none", `expected ${what} for "as": ${JSON.stringify(as)}, found ${JSON.stringify(one)}`];
    }
    const [least, most] = rangeOf(as) ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const isWide = typeof one === "string" || as.endsWith("64") || as.startsWith("float");
    if (!isWide && !(Number.isInteger(one) && one >= least && one <= Math.max(most, most - least))) {
      return ["none", `expected the number in the registers, before "scale", of an ${as}, found ${one}`];
    }
  }
  return undefined;
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
  if (isSimulated) addSource(source, simulatedValues(simulatedUnits(options).unit(unit), keys));
  const report = (error: unknown) => logFailure(source, error instanceof Error ? error.message : String(error));
  return describeNoun(new ModbusNoun(modbus, options, report), others);
}
