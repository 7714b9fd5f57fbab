/** Replaces `nound:registers` on Node. */
import type { Registers } from "../../registers.ts";
import { simulatedRegisters } from "../registers.ts";

export const write: Registers["write"] = simulatedRegisters.write;
