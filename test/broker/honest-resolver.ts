/** Answers of name servers: every name is this device. */

const flags = (answers: number): Buffer => Buffer.from([0x81, 0x80, 0, 1, answers >> 8, answers & 0xff, 0, 0, 0, 0]);

/** @returns an answer with one record for each of some data. @param type of the records. */
export function records(query: Buffer, type: number, data: readonly Buffer[]): Buffer {
  const record = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 9, bytes.length >> 8, bytes.length & 0xff]), bytes]);
  return Buffer.concat([query.subarray(0, 2), flags(data.length), query.subarray(12), ...data.map(record)]);
}

/** @returns the type that a query asks for. */
export const typeOf = (query: Buffer): number => query.readUInt16BE(query.length - 4);

/** @returns the right answer. */
export const honest = (query: Buffer): readonly Buffer[] => [
  typeOf(query) === 1 ? records(query, 1, [Buffer.from([127, 0, 0, 1])]) : records(query, 28, []),
];
