/**
 * A value of a unit: where it is, and how it is made of registers and written to them.
 *
 *     const limit: ModbusKey = { read: "holding", at: 40, as: "int16", scale: 0.1 };
 *     valueIn(limit, [65_411]); // -12.5
 */

import { decodeUtf8 } from "../../core/http/utf8.ts";
import type { Key, NumberKey } from "../../core/noun/shape.ts";
import type { Scalar } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { placeForm } from "../../native/registers.ts";
import type { Table } from "./functions.ts";
import type { Span } from "./plan.ts";
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
 * The values of a unit, by their keys in the state.
 *
 * @example
 * const keys: ModbusKeys = { volts: { read: "input", at: 0, as: "float32", unit: "V" } };
 * server.register("grid", modbusNoun({ server: "192.0.2.9:502", keys }));
 */
export type ModbusKeys = { readonly [key: string]: ModbusKey };

function isOfBits({ read }: ModbusKey): boolean {
  return read === "coil" || read === "discrete";
}

/** Whether the value is true or false. */
export function isBit(key: ModbusKey): boolean {
  return isOfBits(key) || typeof key.bit === "number";
}

export function spanOf(key: ModbusKey): Span {
  const { read, at, as = "uint16", length } = key;
  return { table: read, at, count: isOfBits(key) ? 1 : registersOf(as, length) };
}

/** @param power the power of ten. @returns a number after scale and offset, without the errors of rounding. */
function scaled(raw: number, { as = "uint16", scale = 1, offset = 0 }: ModbusKey, power = 0): number {
  const value = as === "float32" ? shortest(raw) : raw;
  if (scale === 1 && offset === 0 && power === 0) return value;
  return Number((value * scale * tenTo(power) + offset).toPrecision(12));
}

/** @returns ten to a power, exactly, if there is such a number. */
function tenTo(power: number): number {
  return power === 0 ? 1 : Number(`1e${power}`);
}

/** @returns the bits of a register that are a value. */
export function bitsOf(register: number, bit: NonNullable<ModbusKey["bit"]>): number {
  const [lowest, highest] = typeof bit === "number" ? [bit, bit] : bit;
  return (register >> lowest) & (2 ** (highest - lowest + 1) - 1);
}

/**
 * @param power as in `scaled`.
 * @returns the value of a key; null if the registers say that there is none. @throws Error if they hold none.
 */
export function valueIn(key: ModbusKey, values: readonly number[], power?: number): Scalar {
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

/** The scales of numbers that are written with decimals, and how many. */
const decimalsOf: ReadonlyMap<number, number> = new Map([
  [1, 0],
  [0.1, 1],
  [0.01, 2],
  [0.001, 3],
]);

/** @returns how `nound:registers` writes the value; undefined of one that is more than a number in its registers. */
export function formOf(key: ModbusKey): number | undefined {
  const { as = "uint16", order = "ABCD", scale = 1, offset = 0, none, bit, scaleBy } = key;
  const decimals = decimalsOf.get(scale);
  const isPlain = /^u?int(16|32)$/.test(as) && offset === 0 && none === undefined && bit === undefined;
  if (!isPlain || decimals === undefined || scaleBy !== undefined || isOfBits(key)) return undefined;
  const isLong = as.endsWith("32");
  return (
    (as.startsWith("int") ? placeForm.signed : 0) |
    (isLong ? placeForm.long : 0) |
    (order === "BADC" || order === "DCBA" ? placeForm.swapped : 0) |
    (isLong && (order === "CDAB" || order === "DCBA") ? placeForm.lowFirst : 0) |
    (decimals << placeForm.decimals)
  );
}

function isNone(none: ModbusKey["none"], is: (one: number | string) => boolean): boolean {
  return none !== undefined && (typeof none === "object" ? none : [none]).some(is);
}

/** @returns the power of ten that the value of another key is. @throws Error if it is none. */
export function powerIn(name: string, value: Scalar): number {
  if (Number.isInteger(value) && Math.abs(Number(value)) <= mostPower) return Number(value);
  throw new Error(`${JSON.stringify(name)} is ${JSON.stringify(value)}, which is no power of ten`);
}

/** Larger powers of ten are a unit's mistake, or say that it has none. */
const mostPower = 12;

/** @returns what is written for a value. @throws StateError for one that its registers cannot have. */
export function rawOf(name: string, key: ModbusKey, value: Scalar, power = 0): number[] {
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

export function keyOf(key: ModbusKey): Key {
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

/** @returns the first option of a value that does not fit, as far as types do not say it, with a sentence. */
export function misfitOf(name: string, keys: ModbusKeys): readonly [option: string, sentence: string] | undefined {
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
