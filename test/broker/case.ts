/** A long run of a device at a broker. */
export interface BrokerCase {
  readonly name: string;
  /** @returns what was seen, for people. @throws Error if the device does not do what it should. */
  run(extent: Extent): Promise<string>;
}

/** How long the cases run that have no end of their own. */
export interface Extent {
  /** ms for which a broker is stopped. */
  readonly stopped: number;
}

/** @throws Error with what was expected, if it is not so. */
export function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}
