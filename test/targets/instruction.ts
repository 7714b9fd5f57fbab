/**
 * A program of one instruction, as an ELF file: it ends with status 0 where the processor has the instruction, and by a
 * signal where it has not.
 */
import type { Target } from "./targets.ts";

/**
 * A family of processors as an ELF file names it (e_machine, e_flags), and the code that ends a process with status 0.
 */
interface Family {
  readonly machine: number;
  readonly flags: number;
  readonly is64: boolean;
  readonly exit: string;
}

const families: Readonly<Record<string, Family>> = {
  "qemu-x86_64-static": { machine: 62, flags: 0, is64: true, exit: "b83c00000031ff0f05" },
  "qemu-aarch64-static": { machine: 183, flags: 0, is64: true, exit: "a80b80d2000080d2010000d4" },
  "qemu-arm-static": { machine: 40, flags: 0x0500_0000, is64: false, exit: "0170a0e30000a0e3000000ef" },
  "qemu-mipsel-static": { machine: 8, flags: 0x7000_1000, is64: false, exit: "a10f0224000004240c00000000000000" },
  "qemu-mips-static": { machine: 8, flags: 0x7000_1000, is64: false, exit: "24020fa1240400000000000c00000000" },
  "qemu-riscv64-static": { machine: 243, flags: 5, is64: true, exit: "9308d005014573000000" },
};

const codeAddress = 0x10_0000;
const executableFile = 2; // ET_EXEC
const loadedSegment = 1; // PT_LOAD
const readableAndExecutable = 5; // PF_R | PF_X

/**
 * @param code the instruction's bytes in hexadecimal digits, as they lie in memory, and what it needs before it.
 * @returns the file.
 */
export function programOf(code: string, { emulator, bigEndian }: Target): Uint8Array {
  const family = families[emulator];
  if (family === undefined) {
    throw new Error(`There is no code that ends a process under ${emulator}.`);
  }
  const { machine, flags, is64, exit } = family;
  const body = Buffer.from(code + exit, "hex");
  const [headerSize, segmentSize] = is64 ? [64, 56] : [52, 32];
  const start = headerSize + segmentSize;
  const fields: number[] = [];
  const put = (value: number, size: number): void => {
    for (let index = 0; index < size; index++) {
      const shift = bigEndian ? size - 1 - index : index;
      fields.push(shift < 4 ? (value >>> (8 * shift)) & 0xff : 0);
    }
  };
  const half = (value: number): void => put(value, 2);
  const word = (value: number): void => put(value, 4);
  const address = (value: number): void => put(value, is64 ? 8 : 4);

  fields.push(0x7f, 0x45, 0x4c, 0x46, is64 ? 2 : 1, bigEndian ? 2 : 1, 1, ...new Array<number>(9).fill(0));
  half(executableFile);
  half(machine);
  word(1); // the version of the format
  address(codeAddress + start);
  address(headerSize); // the segment's header follows this one
  address(0); // no sections
  word(flags);
  for (const size of [headerSize, segmentSize, 1, 0, 0, 0]) half(size);

  const length = start + body.length;
  word(loadedSegment);
  if (is64) word(readableAndExecutable);
  for (const value of [0, codeAddress, codeAddress, length, length]) address(value);
  if (!is64) word(readableAndExecutable);
  address(0x1000); // the alignment
  return Buffer.concat([Uint8Array.from(fields), body]);
}
