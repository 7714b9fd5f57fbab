/** Writes messages between processes to start from: of each receiver, type and length, with and without descriptors. */
import { mkdirSync, writeFileSync } from "node:fs";

const receivers = 6;
const types = 7;
/** A quarter of the bytes of a message: of each type and more, and of less than one. */
const lengths = [1, 2, 4, 34, 42, 71, 166, 195, 196];
/** The kind of a descriptor, and six times their number: none, one of a stream, one of messages, two, one of a file. */
const descriptors = [0, 7, 8, 13, 11];

/** @param folder for the inputs of fuzz-processes.c. */
export function writeProcessSeeds(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let receiver = 0; receiver < receivers; receiver++) {
    for (const kinds of descriptors) {
      for (const length of lengths) {
        for (let type = 0; type < types; type++) {
          const message = Buffer.alloc(2 + 4 * length);
          message.writeUInt8(receivers * kinds + receiver, 0);
          message.writeUInt8(length, 1);
          message.writeUInt32LE(type, 2);
          writeFileSync(`${folder}/${receiver}-${kinds}-${length}-${type}`, Buffer.concat([message, message]));
        }
      }
    }
  }
}
