/**
 * Lines whose chip goes and comes back, as a USB device with GPIO lines does. The kernel tells of both by hotplug
 * events. Where there are none, a line that fails shows that its chip is gone, and a new chip in /sys that one is back.
 * A line of a chip that is gone fails for ever, so another process requests it again.
 */

import type { EdgeEvent, Edges, Level, Line } from "../../native/gpio.ts";
import type { InputSource } from "../../native/input.ts";
import { ofProgram } from "../../native/of-program.ts";
import { system } from "../../platform/platform.ts";
import { openUevents } from "./inputs.ts";
import { awaitReturn, isSomethingGone, returned, stopWaiting } from "./returning.ts";

/** Stands for a line that an earlier process had, and whose chip is gone. */
export class AbsentLine implements Line {
  readonly description: string;
  readonly chip: string;
  readonly isGone = true;
  readonly edges: Edges = "none";
  onEdge: ((event: EdgeEvent) => void) | null = null;

  /** @param chip the label of the chip that it was on. */
  constructor(description: string, chip: string) {
    this.description = description;
    this.chip = chip;
  }

  getValue(): Level {
    throw goneError(this);
  }

  setValue(): void {
    throw goneError(this);
  }

  setEdges(): void {
    throw goneError(this);
  }

  close(): void {
    // There is nothing to release.
  }
}

/** @returns the error of reading a line that is gone. */
export function goneError({ description }: Line): Error {
  return new Error(`the GPIO line ${description} is gone`);
}

/** The kernel's folder of each chip is `gpiochip` and a number below this one. */
const mostChips = 64;

/** A noun with a line, or what stands for it. */
export interface LineHolder {
  readonly line: Line;
  /** Called once, when the line is gone. */
  lose(): void;
}

interface Chips {
  readonly holders: LineHolder[];
  uevents?: InputSource<string> | undefined;
  /** The chips at the last look; undefined if a chip may have come back before the first one. */
  known?: readonly string[] | undefined;
}

const chips = ofProgram<Chips>(() => ({ holders: [] }));

/** The restricted process may not list the folder, but it may ask for each name. */
function presentChips(): readonly string[] {
  const paths = Array.from({ length: mostChips }, (_, number) => `/sys/bus/gpio/devices/gpiochip${number}`);
  return paths.filter((path) => system.accessOf(path) !== undefined);
}

/** @returns whether there is a chip that was not there at the last look. */
function isChipBack(): boolean {
  const before = chips().known;
  const now = presentChips();
  chips().known = now;
  return before === undefined || now.some((chip) => !before.includes(chip));
}

function remove(holder: LineHolder): void {
  const { holders } = chips();
  // Nouns are closed in their order, or in the reverse of it: a thousand outputs are not moved for each that goes.
  if (holders[0] === holder) {
    holders.shift();
    return;
  }
  const at = holders.lastIndexOf(holder);
  if (at >= 0) holders.splice(at, 1);
}

/** Tells the holders of the lines that are gone now. @returns whether there are any. */
function look(): boolean {
  const { holders } = chips();
  const gone = holders.filter(({ line }) => line.isGone);
  for (const holder of gone) remove(holder);
  for (const holder of gone) holder.lose();
  return gone.length > 0;
}

/** The chip of a line is gone. @param known as in `Chips`. */
function waitForChip(known: readonly string[] | undefined): void {
  chips().known = known;
  awaitReturn(isChipBack);
}

function hear(event: string | null): void {
  const assignments = event?.split("\0") ?? [];
  if (!assignments.includes("SUBSYSTEM=gpio")) return;
  if (assignments.includes("ACTION=remove") && look()) waitForChip(presentChips());
  if (assignments.includes("ACTION=add") && isSomethingGone()) returned();
}

function listen(): void {
  const own = chips();
  if (own.uevents !== undefined) return;
  try {
    own.uevents = openUevents();
    own.uevents.onEvent = hear;
  } catch {
    // A line that is gone is then noticed when it fails.
  }
}

/**
 * Looks at a line that the kernel has refused to read or to set. If it is gone, all nouns of its chip are told.
 * @returns whether it is gone.
 */
export function findGone(line: Line): boolean {
  if (!line.isGone) return false;
  // The chip may have come back since, with other lines.
  if (chips().holders.some((holder) => holder.line === line) && look()) waitForChip(undefined);
  return true;
}

/** Follows the chip of a line. Its holder is not told of a line that is absent already. */
export function followChip(holder: LineHolder): void {
  listen();
  if (holder.line instanceof AbsentLine) waitForChip(presentChips());
  else chips().holders.push(holder);
}

/** Ends that, when the line is closed. */
export function unfollowChip(holder: LineHolder): void {
  const own = chips();
  remove(holder);
  if (own.holders.length > 0) return;
  stopWaiting(isChipBack);
  own.uevents?.close();
  own.uevents = undefined;
}
