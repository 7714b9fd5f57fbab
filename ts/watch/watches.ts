/**
 * Who is told of changes: streams, a broker, rules. Each is a `Listener` of nouns, and gets the latest state of each of
 * them, never a queue of states. This knows no sockets. The first who watches brings these modules with it.
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
  /** How often a noun may have changed. */
  changes = 0;
  /** How often one was registered or removed. */
  registrations = 0;

  constructor(context: WatchedNounContext) {
    this.context = context;
  }

  /** @returns the id of an event that a listener is given by itself. */
  nextId(): string {
    return this.context.ids.next();
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
    const watch = new Watch(listener, this.onEnd);
    this.watches.set(watch, reaches);
    try {
      for (const { watched, json } of readings) watch.follow(this.watchedNoun(watched, json), json);
    } catch (error) {
      watch.end();
      throw error;
    }
    return watch;
  }

  /**
   * Reads a noun in its turn, and tells a listener its state and each change.
   * @param onWatch called when the noun has been read, before the listener is told its state.
   */
  read(watched: WatchableNoun, listener: Listener, onWatch: (watch: Watch) => void): void {
    const { name } = watched;
    const { changes } = this;
    watched.read((json = "null") => {
      const watch = this.watch(listener, [{ watched, json }], (other) => other === name);
      onWatch(watch);
      watch.send(listener.form.text({ name, json, compared: json, id: "" }));
      if (this.changes !== changes) this.changed(name);
    });
  }

  /** Says that a noun's state may have changed, by a request for instance. */
  changed(name: string): void {
    this.changes += 1;
    this.nouns.get(name)?.changed();
  }

  /** Ends the listeners that are affected when a noun is registered or removed. */
  endFor(name: string): void {
    this.registrations += 1;
    for (const [watch, reaches] of [...this.watches]) {
      if (reaches(name)) watch.finish();
    }
  }

  /** Ends the listeners of a noun that they may not read any more. */
  endUnreached(): void {
    this.registrations += 1;
    for (const [watch, reaches] of [...this.watches]) {
      if (!watch.names.every(reaches)) watch.finish();
    }
  }

  close(): void {
    for (const watch of [...this.watches.keys()]) watch.finish();
  }

  private readonly onEnd = (watch: Watch): void => void this.watches.delete(watch);

  private readonly onDone = (name: string): void => void this.nouns.delete(name);

  private watchedNoun(watched: WatchableNoun, json: string | undefined): WatchedNoun {
    const known = this.nouns.get(watched.name);
    if (known !== undefined) return known;
    const made = new WatchedNoun(watched, json, this.context, this.onDone);
    this.nouns.set(watched.name, made);
    return made;
  }
}
