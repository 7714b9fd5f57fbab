/**
 * The types of the C module `nound:gpio`: GPIO lines through the kernel's character device (libgpiod 2) or its older
 * sysfs interface. Values are logical: 1 is active, and an active-low line inverts them itself.
 */
import type { Microseconds } from "./units.ts";

/** The interface of the kernel. */
export type GpioBackend = "gpiod" | "sysfs";

/**
 * A logical level.
 *
 * @example
 * const on: Level = 1;
 * pump.setValue(on);
 */
export type Level = 0 | 1;

/**
 * Edges of the logical level.
 *
 * @example
 * const edges: Edges = "both";
 * button.setEdges(edges);
 */
export type Edges = "none" | "rising" | "falling" | "both";

/**
 * The address of a line: its chip, by the name or the path of its device, and offset; or its name, which `sysfs` knows
 * of a line that is exported. For `sysfs`, `number` is the kernel's number of the line over all chips.
 */
export type LineAddress =
  | { readonly name: string }
  | { readonly chip: string; readonly offset: number; readonly number?: number };

/**
 * How a line is requested. A backend refuses a setting that it does not have with a sentence; it never ignores one.
 */
export interface LineSettings {
  /** The holder of the line, as other programs see it: `nound:led`. */
  readonly consumer: string;
  /** Whether the line is read or driven. */
  readonly direction: "input" | "output";
  /**
   * An output's first level. The line gets it together with its direction, so no other level occurs in between. Ignored
   * for an input.
   */
  readonly value: Level;
  /** For an output: if the line is already an output, it keeps its level. Otherwise it gets `value`. */
  readonly keepValue: boolean;
  /** For an output: `value` was stored by an earlier process. So it does not tell one configuration from another. */
  readonly restored?: boolean;
  /** For an output: its level after a reload by which it belongs to no noun any more; if left out, it keeps its own. */
  readonly exit?: Level;
  /** 1 is the low voltage. */
  readonly activeLow: boolean;
  /** The resistor that holds the line while nothing drives it. */
  readonly bias: "as-is" | "disabled" | "pull-up" | "pull-down";
  /** How an output is driven: both ways, or one way with a resistor for the other. */
  readonly drive: "push-pull" | "open-drain" | "open-source";
  /** Which edges of the logical level an input reports. */
  readonly edges: Edges;
  /** µs a level must last before it counts; 0 for no debouncing. */
  readonly debounce: Microseconds;
}

/**
 * An edge as the kernel saw it.
 *
 * @example
 * let last = 0;
 * button.onEdge = ({ value, timestamp }: EdgeEvent) => {
 *   if (value === 1) last = timestamp;
 * };
 */
export interface EdgeEvent {
  /** The logical level after the edge. */
  readonly value: Level;
  /** µs on the kernel's monotonic clock. On sysfs, which has no timestamps: when nound read the edge. */
  readonly timestamp: Microseconds;
  /**
   * The number of the edge, from 1. If numbers are missing, the kernel's queue overflowed. On sysfs, no number is ever
   * missing.
   */
  readonly sequence: number;
}

/**
 * A requested line. It is held until `close`.
 *
 * @example
 * const pump: Line = openOutput({ line: "GPIO17" });
 * pump.setValue(1);
 * pump.close();
 */
export interface Line {
  /** For people: `gpiochip0 17 "GPIO17"`. */
  readonly description: string;
  /** The label of its chip; "" if the kernel does not tell it. */
  readonly chip: string;
  /** Whether the chip has gone: it was unplugged, or its driver has left it. Then the line fails for ever. */
  readonly isGone: boolean;
  /** Which edges the line reports: the option `edges`, until `setEdges` changes it. */
  readonly edges: Edges;
  /** Called for each edge that the line reports. */
  onEdge: ((event: EdgeEvent) => void) | null;
  /** @throws Error when the kernel refuses. */
  getValue(): Level;
  /** @throws Error when the line is no output or the kernel refuses. */
  setValue(value: Level): void;
  /**
   * Changes which edges an input reports. The line keeps its other settings.
   * @throws Error when the line is an output or its driver has no interrupts. Then it reports none.
   */
  setEdges(edges: Edges): void;
  /**
   * Releases the line. An output keeps its level, unless the kernel's driver changes it. Calling it again has no
   * effect.
   */
  close(): void;
}

/** What the kernel tells about a line that nobody needs to request for it. */
export interface ListedLine {
  /** "" for a line without a name. */
  readonly name: string;
  /** Whether a program or a driver holds it, or its pin has another function. */
  readonly isUsed: boolean;
  /** The holder; "" without one, or if it has no name. */
  readonly consumer: string;
  readonly isOutput: boolean;
}

/** A chip of the character device. */
export interface ListedChip {
  /** `gpiochip0`. */
  readonly name: string;
  /** What the driver calls it; "" for a chip that cannot be opened. */
  readonly label: string;
  /** Why its lines cannot be read: a part of a sentence; "" if they can. */
  readonly refusal: string;
  /** By offset. */
  readonly lines: readonly ListedLine[];
}

/** The arguments of `openLine`. */
export type OpenArguments = readonly [backend: GpioBackend, address: LineAddress, settings: LineSettings];

export interface Gpio {
  /** The backends that are built in, for `--version`. */
  readonly backends: readonly GpioBackend[];
  /** Of simulated hardware: every line exists, whatever it is called, and none is in a list. */
  readonly hasEveryLine?: true;
  /**
   * Requests a line.
   * @throws Error with a sentence for people: no such chip or line, a line that another program holds (with its
   *   consumer), a setting that the backend does not support, no permission.
   */
  openLine(backend: GpioBackend, address: LineAddress, settings: LineSettings): Line;
  /**
   * Requests two outputs, both inactive, of which at most one is ever active. On one chip of the character device, they
   * are one request of the kernel: it has both lines or none, and to set one active sets the other one inactive in the
   * same call. Otherwise they are two requests, and each line is set alone.
   * @param settings without `value` and `keepValue`, which are not used.
   * @throws as `openLine`. Then neither line is requested.
   */
  openPair(...pair: readonly [...first: OpenArguments, ...second: OpenArguments]): readonly [first: Line, second: Line];
  /** @returns the chips of the character device and their lines. None is requested. */
  listChips(): readonly ListedChip[];
  /**
   * Finds out whether `openLine` could request the line, without requesting it. A line that a nound holds is in order.
   * @throws as `openLine`, as far as this user can know.
   */
  checkLine(backend: GpioBackend, address: LineAddress, settings: LineSettings): void;
}
