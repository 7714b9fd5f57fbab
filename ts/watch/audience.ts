/**
 * The clients that get the same events of one noun: those that watch it alone, or those that watch all nouns. One call
 * of C writes an event to all of them. So another client costs only the kernel's part.
 */
import type { Watch } from "./watch.ts";
import type { WatchedNoun } from "./watched-noun.ts";

/** The outlet of a stream's text: a socket, or an object of a test. */
export interface Outlet {
  /** @returns whether more may be written now. */
  write(text: string): boolean;
}

/** Writes one text to many outlets. */
export interface Broadcaster {
  /**
   * Writes the text to each outlet that has nothing waiting.
   * @returns the indices of those on which something waits now. Those on which something waited before have not been given the text.
   * @throws Error without memory; nothing has been written then.
   */
  broadcast(text: string, outlets: readonly Outlet[]): readonly number[];
}

export class Audience {
  private readonly watches: Watch[] = [];
  /** Where each of them writes, by the same indices. */
  private readonly outlets: Outlet[] = [];

  get size(): number {
    return this.watches.length;
  }

  add(watch: Watch): void {
    // In this order, so that `remove` works if there was no memory for the second step.
    this.outlets.push(watch.outlet);
    this.watches.push(watch);
  }

  /** @returns whether it was one of them. */
  remove(watch: Watch): boolean {
    const { watches, outlets } = this;
    outlets.length = watches.length;
    const index = watches.indexOf(watch);
    if (index < 0) return false;
    const last = watches.length - 1;
    watches[index] = watches[last] as Watch;
    outlets[index] = outlets[last] as Outlet;
    watches.length = last;
    outlets.length = last;
    return true;
  }

  /** Sends a noun's latest event to all. */
  tell(noun: WatchedNoun, broadcaster: Broadcaster, isNamed: boolean): void {
    if (this.size === 0) return;
    try {
      const text = noun.text(isNamed);
      for (const index of broadcaster.broadcast(text, this.outlets)) this.watches[index]?.fallBehind(noun, text);
    } catch {
      // Without memory for the event, their streams end. Clients that connect again get the state.
      for (const watch of [...this.watches]) watch.finish();
    }
  }
}
