/**
 * Lines whose chip goes and comes back, as a USB device with GPIO lines does. The kernel tells of both by hotplug
 * events. A line of a chip that is gone fails for ever, and the restricted process may not open the chip that has come
 * back. So another process takes over: it leaves the other lines as they are, and requests the missing ones as at a
 * start.
 */
import { loop } from "../application/platform.ts";
import { renew } from "../application/renewal.ts";
import type { EdgeEvent, Edges, Level, Line } from "../native/gpio.ts";
import type { InputSource } from "../native/input.ts";
import { Alarm } from "../time/alarm.ts";
import { openUevents } from "./inputs.ts";

/** ms after a chip has come back in which udev gives its file to the group that may open it. */
const settlingTime = 500;

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

/** The lines of nouns, with what is called when one is gone. */
const lines = new Map<Line, () => void>();
let uevents: InputSource<string> | undefined;
let isSomethingGone = false;
let isReturning = false;

/** Calls the functions of the lines that are gone now. */
function look(): void {
  for (const [line, lose] of lines) {
    if (!line.isGone) continue;
    lines.delete(line);
    isSomethingGone = true;
    lose();
  }
}

/** Forgets the chips of an earlier program, when a test begins the next program. */
export function forgetChips(): void {
  lines.clear();
  uevents?.close();
  uevents = undefined;
  isSomethingGone = isReturning = false;
}

function hear(event: string | null): void {
  const assignments = event?.split("\0") ?? [];
  if (!assignments.includes("SUBSYSTEM=gpio")) return;
  if (assignments.includes("ACTION=remove")) look();
  if (!assignments.includes("ACTION=add") || !isSomethingGone || isReturning) return;
  isReturning = true;
  const settled = new Alarm(loop, () => {
    isReturning = false;
    renew();
  });
  settled.set(loop.now() + settlingTime);
}

function listen(): void {
  if (uevents !== undefined) return;
  try {
    uevents = openUevents();
    uevents.onEvent = hear;
  } catch {
    // In a container there may be no events. A line that is gone then fails, and comes back after a restart.
  }
}

/**
 * Follows the chip of a noun's line.
 * @param lose called once, when it is gone; not for a line that is absent already.
 * @returns the function to call when the line is closed.
 */
export function followChip(line: Line, lose: () => void): () => void {
  listen();
  if (line instanceof AbsentLine) isSomethingGone = true;
  else lines.set(line, lose);
  return () => {
    lines.delete(line);
    if (lines.size > 0) return;
    uevents?.close();
    uevents = undefined;
  };
}
