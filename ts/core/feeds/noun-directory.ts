/** The nouns of a server, for what acts by itself: the client of a broker, and rules. */
import type { RegisteredNoun } from "../operations/noun-route.ts";

export interface NounDirectory {
  /** @returns the nouns in the order of their registration. */
  all(): Iterable<RegisteredNoun>;
  /** @param name in lower case. @returns the noun; undefined for an unknown name. */
  find(name: string): RegisteredNoun | undefined;
}
