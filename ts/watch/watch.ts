/**
 * One client that watches one noun or all of them. While it takes no bytes, what it has yet to be told is a set of nouns and not a
 * queue of events: when it takes bytes again, it gets the latest state of each.
 */
import type { Outlet } from "./audience.ts";
import type { WatchedNoun } from "./watched-noun.ts";

/** Where the events of one stream go: a connection, or a test. */
export interface EventSink {
  /** What an event for many is written to, past `write`. */
  readonly outlet: Outlet;
  /**
   * Sends text.
   * @returns whether more may be sent now; if not, `drained` of the watch must be called once it may.
   */
  write(text: string): boolean;
  /** An event for many was written, and a part of it waits; `drained` of the watch must be called once more may be sent. */
  onWaiting(text: string): void;
  /** The stream is over, and the watch has ended: what is watched is no longer what it was. */
  end(): void;
}

/** A running watch. */
export class Watch {
  /** Whether its events have the nouns' names. */
  readonly isNamed: boolean;
  private readonly sink: EventSink;
  private readonly onEnd: (watch: Watch) => void;
  /** What is watched, for the end. */
  private nouns: WatchedNoun[] = [];
  /** What changed while the sink took nothing, the noun that changed last at the end. */
  private pending: Set<WatchedNoun> | undefined;
  private isBlocked = false;
  private hasEnded = false;

  /**
   * @param isNamed whether its events have the nouns' names.
   * @param onEnd called once, however it ends.
   */
  constructor(sink: EventSink, isNamed: boolean, onEnd: (watch: Watch) => void) {
    this.sink = sink;
    this.isNamed = isNamed;
    this.onEnd = onEnd;
  }

  /** Watches a noun until the end. @param json the state that the client is about to be given. */
  follow(noun: WatchedNoun, json: string | undefined): void {
    this.nouns.push(noun);
    noun.join(this, json);
  }

  /** Sends how the stream begins. */
  begin(text: string): void {
    this.send(text);
  }

  /** What an event for many is written to. */
  get outlet(): Outlet {
    return this.sink.outlet;
  }

  /** When one of its nouns was last told of, in ms by the clock. */
  get lastTold(): number {
    return this.nouns.reduce((last, noun) => Math.max(last, noun.lastTold), Number.NEGATIVE_INFINITY);
  }

  /**
   * Something waits to be sent to the client, since this event of a noun or since an earlier one: then it is told of the noun once the
   * sink takes bytes again.
   * @param text the event.
   */
  fallBehind(noun: WatchedNoun, text: string): void {
    if (!this.isBlocked) {
      this.isBlocked = true;
      this.sink.onWaiting(text);
      return;
    }
    this.pending ??= new Set();
    this.pending.delete(noun);
    this.pending.add(noun);
  }

  /** To be called when something that the sink sent by itself waits: what comes meanwhile is told once the sink takes bytes again. */
  blocked(): void {
    this.isBlocked = true;
  }

  /** To be called when the sink takes bytes again. */
  drained(): void {
    this.isBlocked = false;
    const { pending } = this;
    if (pending === undefined) return;
    for (const noun of pending) {
      if (this.isBlocked || this.hasEnded) return;
      pending.delete(noun);
      this.send(noun.text(this.isNamed));
    }
    if (pending.size === 0) this.pending = undefined;
  }

  /** Ends the watch; its sink is not told. Calling it again has no effect. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { nouns } = this;
    this.nouns = [];
    this.pending = undefined;
    for (const noun of nouns) noun.leave(this);
    this.onEnd(this);
  }

  /** Ends the watch and its stream. */
  finish(): void {
    if (this.hasEnded) return;
    this.end();
    this.sink.end();
  }

  private send(text: string): void {
    if (this.hasEnded) return;
    let canGoOn = false;
    try {
      canGoOn = this.sink.write(text);
    } catch {
      // Without memory for it, this stream ends; the others have theirs still to be told.
      this.finish();
      return;
    }
    this.isBlocked = !canGoOn;
  }
}
