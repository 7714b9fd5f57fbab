/** The simulated twin of `nound:hash`: Node's SHA-256. */
import { createHash } from "node:crypto";
import type { Hash } from "../hash.ts";

export const simulatedHash: Hash = {
  sha256: (bytes) => createHash("sha256").update(bytes, "latin1").digest("hex"),
};
