/** Bytes that look random and are the same in every run (a linear congruential generator). */

/** @returns a function that gives the next so many bytes, one a character. */
export function randomBytes(seed: number): (count: number) => string {
  let value = seed;
  return (count) => {
    let bytes = "";
    for (let index = 0; index < count; index++) {
      value = (value * 1_664_525 + 1_013_904_223) % 2 ** 32;
      bytes += String.fromCharCode(value >>> 24);
    }
    return bytes;
  };
}
