/** The common part of nouns that control hardware: they hold a part of the device and release it. */
import type { Noun } from "../noun/noun.ts";

/**
 * The level of an output when the program ends: its default, or the current one.
 *
 * @example
 * const exit: ExitRule = "as-is";
 * server.register("light", gpioOutputNoun({ line: "GPIO17", key: "light", exit }));
 */
export type ExitRule = "default" | "as-is";

export interface HardwareNoun extends Noun {
  /** Sets the hardware to its final state by the options, and releases it. Called once, after all operations. */
  close(): void;
}
