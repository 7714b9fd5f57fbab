/** The noun by which people move the values of a simulated unit. */
import type { Noun } from "../../core/noun/noun.ts";
import type { Key } from "../../core/noun/shape.ts";
import type { Scalar, State } from "../../core/noun/state.ts";
import { bitsOf, isBit, type ModbusKey, type ModbusKeys, rawOf, spanOf, valueIn } from "./modbus-key.ts";
import type { Span } from "./plan.ts";
import type { SimulatedUnit } from "./simulated-units.ts";
import { decode, encode } from "./values.ts";

/** @returns a noun that moves the values of a simulated unit. Nothing is null there. */
export function simulatedValues(unit: SimulatedUnit, keys: ModbusKeys): Noun {
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
