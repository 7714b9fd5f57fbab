/** Typed arrays in both byte orders, and atomic operations. */
import type { Check } from "./check.ts";

const buffer = new ArrayBuffer(16);
const view = new DataView(buffer);
const bytes = new Uint8Array(buffer);

export const typedArrays: readonly Check[] = [
  [
    "a big-endian number",
    () => {
      view.setUint32(0, 0x01020304);
      return [...bytes.subarray(0, 4)];
    },
    [1, 2, 3, 4],
  ],
  [
    "a little-endian number",
    () => {
      view.setUint32(0, 0x01020304, true);
      return [...bytes.subarray(0, 4)];
    },
    [4, 3, 2, 1],
  ],
  [
    "the bytes of a double",
    () => {
      view.setFloat64(8, -1.5);
      return [...bytes.subarray(8)];
    },
    [191, 248, 0, 0, 0, 0, 0, 0],
  ],
  [
    "the bytes of a float",
    () => {
      view.setFloat32(4, 0.1);
      return [view.getFloat32(4), bytes[4]];
    },
    [0.10000000149011612, 61],
  ],
  [
    "a 64-bit integer",
    () => {
      view.setBigInt64(0, -2n);
      return [String(view.getBigUint64(0)), bytes[7]];
    },
    ["18446744073709551614", 254],
  ],
  ["the same order in and out", () => [...new Float32Array(Float32Array.of(1.5, -2).buffer)], [1.5, -2]],
  [
    "an unaligned number",
    () => {
      view.setInt16(3, -2);
      return [view.getInt16(3), bytes[3], bytes[4]];
    },
    [-2, 255, 254],
  ],
  ["wrapped integers", () => [...Int8Array.of(127, 128, 255, -129)], [127, -128, -1, 127]],
  ["clamped integers", () => [...Uint8ClampedArray.of(-1, 0.5, 1.5, 300, Number.NaN)], [0, 0, 2, 255, 0]],
  ["long integers", () => [...BigInt64Array.of(2n ** 63n)].map(String), ["-9223372036854775808"]],
  [
    "sorted",
    () => [...Float64Array.of(3, -0, 0, Number.NEGATIVE_INFINITY).sort()].map(String),
    ["-Infinity", "0", "0", "3"],
  ],
  [
    "copied over itself",
    () => {
      const a = Uint8Array.of(1, 2, 3, 4);
      a.copyWithin(1, 0, 3);
      return [...a];
    },
    [1, 1, 2, 3],
  ],
  [
    "atomic bytes",
    () => {
      const a = new Uint8Array(8);
      Atomics.add(a, 3, 250);
      Atomics.add(a, 3, 7);
      Atomics.or(a, 2, 5);
      return [...a];
    },
    [0, 0, 5, 1, 0, 0, 0, 0],
  ],
  [
    "atomic 16 bits",
    () => {
      const a = Uint16Array.of(1, 2, 3);
      return [Atomics.exchange(a, 1, 9), Atomics.compareExchange(a, 2, 3, 7), ...a];
    },
    [2, 3, 1, 9, 7],
  ],
  [
    "atomic 32 bits",
    () => {
      const a = Int32Array.of(6, 0);
      return [Atomics.and(a, 0, 3), Atomics.xor(a, 0, 7), Atomics.sub(a, 1, 1), ...a];
    },
    [6, 2, 0, 5, -1],
  ],
];
