/**
 * Knows which client watches which noun. It knows no sockets: the caller passes each stream as an `EventSink`.
 *
 *     const watches = newWatches({ clock, call, broadcaster: net, ids, maxEventsPerSecond: 50, report });
 *     const watch = watches.watchNoun(sink, led, '{"led":0}'); // writes the state now, and then each change
 *     watches.changed("led"); // after a PUT
 *     watch.end();
 */
import type { Clock } from "../native/loop.ts";
import type { Broadcaster } from "./audience.ts";
import { type EventIds, opening, writeEvent } from "./event.ts";
import { type EventSink, Watch } from "./watch.ts";
import { type WatchableNoun, WatchedNoun, type WatchedNounContext } from "./watched-noun.ts";

/** What the watches of a server need. */
export interface WatchesOptions {
  readonly clock: Clock;
  /** Calls a function of a noun, which may never return. @throws the function's error, or its interruption. */
  readonly call: <Result>(function_: () => Result) => Result;
  /** Writes an event to many streams at once. */
  readonly broadcaster: Broadcaster;
  readonly ids: EventIds;
  readonly maxEventsPerSecond: number;
  /** Receives an error that a noun's `watch`, or its end, threw. */
  readonly report: (name: string, error: unknown) => void;
}

/** A noun with its state as it is now, as JSON; undefined if the noun failed. */
export interface NounReading {
  readonly watched: WatchableNoun;
  readonly json: string | undefined;
}

/** The watches of one server. */
class Watches {
  private readonly context: WatchedNounContext;
  private readonly nouns = new Map<string, WatchedNoun>();
  /** Each with a function that says which nouns it may read. */
  private readonly watches = new Map<Watch, (name: string) => boolean>();

  constructor({ clock, call, broadcaster, ids, maxEventsPerSecond, report }: WatchesOptions) {
    this.context = { clock, call, broadcaster, ids, eventInterval: 1_000 / maxEventsPerSecond, report };
  }

  /** How many watch. */
  get count(): number {
    return this.watches.size;
  }

  /**
   * Begins a stream of one noun's events, with its state as it is now.
   * @param json that state. When the noun has failed, there is no stream to begin.
   */
  watchNoun(sink: EventSink, watched: WatchableNoun, json: string): Watch {
    return this.begin(sink, [{ watched, json }], json, (name) => name === watched.name, false);
  }

  /**
   * Begins a stream of the events of all nouns that a client may read, with their states as they are now.
   * @param reaches says whether the client may read the noun of a name.
   */
  watchAll(sink: EventSink, readings: readonly NounReading[], reaches: (name: string) => boolean): Watch {
    const members = readings.map(({ watched, json = "null" }) => `"${watched.name}":${json}`);
    return this.begin(sink, readings, `{${members.join(",")}}`, reaches, true);
  }

  /** Says that a noun's state may have changed, by a request for instance. */
  changed(name: string): void {
    this.nouns.get(name)?.changed();
  }

  /** Ends the streams that are affected when a noun is registered or removed. */
  endFor(name: string): void {
    for (const [watch, reaches] of [...this.watches]) {
      if (reaches(name)) watch.finish();
    }
  }

  /** Ends all streams. */
  close(): void {
    for (const watch of [...this.watches.keys()]) watch.finish();
  }

  private begin(
    sink: EventSink,
    readings: readonly NounReading[],
    data: string,
    reaches: (name: string) => boolean,
    isNamed: boolean,
  ): Watch {
    const watch = new Watch(sink, isNamed, () => void this.watches.delete(watch));
    this.watches.set(watch, reaches);
    try {
      for (const { watched, json } of readings) watch.follow(this.watchedNoun(watched, json), json);
    } catch (error) {
      watch.end();
      throw error;
    }
    watch.begin(opening + writeEvent(this.context.ids.next(), data));
    return watch;
  }

  private watchedNoun(watched: WatchableNoun, json: string | undefined): WatchedNoun {
    const known = this.nouns.get(watched.name);
    if (known !== undefined) return known;
    const made = new WatchedNoun(watched, json, this.context, (name) => void this.nouns.delete(name));
    this.nouns.set(watched.name, made);
    return made;
  }
}

export type { Watches };

/** A function, so that the module can be read when the first client watches. */
export function newWatches(options: WatchesOptions): Watches {
  return new Watches(options);
}
