/**
 * What Modbus asks and answers: one table of functions, one of exceptions (Modbus Application Protocol 1.1b3). Bytes
 * are strings with one character a byte. Framing is not here.
 *
 *     const question = readQuestion("holding", 40, 2);
 *     readAnswer("holding", 2, "\x03\x04\x00\x01\x00\x02"); // [1, 2]
 */

/**
 * The four tables of a unit.
 *
 * @example
 * const table: Table = "holding";
 * const values = openModbus({ device: "/dev/ttyS1" }).read(table, 0, 2);
 */
export type Table = "coil" | "discrete" | "holding" | "input";

interface TableFunctions {
  readonly read: number;
  /** Writes one value, and several; undefined for a table that is only read. */
  readonly writeOne?: number;
  readonly writeMany?: number;
  readonly isBits: boolean;
  /** Values that one question may ask for, and write. */
  readonly mostRead: number;
  readonly mostWritten: number;
}

/** The functions of each table. */
export const tables: { readonly [table in Table]: TableFunctions } = {
  coil: { read: 1, writeOne: 5, writeMany: 15, isBits: true, mostRead: 2_000, mostWritten: 1_968 },
  discrete: { read: 2, isBits: true, mostRead: 2_000, mostWritten: 0 },
  holding: { read: 3, writeOne: 6, writeMany: 16, isBits: false, mostRead: 125, mostWritten: 123 },
  input: { read: 4, isBits: false, mostRead: 125, mostWritten: 0 },
};

/** The exceptions, as the end of a sentence about the unit. */
const exceptions: { readonly [code: number]: string } = {
  1: "it does not have this function (1)",
  2: "it does not have this address (2)",
  3: "it does not take this value (3)",
  4: "it has failed (4)",
  5: "it needs longer (5)",
  6: "it is busy (6)",
  8: "its memory has a wrong parity (8)",
  10: "the gateway has no path to it (10)",
  11: "the gateway got no answer from it (11)",
};

/** The exceptions of a function, an address and a value that the unit does not have, and of one that has failed. */
export const illegalFunction = 1;
export const illegalAddress = 2;
export const illegalValue = 3;
export const unitFailure = 4;

/** @returns an exception in words, as the end of a sentence about the unit. */
export function exceptionText(code: number): string {
  return exceptions[code] ?? `it refuses with the exception ${code}`;
}

/** A question to a unit, without framing. */
export interface Question {
  /** The function and its data. */
  readonly bytes: string;
  /** How many bytes the answer has, if it is no exception. */
  readonly answerLength: number;
  /** What the answer begins with. */
  readonly answerStart: string;
}

/** @returns 16 bits as two bytes. */
export function word(value: number): string {
  return String.fromCharCode((value >> 8) & 0xff, value & 0xff);
}

/** @returns the 16 bits at an index. */
export function wordAt(bytes: string, index: number): number {
  return bytes.charCodeAt(index) * 256 + bytes.charCodeAt(index + 1);
}

/** @param count 1 to the table's `mostRead`. */
export function readQuestion(table: Table, at: number, count: number): Question {
  const { read, isBits } = tables[table];
  const length = isBits ? Math.ceil(count / 8) : count * 2;
  return {
    bytes: String.fromCharCode(read) + word(at) + word(count),
    answerLength: 2 + length,
    answerStart: String.fromCharCode(read, length),
  };
}

/** @returns bits as bytes, the first one lowest. */
export function bitsAsBytes(bits: readonly number[]): string {
  let bytes = "";
  for (let index = 0; index < bits.length; index += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) if (bits[index + bit] === 1) byte |= 1 << bit;
    bytes += String.fromCharCode(byte);
  }
  return bytes;
}

/**
 * @param values registers, or 0 and 1 for coils.
 * @param many whether the function for several values is used, also for one.
 */
export function writeQuestion(
  table: "coil" | "holding",
  at: number,
  values: readonly number[],
  many = values.length > 1,
): Question {
  const { isBits } = tables[table];
  const [one, several] = isBits ? [5, 15] : [6, 16];
  if (!many) {
    const [value = 0] = values;
    const bytes = String.fromCharCode(one) + word(at) + word(isBits ? value * 0xff00 : value);
    return { bytes, answerLength: 5, answerStart: bytes };
  }
  const data = isBits ? bitsAsBytes(values) : values.map(word).join("");
  const start = String.fromCharCode(several) + word(at) + word(values.length);
  return { bytes: start + String.fromCharCode(data.length) + data, answerLength: 5, answerStart: start };
}

/** @returns whether bytes are the answer to a question, or an exception to it. */
export function isAnswer({ bytes, answerLength, answerStart }: Question, answer: string): boolean {
  if (answer.charCodeAt(0) === (bytes.charCodeAt(0) | 0x80)) return answer.length === 2;
  return answer.length === answerLength && answer.startsWith(answerStart);
}

/** @returns the code of an exception; undefined of another answer. */
export function exceptionOf(answer: string): number | undefined {
  return answer.charCodeAt(0) >= 0x80 ? answer.charCodeAt(1) : undefined;
}

/**
 * @param index of the first value in an answer to a question of `readQuestion`.
 * @returns the bytes of some registers, or of the register that a bit would be.
 */
export function partOfAnswer(table: Table, index: number, count: number, answer: string): string {
  if (!tables[table].isBits) return answer.slice(2 + 2 * index, 2 + 2 * (index + count));
  return ((answer.charCodeAt(2 + (index >> 3)) >> (index & 7)) & 1) === 1 ? "\0\x01" : "\0\0";
}

/** @returns the registers that bytes are. */
export function registersIn(bytes: string): number[] {
  const registers: number[] = [];
  for (let index = 0; index < bytes.length; index += 2) registers.push(wordAt(bytes, index));
  return registers;
}

/** @param answer to a question of `readQuestion`. @returns the registers, or 0 and 1 for bits. */
export function readAnswer(table: Table, count: number, answer: string): number[] {
  if (!tables[table].isBits) return registersIn(answer.slice(2));
  return Array.from({ length: count }, (_, index) => wordAt(partOfAnswer(table, index, 1, answer), 0));
}
