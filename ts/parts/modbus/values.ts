/**
 * Values in registers: their types and the order of their bytes.
 *
 *     decode([0x4366, 0x0000], { as: "float32", order: "ABCD" }); // 230
 */

import { registersIn, word } from "./functions.ts";

/** The types of values. `bits` is a register of 16 single bits, `string` a text with two characters in each register. */
export const valueTypes = [
  "int16",
  "uint16",
  "int32",
  "uint32",
  "float32",
  "int64",
  "uint64",
  "float64",
  "bits",
  "string",
] as const;

/**
 * The type of a value in registers.
 *
 * @example
 * const as: ValueType = "float32";
 * server.register("grid", modbusNoun({ device: "/dev/ttyS1", keys: { volts: { read: "input", at: 0, as } } }));
 */
export type ValueType = (typeof valueTypes)[number];

/** How the bytes of a value are in its registers: `ABCD` is Modbus's own, `CDAB` has the low register first. */
export const valueOrders = ["ABCD", "DCBA", "BADC", "CDAB"] as const;

/**
 * The order of the bytes of a value.
 *
 * @example
 * const order: ValueOrder = "CDAB";
 * const keys = { volts: { read: "input", at: 0, as: "float32", order } } as const;
 * server.register("grid", modbusNoun({ device: "/dev/ttyS1", keys }));
 */
export type ValueOrder = (typeof valueOrders)[number];

/** How a number is in its registers. */
export interface ValueForm {
  readonly as: Exclude<ValueType, "string">;
  readonly order: ValueOrder;
}

/** Bytes of the longest text: those of 125 registers. */
export const longestText = 250;

/** @param length of a text, in bytes. @returns how many registers a value takes. */
export function registersOf(as: ValueType, length = 0): number {
  if (as === "string") return Math.ceil(length / 2);
  return as.endsWith("64") ? 4 : as.endsWith("32") ? 2 : 1;
}

/** @returns the range of the whole numbers of a type; undefined of the others. */
export function rangeOf(as: ValueType): readonly [minimum: number, maximum: number] | undefined {
  if (as.startsWith("float") || as === "string") return undefined;
  if (as.endsWith("64")) return [as === "int64" ? Number.MIN_SAFE_INTEGER : 0, Number.MAX_SAFE_INTEGER];
  const size = as.endsWith("32") ? 2 ** 32 : 2 ** 16;
  return as.startsWith("int") ? [-size / 2, size / 2 - 1] : [0, size - 1];
}

/** Swaps the bytes of registers by an order. */
function withBytes(registers: readonly number[], order: ValueOrder): number[] {
  const swaps = order === "DCBA" || order === "BADC";
  return registers.map((one) => (swaps ? ((one & 0xff) << 8) | (one >> 8) : one));
}

/** Swaps registers and bytes by an order, which is its own inverse. */
function ordered(registers: readonly number[], order: ValueOrder): number[] {
  const swapped = withBytes(registers, order);
  return order === "DCBA" || order === "CDAB" ? swapped.reverse() : swapped;
}

/** Where the bytes of a value are put in order. */
const view = new DataView(new ArrayBuffer(8));

function putInOrder(registers: readonly number[], { order }: ValueForm): void {
  const words = order === "ABCD" ? registers : ordered(registers, order);
  for (let index = 0; index < words.length; index++) view.setUint16(2 * index, words[index] as number);
}

/** @returns the value; undefined for one that is no finite number, or not exact as a number. */
export function decode(registers: readonly number[], form: ValueForm): number | undefined {
  const value = approximate(registers, form);
  return (form.as.endsWith("int64") ? Number.isSafeInteger(value) : Number.isFinite(value)) ? value : undefined;
}

/**
 * @param none a number with the type of the value, or one with the same bits: 65535 and -1 are the same `int16`.
 * @returns whether the registers hold it.
 */
export function holds(registers: readonly number[], form: ValueForm, none: number): boolean {
  const value = approximate(registers, form);
  if (form.as === "float32") return value === Math.fround(none);
  return value === none || (form.as.startsWith("int") && value < 0 && value + 2 ** Number(form.as.slice(3)) === none);
}

/** What reads a number of each type. */
const getters = {
  int16: "getInt16",
  uint16: "getUint16",
  bits: "getUint16",
  int32: "getInt32",
  uint32: "getUint32",
  float32: "getFloat32",
  float64: "getFloat64",
} as const;

/** @returns the value; of 64 bits, the nearest number to it. */
function approximate(registers: readonly number[], form: ValueForm): number {
  putInOrder(registers, form);
  const { as } = form;
  if (as.endsWith("int64"))
    return (as === "int64" ? view.getInt32(0) : view.getUint32(0)) * 2 ** 32 + view.getUint32(4);
  return view[getters[as as keyof typeof getters]](0);
}

/** @param value in the range of the type; it is rounded if the type has whole numbers. @returns its registers. */
export function encode(value: number, form: ValueForm): number[] {
  const { as, order } = form;
  if (as === "float32") view.setFloat32(0, value);
  else if (as === "float64") view.setFloat64(0, value);
  else if (as.endsWith("64")) {
    const whole = Math.round(value);
    const low = ((whole % 2 ** 32) + 2 ** 32) % 2 ** 32;
    view.setInt32(0, (whole - low) / 2 ** 32);
    view.setUint32(4, low);
  } else if (as.endsWith("32")) view.setInt32(0, Math.round(value));
  else view.setInt16(0, Math.round(value));
  const registers = Array.from({ length: registersOf(as) }, (_, index) => view.getUint16(2 * index));
  return ordered(registers, order);
}

/**
 * @param length in bytes. @param order `BADC` and `DCBA` have the second character of a register first.
 * @returns the bytes of a text up to the first 0, without the blanks that fill it up.
 */
export function decodeText(registers: readonly number[], length: number, order: ValueOrder): string {
  const bytes = withBytes(registers, order).map(word).join("");
  const end = bytes.indexOf("\0");
  return bytes.slice(0, end < 0 ? length : Math.min(end, length)).replace(/ +$/, "");
}

/** @param bytes at most `length`. @returns its registers, filled up with 0. */
export function encodeText(bytes: string, length: number, order: ValueOrder): number[] {
  return withBytes(registersIn(bytes.padEnd(2 * registersOf("string", length), "\0")), order);
}

/** A single-precision number in as few digits as tell it apart. @returns a number for people. */
export function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
