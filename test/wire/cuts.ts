/** How the bytes of a request are cut into separate sends. */

/** A way to cut bytes. */
export interface Cut {
  readonly how: string;
  readonly cut: (bytes: string) => Iterable<string>;
}

/** All bytes in one send. */
export const whole: Cut = { how: "whole", cut: (bytes) => [bytes] };

/** A send for each byte. */
export const byteByByte: Cut = { how: "one byte at a time", cut: (bytes) => bytes };

/** All cuts. */
export const cuts: readonly Cut[] = [
  whole,
  { how: "cut at each line end", cut: (bytes) => bytes.split(/(?<=\r\n)/) },
  { how: "cut between CR and LF", cut: (bytes) => bytes.split(/(?<=\r)(?=\n)/) },
  { how: "seven bytes at a time", cut: (bytes) => bytes.match(/.{1,7}/gs) ?? [] },
  byteByByte,
];
