/** The nouns of a server, as a broker's client needs them. */
import type { RegisteredNoun } from "../operations/noun-route.ts";
import type { Listener, Watch } from "../watch/watch.ts";

export interface ServedNouns {
  /** @returns the nouns in the order of their registration. */
  all(): Iterable<RegisteredNoun>;
  /** @param name in lower case. @returns the noun; undefined for an unknown name. */
  find(name: string): RegisteredNoun | undefined;
  /**
   * Reads a noun in its turn, and tells a listener its state and each change.
   * @param onWatch called when the noun has been read, before the listener is told its state.
   */
  watch(noun: RegisteredNoun, listener: Listener, onWatch: (watch: Watch) => void): void;
}
