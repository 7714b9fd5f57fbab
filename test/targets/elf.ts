/** What the header of an ELF file says (ELF specification, "File format"). */
import { readFileSync } from "node:fs";

/** Requirements on a binary for a board. */
export interface Elf {
  readonly bits: 32 | 64;
  readonly bigEndian: boolean;
  /** True when it asks for a dynamic linker or for libraries. */
  readonly isDynamic: boolean;
  /** The names of its sections. */
  readonly sections: readonly string[];
}

const interpreterSegment = 3; // PT_INTERP
const dynamicSegment = 2; // PT_DYNAMIC

/** @throws Error when the file is not of the format ELF. */
export function readElf(path: string): Elf {
  const file = readFileSync(path);
  if (file.toString("latin1", 0, 4) !== "\x7fELF") {
    throw new Error(`${path} is not an ELF file.`);
  }
  const is64 = file[4] === 2;
  const bigEndian = file[5] === 2;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const half = (at: number): number => view.getUint16(at, !bigEndian);
  const word = (at: number): number => view.getUint32(at, !bigEndian);
  const address = (at: number): number => (is64 ? Number(view.getBigUint64(at, !bigEndian)) : word(at));

  const segmentTypes = Array.from({ length: half(is64 ? 56 : 44) }, (_, index) =>
    word(address(is64 ? 32 : 28) + index * half(is64 ? 54 : 42)),
  );
  const header = (index: number): number => address(is64 ? 40 : 32) + index * half(is64 ? 58 : 46);
  const names = address(header(half(is64 ? 62 : 50)) + (is64 ? 24 : 16));
  const sections = Array.from({ length: half(is64 ? 60 : 48) }, (_, index) => {
    const start = names + word(header(index));
    return file.toString("latin1", start, file.indexOf(0, start));
  });
  return {
    bits: is64 ? 64 : 32,
    bigEndian,
    isDynamic: segmentTypes.includes(interpreterSegment) || segmentTypes.includes(dynamicSegment),
    sections,
  };
}
