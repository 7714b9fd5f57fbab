/** Parts of the native layer that have a program of their own to try them. */

import { spawnSync } from "node:child_process";
import { constants, deflateRawSync } from "node:zlib";
import { array, assert, constantFrom, integer, property, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { commandOf, memoryNotJudged, type Program } from "../harness/environment.ts";
import { patience } from "../harness/patience.ts";

function run(program: Program, ...options: readonly string[]) {
  const [command, ...args] = commandOf(program);
  const { status, stderr } = spawnSync(command, [...args, ...options], {
    encoding: "utf8",
    timeout: patience,
  });
  return { status, stderr };
}

const success = { status: 0, stderr: "" };

test("allocated memory of the engine is not shared, and goes back to the kernel when much of it is free", () => {
  const options = memoryNotJudged === undefined ? [] : ["--memory-not-judged"];
  expect(run("engine-heap-test", ...options)).toEqual(success);
});

test("a server leaves states of 64 MiB for the next one, and not a byte more", () => {
  expect(run("states-left-test")).toEqual(success);
});

test("memory is copied, moved, set and compared as the C standard says", () => {
  expect(run("libc-memory-test")).toEqual(success);
});

test("a handshake ends at its deadline, though its peer floods it with what TLS ignores", () => {
  expect(run("tls-flood-test")).toEqual(success);
});

test("the kernel gets the keys of a connection as RFC 8448 has them, and a cipher that it refuses once", () => {
  expect(run("kernel-tls-test")).toEqual(success);
});

test("a client that takes nothing, or little, of what was sent last has its place for a bounded time", () => {
  expect(run("farewell-test")).toEqual(success);
});

/** @returns the bytes that it inflates to; its exit status if there are none. */
function inflated(packed: Uint8Array, size: number): Buffer | number | null {
  const [command, ...args] = commandOf("inflate-test");
  const { status, stdout } = spawnSync(command, [...args, String(size)], { input: packed, timeout: patience });
  return status === 0 ? stdout : status;
}

test("what Node deflates is inflated to the same bytes, and to no other number of them", () => {
  const { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
  const pieces = array(uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 6 });
  const law = property(
    pieces,
    array(integer({ min: 0, max: 5 }), { maxLength: 200 }),
    integer({ min: 0, max: 9 }),
    constantFrom(Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE),
    (texts, order, level, strategy) => {
      const bytes = Buffer.concat(
        [...texts, ...order.map((index) => texts[index % texts.length] ?? [])].map(Buffer.from),
      );
      const packed = deflateRawSync(bytes, { level, strategy });
      expect(inflated(packed, bytes.length)).toEqual(bytes);
      for (const size of [bytes.length - 1, bytes.length + 1]) expect(inflated(packed, size)).toBe(3);
      expect(inflated(packed.subarray(0, -1), bytes.length)).toBe(3);
    },
  );
  assert(law, { numRuns: 30 });
});

test("damaged bytes are refused, or inflated to as many as were asked for", () => {
  const whole = deflateRawSync(Buffer.from("What a command says is read once. ".repeat(40)));
  const changes = array(integer({ min: 0, max: 8 * whole.length - 1 }), { minLength: 1, maxLength: 5 });
  const law = property(changes, integer({ min: 0, max: 3_000 }), (bits, size) => {
    const packed = Buffer.from(whole);
    for (const bit of bits) packed[bit >> 3] = (packed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const given = inflated(packed, size);
    expect(Buffer.isBuffer(given) ? given.length : given).toBeOneOf([size, 3]);
  });
  assert(law, { numRuns: 60 });
});
