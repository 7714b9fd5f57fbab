/** Replaces `nound:hash` on Node. */
import type { Hash } from "../../hash.ts";
import { simulatedHash } from "../hash.ts";

export const sha256: Hash["sha256"] = simulatedHash.sha256;
export const keyed: Hash["keyed"] = simulatedHash.keyed;
