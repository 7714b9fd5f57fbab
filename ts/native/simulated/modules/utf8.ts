/** Replaces `nound:utf8` on Node. */
import type { Utf8 } from "../../utf8.ts";
import { simulatedUtf8 } from "../utf8.ts";

export const decode: Utf8["decode"] = simulatedUtf8.decode;
export const byteLength: Utf8["byteLength"] = simulatedUtf8.byteLength;
