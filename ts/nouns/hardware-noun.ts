/** What the nouns that move hardware have in common: they hold a piece of the device, and give it back. */
import type { Noun } from "../noun/noun.ts";

/**
 * The level of an output when the program ends: its default, or the current one.
 *
 * @example
 * const exit: ExitRule = "as-is";
 * server.register("light", gpioOutputNoun({ line: "GPIO17", key: "light", exit }));
 */
export type ExitRule = "default" | "as-is";

/** A noun that holds hardware. */
export interface HardwareNoun extends Noun {
  /** Leaves the hardware as the noun's options say and gives it back. Called once, after the last operation. */
  close(): void;
}
