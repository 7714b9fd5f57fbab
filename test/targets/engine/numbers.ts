/** Arithmetic, decimals, integers of 32 bits and of any length, time. */
import type { Check } from "./check.ts";

export const numbers: readonly Check[] = [
  ["the shortest decimal of a sum", () => String(0.1 + 0.2), "0.30000000000000004"],
  ["the greatest number", () => String(Number.MAX_VALUE), "1.7976931348623157e+308"],
  ["the least number", () => String(Number.MIN_VALUE), "5e-324"],
  ["half of the least number", () => Number.MIN_VALUE / 2, 0],
  ["overflow", () => String(Number.MAX_VALUE * 2), "Infinity"],
  ["a number read to its last digit", () => Number("9007199254740993.5"), 9007199254740994],
  ["the sign of zero", () => [Object.is(-0, 0), 1 / -0 < 0, Object.is(Math.round(-0.2), -0)], [false, true, true]],
  [
    "NaN",
    () => [Number("x") === Number("y"), Math.max(1, Number.NaN) > 0, [Number.NaN].includes(Number.NaN)],
    [false, false, true],
  ],
  ["division and remainder", () => [7 / 2, -7 % 3, 7 % -3, 5.5 % 2], [3.5, -1, 1, 1.5]],
  [
    "32-bit arithmetic",
    () => [(2 ** 31) | 0, -1 >>> 0, 1 << 31, -9 >> 1, Math.imul(0xffffffff, 5)],
    [-2147483648, 4294967295, -2147483648, -5, -5],
  ],
  [
    "integers that outgrow 32 bits",
    () => [2147483647 + 1, -2147483648 - 1, 65536 * 65536],
    [2147483648, -2147483649, 4294967296],
  ],
  [
    "integers from numbers out of their range",
    () => [(2 ** 32 + 5) | 0, -(2 ** 53) | 0, 1e300 | 0, Number.NaN | 0],
    [5, 0, 0, 0],
  ],
  [
    "decimals",
    () => [(1.005).toFixed(2), (123.456).toPrecision(4), (1e21).toFixed(2), (0.00001).toString()],
    ["1.00", "123.5", "1e+21", "0.00001"],
  ],
  ["another radix", () => [(255).toString(16), (0.5).toString(2), Number.parseInt("zz", 36)], ["ff", "0.1", 1295]],
  [
    "roots and powers",
    () => [Math.sqrt(3), 3 ** 0.5, Math.round(Math.cbrt(27)), Math.hypot(3, 4)],
    [1.7320508075688772, 1.7320508075688772, 3, 5],
  ],
  [
    "rounding",
    () => [Math.floor(-1.5), Math.ceil(-1.5), Math.round(2.5), Math.trunc(-1.9), Math.fround(0.1)],
    [-2, -1, 3, -1, 0.10000000149011612],
  ],
  ["logarithms", () => [Math.log2(8), Math.log10(1000), Math.clz32(1), Math.sign(-3)], [3, 3, 31, -1]],
  ["angles", () => [Math.sin(0), Math.cos(0), Math.atan2(1, 1).toFixed(12)], [0, 1, "0.785398163397"]],
  [
    "long integers",
    () => [String(2n ** 100n), String(-7n / 2n), String(BigInt.asIntN(8, 255n))],
    ["1267650600228229401496703205376", "-3", "-1"],
  ],
  [
    "the product of long integers",
    () => String(12345678901234567890n * 98765432109876543210n),
    "1219326311370217952237463801111263526900",
  ],
  ["JSON numbers", () => JSON.parse("[1e3,-0.5,123456789012,1E-7]"), [1000, -0.5, 123456789012, 1e-7]],
  ["a time", () => new Date(Date.UTC(2024, 1, 29, 23, 59, 59, 999)).toISOString(), "2024-02-29T23:59:59.999Z"],
  [
    "a time before 1970",
    () => [new Date(-1).getUTCFullYear(), Date.parse("1900-01-01T00:00:00Z")],
    [1969, -2208988800000],
  ],
  ["sorted numbers", () => [10, 9, 1, -1, 2 ** 40, 0.5].sort((a, b) => a - b), [-1, 0.5, 1, 9, 10, 1099511627776]],
];
