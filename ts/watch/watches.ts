/**
 * Who is told of changes: streams, a broker, rules. Each is a `Listener` of nouns, and gets the latest state of each of
 * them, never a queue of states. This knows no sockets.
 *
 *     const watches = new Watches({ clock, call, ids, eventInterval: 20, report });
 *     const watch = watches.watch(listener, [{ watched: led, json: '{"led":1}' }], (name) => name === "led");
 *     watches.changed("led"); // after a PUT: the listener gets the new state
 *     watch.end();
 */
import { type Listener, Watch } from "./watch.ts";
import { type WatchableNoun, WatchedNoun, type WatchedNounContext } from "./watched-noun.ts";

/** A noun with its state as it is now, as JSON; undefined if the noun failed. */
export interface NounReading {
  readonly watched: WatchableNoun;
  readonly json: string | undefined;
}

export class Watches {
  private readonly context: WatchedNounContext;
  private readonly nouns = new Map<string, WatchedNoun>();
  /** Each with a function that says which nouns it may read. */
  private readonly watches = new Map<Watch, (name: string) => boolean>();

  constructor(context: WatchedNounContext) {
    this.context = context;
  }

  get count(): number {
    return this.watches.size;
  }

  /**
   * Begins to watch nouns.
   * @param readings the nouns, with the states that the listener has been given, or is going to be given now.
   * @param reaches says whether the listener may read the noun of a name. It ends if such a noun is registered or
   * removed.
   */
  watch(listener: Listener, readings: readonly NounReading[], reaches: (name: string) => boolean): Watch {
    const watch = new Watch(listener, () => void this.watches.delete(watch));
    this.watches.set(watch, reaches);
    try {
      for (const { watched, json } of readings) watch.follow(this.watchedNoun(watched, json), json);
    } catch (error) {
      watch.end();
      throw error;
    }
    return watch;
  }

  /** Says that a noun's state may have changed, by a request for instance. */
  changed(name: string): void {
    this.nouns.get(name)?.changed();
  }

  /** Ends the listeners that are affected when a noun is registered or removed. */
  endFor(name: string): void {
    for (const [watch, reaches] of [...this.watches]) {
      if (reaches(name)) watch.finish();
    }
  }

  /** Ends the listeners of a noun that they may not read any more. */
  endUnreached(): void {
    for (const [watch, reaches] of [...this.watches]) {
      if (!watch.names.every(reaches)) watch.finish();
    }
  }

  close(): void {
    for (const watch of [...this.watches.keys()]) watch.finish();
  }

  private watchedNoun(watched: WatchableNoun, json: string | undefined): WatchedNoun {
    const known = this.nouns.get(watched.name);
    if (known !== undefined) return known;
    const made = new WatchedNoun(watched, json, this.context, (name) => void this.nouns.delete(name));
    this.nouns.set(watched.name, made);
    return made;
  }
}
