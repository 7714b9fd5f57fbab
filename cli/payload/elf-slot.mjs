/**
 * Puts a payload into a linked ELF file: the program `nound-runtime` has an empty section for it, in a separate segment
 * behind all others (cmake/layout.ld). The payload becomes part of that section and that segment, so `strip` and
 * `objcopy` keep it, which they do not do with bytes at the end of a file.
 *
 * Field names are those of elf(5). The file may be of 32 or 64 bits and of either byte order.
 */

const slotName = ".nound_payload";
const loadSegment = 1; // PT_LOAD
/** The size of the section is a multiple of this, so that the rest of the file stays aligned. */
const unit = 16;

/** The positions of the fields, by the bits of the file. Those of `wide` are addresses, offsets and sizes. */
const layouts = {
  32: {
    header: { phoff: 28, shoff: 32, phentsize: 42, phnum: 44, shentsize: 46, shnum: 48, shstrndx: 50 },
    segment: { type: 0, offset: 4, filesz: 16, memsz: 20 },
    section: { name: 0, type: 4, offset: 16, size: 20 },
  },
  64: {
    header: { phoff: 32, shoff: 40, phentsize: 54, phnum: 56, shentsize: 58, shnum: 60, shstrndx: 62 },
    segment: { type: 0, offset: 8, filesz: 32, memsz: 40 },
    section: { name: 0, type: 4, offset: 24, size: 32 },
  },
};

/** Reads and writes the numbers of a file. */
class ElfNumbers {
  /**
   * @param {Uint8Array} bytes of the file, which are changed.
   * @param {{ is64: boolean, isBigEndian: boolean }} format
   */
  constructor(bytes, { is64, isBigEndian }) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.is64 = is64;
    this.isLittleEndian = !isBigEndian;
  }

  half(at) {
    return this.view.getUint16(at, this.isLittleEndian);
  }

  word(at) {
    return this.view.getUint32(at, this.isLittleEndian);
  }

  /** An address, an offset or a size. */
  wide(at) {
    return this.is64 ? Number(this.view.getBigUint64(at, this.isLittleEndian)) : this.word(at);
  }

  setWide(at, value) {
    if (this.is64) this.view.setBigUint64(at, BigInt(value), this.isLittleEndian);
    else this.view.setUint32(at, value, this.isLittleEndian);
  }
}

/** The header of a file (e_ident). @throws Error when it is none. */
function formatOf(bytes) {
  const isElf = bytes.length >= 64 && bytes[0] === 0x7f && String.fromCharCode(...bytes.subarray(1, 4)) === "ELF";
  if (!isElf) throw new Error("it is not an ELF file");
  return { is64: bytes[4] === 2, isBigEndian: bytes[5] === 2 };
}

/** Reads the tables of a file: where the entries of each begin. */
function readTables(bytes) {
  const format = formatOf(bytes);
  const numbers = new ElfNumbers(bytes, format);
  const layout = layouts[format.is64 ? 64 : 32];
  const { phoff, shoff, phentsize, phnum, shentsize, shnum, shstrndx } = layout.header;
  const table = (start, count, size) => Array.from({ length: count }, (_, index) => start + index * size);
  const sections = table(numbers.wide(shoff), numbers.half(shnum), numbers.half(shentsize));
  return {
    format,
    numbers,
    layout,
    segments: table(numbers.wide(phoff), numbers.half(phnum), numbers.half(phentsize)),
    sections,
    names: sections[numbers.half(shstrndx)],
  };
}

/** The name of a section. */
function nameOf(bytes, { numbers, layout, names }, section) {
  const start = numbers.wide(names + layout.section.offset) + numbers.word(section + layout.section.name);
  return Buffer.from(bytes.subarray(start, bytes.indexOf(0, start))).toString("latin1");
}

/** The slot: its entries in both tables, and the position of its bytes. @throws Error when no slot can grow. */
function findSlot(bytes, tables) {
  const { numbers, layout, segments, sections, names } = tables;
  const section = names === undefined ? undefined : sections.find((entry) => nameOf(bytes, tables, entry) === slotName);
  if (section === undefined) throw new Error(`it has no section ${slotName}`);
  const offset = numbers.wide(section + layout.section.offset);
  const size = numbers.wide(section + layout.section.size);
  const loads = segments.filter((entry) => numbers.word(entry + layout.segment.type) === loadSegment);
  const isWhole = (entry) =>
    numbers.wide(entry + layout.segment.offset) === offset &&
    numbers.wide(entry + layout.segment.filesz) === size &&
    numbers.wide(entry + layout.segment.memsz) === size;
  const segment = loads.find(isWhole);
  const isLast = loads.every((entry) => numbers.wide(entry + layout.segment.offset) <= offset);
  if (segment === undefined || !isLast) throw new Error(`its section ${slotName} is not the whole of its last segment`);
  return { section, segment, offset, size };
}

/** @param {Uint8Array} program a linked program. @returns {boolean} whether it is for a big-endian processor. */
export function isBigEndian(program) {
  return formatOf(program).isBigEndian;
}

/**
 * @param {Uint8Array} program a linked program with a slot, empty or not.
 * @param {Uint8Array} payload as native/engine/payload.h says; at least its header.
 * @returns {Buffer} the program with the payload in its slot. The same input gives the same bytes.
 * @throws Error saying what is wrong with the program.
 */
export function putPayload(program, payload) {
  const tables = readTables(program);
  const { numbers, layout, segments, sections } = tables;
  const slot = findSlot(program, tables);
  const end = slot.offset + slot.size;
  const size = Math.ceil(payload.length / unit) * unit;
  const padding = Buffer.alloc(size - payload.length);
  const bytes = Buffer.concat([program.subarray(0, slot.offset), payload, padding, program.subarray(end)]);
  const moved = (offset) => (offset >= end ? offset + size - slot.size : offset);

  const result = new ElfNumbers(bytes, tables.format);
  const move = (field) => result.setWide(moved(field), moved(numbers.wide(field)));
  move(layout.header.shoff);
  for (const entry of sections) move(entry + layout.section.offset);
  for (const entry of segments) move(entry + layout.segment.offset);
  result.setWide(moved(slot.section) + layout.section.size, size);
  result.setWide(moved(slot.segment) + layout.segment.filesz, size);
  result.setWide(moved(slot.segment) + layout.segment.memsz, size);
  return bytes;
}
