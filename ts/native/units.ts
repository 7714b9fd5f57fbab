/** The units of times, for code that has several. */

/**
 * A time in ms.
 *
 * @example
 * const lease: Milliseconds = 30_000;
 */
export type Milliseconds = number;

/**
 * A time in µs.
 *
 * @example
 * const debounce: Microseconds = 5_000; // 5 ms
 */
export type Microseconds = number;

/**
 * A time in ns.
 *
 * @example
 * const period: Nanoseconds = 40_000; // 25 kHz
 */
export type Nanoseconds = number;
