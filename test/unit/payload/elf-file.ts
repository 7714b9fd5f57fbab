/**
 * Small ELF files as a linker lays them out, and what is in an ELF file, by a reading of elf(5) of its own: it shares
 * nothing with the code that is tested.
 */

/** What a file is made of. */
export interface ElfPlan {
  readonly bits: 32 | 64;
  readonly bigEndian: boolean;
  /** The bytes of a section `.text`, which comes before the slot. */
  readonly text: Uint8Array;
  /** What is in the slot at first. */
  readonly slot: Uint8Array;
  /** The bytes of a section `.comment`, which comes after the slot and is not loaded. */
  readonly comment: Uint8Array;
}

/** An entry of the section table. */
export interface Section {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** An entry of the program header table. */
export interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
}

/** What a file says. */
export interface ElfContent {
  readonly sections: readonly Section[];
  readonly segments: readonly Segment[];
  /** Where the section table begins. */
  readonly sectionTable: number;
}

/** The types of segments that the files have. */
export const segmentType = { load: 1, stack: 0x6474e551 };

const page = 0x1000;

/** Writes numbers one after the other. */
class Writer {
  readonly bytes: number[] = [];
  readonly #plan: ElfPlan;

  constructor(plan: ElfPlan) {
    this.#plan = plan;
  }

  number(value: number, size: number): this {
    const little = Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** index) % 256);
    this.bytes.push(...(this.#plan.bigEndian ? little.reverse() : little));
    return this;
  }

  wide(...values: readonly number[]): this {
    for (const value of values) this.number(value, this.#plan.bits / 8);
    return this;
  }

  word(...values: readonly number[]): this {
    for (const value of values) this.number(value, 4);
    return this;
  }

  half(...values: readonly number[]): this {
    for (const value of values) this.number(value, 2);
    return this;
  }
}

/**
 * A file with the sections `.text`, `.bss`, `.nound_payload`, `.comment` and `.shstrtab`, and a stack that is not
 * executable.
 */
export function makeElf(plan: ElfPlan): Uint8Array {
  const is64 = plan.bits === 64;
  const names = "\0.text\0.bss\0.nound_payload\0.comment\0.shstrtab\0";
  const headerSize = is64 ? 64 : 52;
  const segmentSize = is64 ? 56 : 32;
  const sectionSize = is64 ? 64 : 40;
  const aligned = (offset: number) => Math.ceil(offset / 16) * 16;
  const textAt = aligned(headerSize + 3 * segmentSize);
  const slotAt = aligned(textAt + plan.text.length);
  const commentAt = slotAt + plan.slot.length;
  const namesAt = commentAt + plan.comment.length;
  const sectionsAt = aligned(namesAt + names.length);

  const header = new Writer(plan);
  header.bytes.push(0x7f, 0x45, 0x4c, 0x46, is64 ? 2 : 1, plan.bigEndian ? 2 : 1, 1, ...Array<number>(9).fill(0));
  header.half(2, 40).word(1).wide(0x10000, headerSize, sectionsAt).word(0);
  header.half(headerSize, segmentSize, 3, sectionSize, 6, 5);
  const segment = (type: number, flags: number, offset: number, address: number, file: number, memory: number) => {
    if (is64) header.word(type, flags).wide(offset, address, address, file, memory, page);
    else header.word(type, offset, address, address, file, memory, flags, page);
  };
  segment(segmentType.load, 5, 0, 0x10000, textAt + plan.text.length, textAt + plan.text.length + 64);
  segment(segmentType.load, 4, slotAt, 0x40000 + (slotAt % page), plan.slot.length, plan.slot.length);
  segment(segmentType.stack, 6, 0, 0, 0, 0);

  const table = new Writer(plan);
  const section = (name: string, type: number, address: number, offset: number, size: number) => {
    const at = name === "" ? 0 : names.indexOf(`\0${name}\0`) + 1;
    table
      .word(at, type)
      .wide(name === ".comment" ? 0 : 2, address, offset, size)
      .word(0, 0)
      .wide(1, 0);
  };
  section("", 0, 0, 0, 0);
  section(".text", 1, 0x10000 + textAt, textAt, plan.text.length);
  section(".bss", 8, 0x20000, textAt + plan.text.length, 64);
  section(".nound_payload", 1, 0x40000 + (slotAt % page), slotAt, plan.slot.length);
  section(".comment", 1, 0, commentAt, plan.comment.length);
  section(".shstrtab", 3, 0, namesAt, names.length);

  const file = new Uint8Array(sectionsAt + table.bytes.length);
  file.set(header.bytes);
  file.set(plan.text, textAt);
  file.set(plan.slot, slotAt);
  file.set(plan.comment, commentAt);
  file.set(Buffer.from(names, "latin1"), namesAt);
  file.set(table.bytes, sectionsAt);
  return file;
}

/** Reads a file. */
export function readElf(file: Uint8Array): ElfContent {
  const is64 = file[4] === 2;
  const little = file[5] !== 2;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const word = (at: number) => view.getUint32(at, little);
  const half = (at: number) => view.getUint16(at, little);
  const wide = (at: number) => (is64 ? Number(view.getBigUint64(at, little)) : word(at));
  const segments = Array.from({ length: half(is64 ? 56 : 44) }, (_, index): Segment => {
    const at = wide(is64 ? 32 : 28) + index * (is64 ? 56 : 32);
    return is64
      ? {
          ...{ type: word(at), flags: word(at + 4), offset: wide(at + 8), address: wide(at + 16) },
          ...{ fileSize: wide(at + 32), memorySize: wide(at + 40) },
        }
      : {
          ...{ type: word(at), flags: word(at + 24), offset: word(at + 4), address: word(at + 8) },
          ...{ fileSize: word(at + 16), memorySize: word(at + 20) },
        };
  });
  const sectionTable = wide(is64 ? 40 : 32);
  const entries = Array.from({ length: half(is64 ? 60 : 48) }, (_, index) => {
    const at = sectionTable + index * (is64 ? 64 : 40);
    return {
      name: word(at),
      type: word(at + 4),
      offset: wide(at + (is64 ? 24 : 16)),
      size: wide(at + (is64 ? 32 : 20)),
    };
  });
  const names = entries[half(is64 ? 62 : 50)]?.offset ?? 0;
  const sections = entries.map(({ name, type, offset, size }): Section => {
    const end = file.indexOf(0, names + name);
    const bytes = type === 8 ? new Uint8Array() : file.slice(offset, offset + size);
    return { name: Buffer.from(file.slice(names + name, end)).toString("latin1"), offset, size, bytes };
  });
  return { sections, segments, sectionTable };
}
