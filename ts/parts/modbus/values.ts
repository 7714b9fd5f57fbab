/**
 * Values in registers: their types and the order of their bytes.
 *
 *     decode([0x4366, 0x0000], { as: "float32", order: "ABCD" }); // 230
 */

/** The types of values. `bits` is a register of 16 single bits. */
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

/** How a value is in its registers. */
export interface ValueForm {
  readonly as: ValueType;
  readonly order: ValueOrder;
}

/** @returns how many registers a value takes. */
export function registersOf(as: ValueType): 1 | 2 | 4 {
  return as.endsWith("64") ? 4 : as.endsWith("32") ? 2 : 1;
}

/** @returns the range of the whole numbers of a type; undefined of the others. */
export function rangeOf(as: ValueType): readonly [minimum: number, maximum: number] | undefined {
  if (as.startsWith("float")) return undefined;
  if (as.endsWith("64")) return [as === "int64" ? Number.MIN_SAFE_INTEGER : 0, Number.MAX_SAFE_INTEGER];
  const size = as.endsWith("32") ? 2 ** 32 : 2 ** 16;
  return as.startsWith("int") ? [-size / 2, size / 2 - 1] : [0, size - 1];
}

/** Swaps registers and bytes by an order, which is its own inverse. */
function ordered(registers: readonly number[], order: ValueOrder): number[] {
  const swapsBytes = order === "DCBA" || order === "BADC";
  const swapsWords = order === "DCBA" || order === "CDAB";
  const swapped = swapsBytes ? registers.map((one) => ((one & 0xff) << 8) | (one >> 8)) : [...registers];
  return swapsWords ? swapped.reverse() : swapped;
}

function viewOf(registers: readonly number[], { order }: ValueForm): DataView {
  const view = new DataView(new ArrayBuffer(8));
  for (const [index, register] of ordered(registers, order).entries()) view.setUint16(2 * index, register);
  return view;
}

/** @returns a value of 64 bits; undefined if a number cannot be exactly that. */
function longOf(view: DataView, as: "int64" | "uint64"): number | undefined {
  const high = as === "int64" ? view.getInt32(0) : view.getUint32(0);
  const value = high * 2 ** 32 + view.getUint32(4);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** @returns the value; undefined for one that is no finite number, or not exact as a number. */
export function decode(registers: readonly number[], form: ValueForm): number | undefined {
  const view = viewOf(registers, form);
  switch (form.as) {
    case "int16":
      return view.getInt16(0);
    case "uint16":
    case "bits":
      return view.getUint16(0);
    case "int32":
      return view.getInt32(0);
    case "uint32":
      return view.getUint32(0);
    case "float32":
      return finite(view.getFloat32(0));
    case "float64":
      return finite(view.getFloat64(0));
    case "int64":
    case "uint64":
      return longOf(view, form.as);
  }
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** @param value in the range of the type; it is rounded if the type has whole numbers. @returns its registers. */
export function encode(value: number, form: ValueForm): number[] {
  const view = new DataView(new ArrayBuffer(8));
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

/** A single-precision number in as few digits as tell it apart. @returns a number for people. */
export function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
