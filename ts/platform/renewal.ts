/** Has the keeper start another process with the nouns, which may open what this one may not any more. */
import { ofProgram } from "../native/of-program.ts";

interface Renewal {
  start?: (() => void) | undefined;
  /** Whether a noun may be made without its hardware. */
  isLackAllowed: boolean;
}

const renewal = ofProgram<Renewal>(() => ({ isLackAllowed: false }));

/** @param next hands over to the next process, as a reload does; undefined if nothing would start one. */
export function setRenewal(next: (() => void) | undefined): void {
  renewal().start = next;
}

/** Ends this process for the next one, if there is a keeper. */
export function renew(): void {
  renewal().start?.();
}

/** Has nouns made without hardware that is missing: they fail until it is there. For the stock program. */
export function allowLack(): void {
  renewal().isLackAllowed = true;
}

export function mayLack(): boolean {
  return renewal().isLackAllowed;
}
