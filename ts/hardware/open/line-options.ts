/** The options by which an application opens a GPIO line. */
import type { Edges, Level } from "../../native/gpio.ts";
import type { Milliseconds } from "../../native/units.ts";

/**
 * A line and its electrical settings.
 *
 * @example
 * const options: LineOptions = { chip: "gpiochip0", offset: 17, activeLow: true };
 */
export interface LineOptions {
  /** The line's name over all chips, such as `GPIO17`; instead of `chip` and `offset`. */
  readonly line?: string;
  /** The chip: its name, its label or the path of its device. */
  readonly chip?: string;
  /** The line's offset on the chip. */
  readonly offset?: number;
  /** The name under which other programs see the line in use; `nound` if left out. */
  readonly consumer?: string;
  /** Whether 1 is the low voltage; false if left out. */
  readonly activeLow?: boolean;
  /** The resistor that holds the line while nothing drives it; unchanged if left out. */
  readonly bias?: "as-is" | "disabled" | "pull-up" | "pull-down";
}

/**
 * The options of `openOutput`.
 *
 * @example
 * const options: OutputOptions = { line: "GPIO17", value: 1, drive: "open-drain" };
 * const reset = openOutput(options);
 */
export interface OutputOptions extends LineOptions {
  /**
   * The first level. The line gets it together with its direction, so no other level occurs in between. 0 if left out.
   */
  readonly value?: Level;
  /** Whether a line that is an output already keeps its level; false if left out. */
  readonly keepValue?: boolean;
  /** How the line is driven; push-pull if left out. */
  readonly drive?: "push-pull" | "open-drain" | "open-source";
}

/**
 * The options of `openInput`.
 *
 * @example
 * const options: InputOptions = { line: "GPIO27", bias: "pull-up", edges: "falling", debounce: 5 };
 * const button = openInput(options);
 */
export interface InputOptions extends LineOptions {
  /** Which edges are reported to `onEdge`, and counted by a noun; none if left out. */
  readonly edges?: Edges;
  /** ms a level must last before it counts, 0 to 999; 0 if left out. */
  readonly debounce?: Milliseconds;
  /** On simulated hardware, the noun `simulated.` plus this text moves the line. If left out: the line's name. */
  readonly simulatedAs?: string;
}
