import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBigEndian, putPayload } from "../../../cli/payload/elf-slot.mjs";
import { type ElfPlan, makeElf, readElf, type Section, segmentType } from "./elf-file.ts";

const bytes = (limit: number, least = 0) => fc.uint8Array({ minLength: least, maxLength: limit });

/** Files of each width and byte order. The slot is as native/engine/payload.c has it: 32 bytes. */
const plans: fc.Arbitrary<ElfPlan> = fc.record({
  bits: fc.constantFrom(32 as const, 64 as const),
  bigEndian: fc.boolean(),
  text: bytes(300),
  slot: fc.constant(new Uint8Array(32)),
  comment: bytes(100),
});

/** Payloads of one byte to several pages. */
const payloads = fc.oneof(
  bytes(64, 1),
  fc.integer({ min: 1, max: 20_000 }).map((size) => new Uint8Array(size).fill(size % 251)),
);

function section(file: Uint8Array, name: string): Section | undefined {
  return readElf(file).sections.find((one) => one.name === name);
}

test("a payload of any size reads back, padded to a multiple of 16 bytes", () => {
  fc.assert(
    fc.property(plans, payloads, (plan, payload) => {
      const { bytes: read = new Uint8Array(), size = 0 } =
        section(putPayload(makeElf(plan), payload), ".nound_payload") ?? {};
      const padded = Buffer.concat([payload, Buffer.alloc(size - payload.length)]);
      expect(Buffer.compare(read, padded)).toBe(0);
      expect(size - payload.length).toBeLessThan(16);
      expect(size % 16).toBe(0);
    }),
  );
});

test("packing again, longer or shorter, gives the file that packing at once gives", () => {
  fc.assert(
    fc.property(plans, fc.array(payloads, { maxLength: 4 }), payloads, (plan, earlier, payload) => {
      const program = makeElf(plan);
      const repacked = [...earlier, payload].reduce<Uint8Array>(putPayload, program);
      expect(Buffer.compare(repacked, putPayload(program, payload))).toBe(0);
    }),
  );
});

test("all other sections keep their bytes, and segments their addresses, sizes and flags", () => {
  fc.assert(
    fc.property(plans, payloads, (plan, payload) => {
      const before = readElf(makeElf(plan));
      const after = readElf(putPayload(makeElf(plan), payload));
      for (const [index, { name, bytes: content }] of before.sections.entries()) {
        if (name === ".nound_payload") continue;
        expect(after.sections[index]?.name).toBe(name);
        expect(Buffer.compare(after.sections[index]?.bytes ?? new Uint8Array(), content)).toBe(0);
      }
      const [text, slot, stack] = after.segments;
      expect([text, stack]).toEqual([before.segments[0], before.segments[2]]);
      expect(stack).toMatchObject({ type: segmentType.stack, flags: 6 });
      const size = after.sections[3]?.size;
      expect(slot).toEqual({ ...before.segments[1], fileSize: size, memorySize: size });
    }),
  );
});

test("the segment is loaded from where the section is, and nothing of the file lies over anything else", () => {
  fc.assert(
    fc.property(plans, payloads, (plan, payload) => {
      const file = putPayload(makeElf(plan), payload);
      const { sections, segments, sectionTable } = readElf(file);
      expect(segments[1]?.offset).toBe(sections[3]?.offset);
      const used = sections
        .filter(({ name }) => name !== "" && name !== ".bss")
        .map(({ offset, size }) => ({ offset, size }));
      const places = [...used, { offset: sectionTable, size: sections.length * (plan.bits === 64 ? 64 : 40) }];
      places.sort((one, other) => one.offset - other.offset || one.size - other.size);
      for (const [index, { offset }] of places.entries()) {
        const previous = places[index - 1];
        if (previous !== undefined) expect(offset).toBeGreaterThanOrEqual(previous.offset + previous.size);
      }
      const last = places.at(-1);
      expect((last?.offset ?? 0) + (last?.size ?? 0)).toBe(file.length);
    }),
  );
});

test("the program itself is left as it is", () => {
  fc.assert(
    fc.property(plans, payloads, (plan, payload) => {
      const program = makeElf(plan);
      putPayload(program, payload);
      expect(Buffer.compare(program, makeElf(plan))).toBe(0);
    }),
  );
});

describe("a file that has no room for a payload is refused with what is wrong", () => {
  const plan: ElfPlan = {
    ...{ bits: 64, bigEndian: false, text: new Uint8Array(20), slot: new Uint8Array(32), comment: new Uint8Array(5) },
  };

  test("what is no ELF file", () => {
    expect(() => putPayload(Buffer.alloc(100), Buffer.alloc(1))).toThrow("it is not an ELF file");
    expect(() => putPayload(Buffer.from("#!/bin/sh\n"), Buffer.alloc(1))).toThrow("it is not an ELF file");
  });

  test("an ELF file without the section", () => {
    const program = Buffer.from(makeElf(plan));
    program.write(".nound_playload", program.indexOf(".nound_payload"), "latin1");
    expect(() => putPayload(program, Buffer.alloc(1))).toThrow("it has no section .nound_payload");
  });

  test("an ELF file in which the section shares its segment, or another segment comes after it", () => {
    const shared = Buffer.from(makeElf(plan));
    shared.writeBigUInt64LE(64n, 64 + 56 + 32); // p_filesz of the second segment
    expect(() => putPayload(shared, Buffer.alloc(1))).toThrow("is not the whole of its last segment");
    const followed = Buffer.from(makeElf(plan));
    followed.writeBigUInt64LE(0x4000n, 64 + 8); // p_offset of the first segment
    expect(() => putPayload(followed, Buffer.alloc(1))).toThrow("is not the whole of its last segment");
  });
});

test("the byte order of a program is read from its header", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      expect(isBigEndian(makeElf(plan))).toBe(plan.bigEndian);
    }),
  );
});
