/** What clients are told while the hardware of a noun is gone. The log has the reason already. */

import { HttpError } from "../../core/http/http-error.ts";
import type { Level, Line } from "../../native/gpio.ts";
import { findGone } from "../open/gone-lines.ts";

/** 500 for reading, 503 for setting. */
type GoneStatus = 500 | 503;

/** @param part of the device: "line". */
export function goneRefusal(part: string, status: GoneStatus): HttpError {
  return HttpError.keeping(status, `The ${part} of this noun is gone.`);
}

/** @returns the error for a client when the kernel has refused to read or to set a line: if it is gone, another one. */
export function refusalOf(line: Line, error: unknown, status: GoneStatus): unknown {
  return findGone(line) ? goneRefusal("line", status) : error;
}

/** Sets an output. @throws HttpError when its line is gone; Error when the kernel refuses. */
export function setLevel(line: Line, level: Level): void {
  try {
    line.setValue(level);
  } catch (error) {
    throw refusalOf(line, error, 503);
  }
}
