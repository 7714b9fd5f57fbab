/**
 * The listeners that are told of one noun in the same form: the streams of that noun, those of all nouns, a broker. One
 * call writes an event to all of them. So another stream costs only the kernel's part.
 */
import type { NounEvent } from "./event.ts";
import type { Watch } from "./watch.ts";
import type { WatchedNoun } from "./watched-noun.ts";

/** The outlet of a listener's text: a socket, or an object of a test. */
export interface Outlet {
  /** @returns whether more may be written now. */
  write(text: string): boolean;
}

/** The form in which the listeners of one kind are told of a state. */
export interface EventForm {
  /** @returns the text of an event, which is made once for all of them. */
  text(event: NounEvent): string;
  /**
   * Writes the text to each outlet that has nothing waiting.
   * @returns the indices of those on which something waits now. Those on which something waited before have not been
   * given the text.
   * @throws Error without memory; nothing has been written then.
   */
  broadcast(text: string, outlets: readonly Outlet[]): readonly number[];
}

export class Audience {
  readonly form: EventForm;
  private readonly watches: Watch[] = [];
  /** Where each of them writes, by the same indices. */
  private readonly outlets: Outlet[] = [];

  constructor(form: EventForm) {
    this.form = form;
  }

  get size(): number {
    return this.watches.length;
  }

  add(watch: Watch): void {
    // In this order, so that `remove` works if there was no memory for the second step.
    this.outlets.push(watch.listener.outlet);
    this.watches.push(watch);
  }

  remove(watch: Watch): void {
    const { watches, outlets } = this;
    outlets.length = watches.length;
    const index = watches.indexOf(watch);
    if (index < 0) return;
    const last = watches.length - 1;
    watches[index] = watches[last] as Watch;
    outlets[index] = outlets[last] as Outlet;
    watches.length = last;
    outlets.length = last;
  }

  /** Sends a noun's latest event to all. */
  tell(noun: WatchedNoun): void {
    const { form } = this;
    try {
      const text = form.text(noun.latest);
      for (const index of form.broadcast(text, this.outlets)) this.watches[index]?.fallBehind(noun, text);
    } catch {
      // Without memory for the event, their streams end. Clients that connect again get the state.
      for (const watch of [...this.watches]) watch.finish();
    }
  }
}
