/**
 * Runs a filter of system calls as the kernel does (Documentation/networking/filter.rst): for the instructions it may
 * have.
 */

/** One instruction. */
export interface Instruction {
  readonly code: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
  readonly k: number;
}

/** @param printed a line for each instruction, with its four numbers. */
export function readProgram(printed: string): readonly Instruction[] {
  return printed
    .trim()
    .split("\n")
    .map((line) => {
      const [code = 0, whenTrue = 0, whenFalse = 0, k = 0] = line.split(" ").map(Number);
      return { code, whenTrue, whenFalse, k };
    });
}

/** A system call, as the filter sees it (struct seccomp_data). */
export interface SystemCall {
  readonly number: number;
  readonly architecture: number;
  readonly arguments?: readonly bigint[];
}

/** @returns the 64 bytes of the call in the processor's byte order. */
export function layOut({ number, architecture, arguments: values = [] }: SystemCall, bigEndian: boolean): DataView {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, !bigEndian);
  data.setUint32(4, architecture, !bigEndian);
  for (const [index, value] of values.entries()) data.setBigUint64(16 + 8 * index, value, !bigEndian);
  return data;
}

const loadWord = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpIfEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const jumpIfSet = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const giveVerdict = 0x06; // BPF_RET | BPF_K

/** @returns the filter's verdict. @throws Error for what the kernel would not take. */
export function runFilter(program: readonly Instruction[], data: DataView, bigEndian: boolean): number {
  let accumulator = 0;
  for (let at = 0; ; at++) {
    const instruction = program[at];
    if (instruction === undefined) throw new Error(`The filter runs beyond its end, to instruction ${at}.`);
    const { code, whenTrue, whenFalse, k } = instruction;
    switch (code) {
      case loadWord:
        if (k % 4 !== 0 || k > 60) throw new Error(`Instruction ${at} loads from ${k}.`);
        accumulator = data.getUint32(k, !bigEndian);
        break;
      case jumpIfEqual:
        at += accumulator === k ? whenTrue : whenFalse;
        break;
      case jumpIfSet:
        at += (accumulator & k) !== 0 ? whenTrue : whenFalse;
        break;
      case giveVerdict:
        return k;
      default:
        throw new Error(`Instruction ${at} has the code ${code}, which this filter should not need.`);
    }
  }
}
