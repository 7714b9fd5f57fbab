/** native/engine/inflate.c, which reads the parts of the script, against Node's zlib and streams that are damaged. */

import { spawnSync } from "node:child_process";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import * as fc from "fast-check";
import { deflateRaw } from "pako";
import { expect, test } from "vitest";
import { commandOf } from "../harness/environment.ts";
import { patience } from "../harness/patience.ts";

interface Case {
  readonly stream: Buffer;
  readonly dictionary: Buffer;
  /** How many bytes the stream should give. */
  readonly size: number;
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}

/** What the program makes of each case; undefined for a stream that it refuses. */
function inflated(cases: readonly Case[]): readonly (Buffer | undefined)[] {
  const [command, ...args] = commandOf("inflate-test");
  const input = cases.flatMap(({ stream, dictionary, size }) => [
    numbers(stream.length, dictionary.length, size),
    stream,
    dictionary,
  ]);
  const { status, stdout, stderr } = spawnSync(command, args, {
    input: Buffer.concat(input),
    maxBuffer: 64 * 1024 * 1024,
    timeout: patience,
  });
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
  let place = 0;
  return cases.map(({ size }) => {
    const isRight = stdout[place] === 1;
    const bytes = isRight ? stdout.subarray(place + 1, place + 1 + size) : undefined;
    place += 1 + (bytes?.length ?? 0);
    return bytes;
  });
}

/** Bytes with repetitions at all distances: of a seed, a few words of it, over and over. */
const repetitive = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.array(fc.tuple(fc.nat(), fc.nat(600)), { maxLength: 300 }))
  .map(([seed, cuts]) => {
    const pieces = cuts.map(([start, length]) => seed.subarray(start % seed.length, (start % seed.length) + length));
    return Buffer.concat([seed, ...pieces]);
  });
const content = fc.oneof(
  repetitive,
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
);
const dictionary = fc.oneof(fc.constant(Buffer.alloc(0)), repetitive);
const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
});

/** A stream of Node's zlib, and what it was made of. */
const compressed = fc.record({ content, dictionary, options }).map((given) => {
  const preset = given.dictionary.length > 0 ? { dictionary: given.dictionary } : {};
  return { ...given, stream: deflateRawSync(given.content, { ...given.options, ...preset }) };
});

test("inflates what zlib compresses to the same bytes, by any level, strategy and dictionary", () => {
  fc.assert(
    fc.property(fc.array(compressed, { minLength: 1, maxLength: 20 }), (cases) => {
      const results = inflated(cases.map((given) => ({ ...given, size: given.content.length })));
      expect(results).toEqual(cases.map((given) => given.content));
    }),
    { numRuns: 30 },
  );
});

test("a stream of pako, which the build compresses by, is inflated to the same bytes", () => {
  fc.assert(
    fc.property(content, dictionary, (bytes, preset) => {
      const stream = Buffer.from(deflateRaw(bytes, { level: 9, dictionary: preset }));
      expect(inflated([{ stream, dictionary: preset, size: bytes.length }])).toEqual([bytes]);
    }),
    { numRuns: 30 },
  );
});

test("what repeats over the whole window of 32 KB, and lengths of up to 258, is inflated", () => {
  const random = Buffer.from(Array.from({ length: 32_768 }, (_, index) => (index * index * 2_654_435_761) >>> 24));
  const bytes = Buffer.concat([random, random, Buffer.alloc(100_000, 7), random.subarray(0, 300)]);
  const stream = deflateRawSync(bytes, { level: 9 });
  expect(inflated([{ stream, dictionary: Buffer.alloc(0), size: bytes.length }])).toEqual([bytes]);
});

test("a stream that ends too early, or gives more or fewer bytes than expected, is refused", () => {
  fc.assert(
    fc.property(compressed, fc.nat(), fc.integer({ min: 1, max: 300 }), (given, place, difference) => {
      const size = given.content.length;
      const whole = { stream: given.stream, dictionary: given.dictionary, size };
      const results = inflated([
        { ...whole, stream: given.stream.subarray(0, place % given.stream.length) },
        { ...whole, size: size + difference },
        { ...whole, size: Math.max(0, size - difference) },
      ]);
      expect(results.slice(0, 2)).toEqual([undefined, undefined]);
      expect(results[2]).toEqual(size === 0 ? given.content : undefined);
    }),
    { numRuns: 50 },
  );
});

/** What zlib says of a stream that may be damaged. */
function judged({ stream, dictionary: preset }: Omit<Case, "size">): Buffer | undefined {
  try {
    return inflateRawSync(stream, preset.length > 0 ? { dictionary: preset } : {});
  } catch {
    return undefined;
  }
}

test("a damaged stream is refused, or gives what zlib makes of it", () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(compressed, damage), { minLength: 1, maxLength: 40 }), (given) => {
      const cases = given.map(([{ stream, dictionary: preset }, changes]) => {
        const damaged = Buffer.from(stream);
        for (const [place, mask] of changes) {
          const index = place % damaged.length;
          damaged[index] = (damaged[index] ?? 0) ^ mask;
        }
        const expected = judged({ stream: damaged, dictionary: preset });
        return { stream: damaged, dictionary: preset, expected, size: expected?.length ?? 5_000 };
      });
      for (const [index, result] of inflated(cases).entries()) {
        const expected = cases[index]?.expected;
        // zlib refuses some codes that no encoder makes, such as one with too few symbols; what it takes is taken here.
        if (expected !== undefined) expect(result).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});
