/** A whole number among the options of a server, as an application or a configuration gives it. */
export interface Integer {
  /** Begins a sentence about it. */
  readonly what: string;
  readonly usual: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** @returns the number; the usual one if it is left out. @throws RangeError with a sentence for another number. */
export function integerOption({ what, usual, minimum, maximum }: Integer, given: number = usual): number {
  if (Number.isInteger(given) && given >= minimum && given <= maximum) return given;
  throw new RangeError(`${what} is a whole number from ${minimum} to ${maximum}.`);
}
