/** The simulated twin of `nound:hash`: Node's SHA-256, also for the hash with a key, which has as many characters. */
import { createHash } from "node:crypto";
import type { Hash } from "../hash.ts";

export const simulatedHash: Hash = {
  sha256(bytes) {
    if (/[^\0-\xff]/.test(bytes)) throw new RangeError("bytes to hash have one character each, from 0x00 to 0xFF");
    return createHash("sha256").update(bytes, "latin1").digest("hex");
  },
  keyed(text) {
    return createHash("sha256").update(`key ${text}`, "utf8").digest("hex").slice(0, 16);
  },
};
