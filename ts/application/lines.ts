/** GPIO lines, as an application opens them. */
import type { Level, Line, LineAddress, LineSettings } from "../native/gpio.ts";
import { hardware, simulated } from "./platform.ts";
import { addNumberSource } from "./simulated-sources.ts";

/**
 * Which line, and its electrical side.
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
  /** How the kernel is spoken to; what the system has, if left out. */
  readonly backend?: "auto" | "gpiod" | "sysfs";
  /** Who holds the line, as other programs see it; `nound` if left out. */
  readonly consumer?: string;
  /** Whether 1 is the low voltage; false if left out. */
  readonly activeLow?: boolean;
  /** What holds the line while nobody drives it; as it is, if left out. */
  readonly bias?: LineSettings["bias"];
}

/**
 * What `openOutput` opens.
 *
 * @example
 * const options: OutputOptions = { line: "GPIO17", value: 1, drive: "open-drain" };
 * const reset = openOutput(options);
 */
export interface OutputOptions extends LineOptions {
  /** The first level, given in the same request as the direction: no glitch. 0 if left out. */
  readonly value?: Level;
  /** Whether a line that is an output already keeps its level; false if left out. */
  readonly keepValue?: boolean;
  /** How the line is driven; push-pull if left out. */
  readonly drive?: LineSettings["drive"];
}

/**
 * What `openInput` opens.
 *
 * @example
 * const options: InputOptions = { line: "GPIO27", bias: "pull-up", edges: "falling", debounce: 5_000 };
 * const button = openInput(options);
 */
export interface InputOptions extends LineOptions {
  /** Which edges are reported to `onEdge`; none if left out. */
  readonly edges?: LineSettings["edges"];
  /** µs a level must last before it counts; 0 if left out. */
  readonly debounce?: number;
  /** Where hardware is simulated: what follows `simulated.` in the name of the noun that moves the line. The line's name, if left out. */
  readonly simulatedAs?: string;
}

/** @throws TypeError when the options do not say which line is meant, or say it twice. */
function lineAddress({ line, chip, offset }: LineOptions): LineAddress {
  if (line !== undefined && chip === undefined && offset === undefined) return { name: line };
  if (line === undefined && chip !== undefined && offset !== undefined) return { chip, offset };
  throw new TypeError('A GPIO line is named by "line", or by "chip" and "offset".');
}

/** @returns the line in words that are the same for the same line: `GPIO27`, `gpiochip0.27`. */
export function lineLabel({ line, chip, offset }: LineOptions): string {
  return line ?? `${chip?.replace(/^\/dev\//, "")}.${offset}`;
}

function open(options: LineOptions, settings: Omit<LineSettings, "consumer" | "activeLow" | "bias">): Line {
  const { backend = "auto", consumer = "nound", activeLow = false, bias = "as-is" } = options;
  return hardware.gpio.openLine(backend, lineAddress(options), { consumer, activeLow, bias, ...settings });
}

/**
 * Takes a GPIO line as an output. It is held until it is closed, or the program ends.
 * @throws Error with a sentence for people: no such line, one that another program holds, no permission.
 *
 * @example
 * const pump = openOutput({ line: "GPIO17" });
 * pump.setValue(1);
 */
export function openOutput(options: OutputOptions): Line {
  const { value = 0, keepValue = false, drive = "push-pull" } = options;
  return open(options, { direction: "output", value, keepValue, drive, edges: "none", debounce: 0 });
}

/**
 * Takes a GPIO line as an input. Where hardware is simulated, the noun `simulated.` and the line's name moves it.
 * @throws as `openOutput`.
 *
 * @example
 * const button = openInput({ line: "GPIO27", activeLow: true, bias: "pull-up", edges: "rising", debounce: 5_000 });
 * button.onEdge = () => console.log("pressed");
 */
export function openInput(options: InputOptions): Line {
  return openInputMovedBy("level", options);
}

/** Takes a line as `openInput` does. @param key of the level in the state of the noun that moves the line. */
export function openInputMovedBy(key: string, options: InputOptions): Line {
  const { edges = "none", debounce = 0 } = options;
  const settings = { direction: "input", value: 0, keepValue: false, drive: "push-pull", edges, debounce } as const;
  const line = open(options, settings);
  if (simulated !== undefined) {
    const pin = simulated.gpio.pin(lineAddress(options));
    const turn = options.activeLow === true ? 1 : 0;
    addNumberSource(options.simulatedAs ?? lineLabel(options), {
      key,
      maximum: 1,
      read: () => pin.voltage ^ turn,
      write: (level) => pin.drive((level ^ turn) === 1 ? 1 : 0),
    });
  }
  return line;
}
