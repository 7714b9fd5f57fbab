/**
 * One client that watches one noun or all of them. While the client accepts no bytes, the watch keeps a set of changed
 * nouns, not a queue of events. When the client accepts bytes again, it gets the latest state of each.
 */
import type { Outlet } from "./audience.ts";
import type { WatchedNoun } from "./watched-noun.ts";

/** Where the events of one stream go: a connection, or a test. */
export interface EventSink {
  /** The outlet for events that are written to many clients at once, without `write`. */
  readonly outlet: Outlet;
  /**
   * Sends text.
   * @returns whether more may be sent now; if not, `drained` of the watch must be called once it may.
   */
  write(text: string): boolean;
  /**
   * An event for many clients was written, and a part of it waits; `drained` of the watch must be called once more may
   * be sent.
   */
  onWaiting(text: string): void;
  /** The watch has ended, and so has the stream: the registered nouns have changed. */
  end(): void;
}

/** A running watch. */
export class Watch {
  /** Whether its events have the nouns' names. */
  readonly isNamed: boolean;
  private readonly sink: EventSink;
  private readonly onEnd: (watch: Watch) => void;
  /** The watched nouns, for the end. */
  private nouns: WatchedNoun[] = [];
  /** The nouns that changed while the sink accepted nothing, in the order of their last changes. */
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

  /** The outlet for events that are written to many clients at once. */
  get outlet(): Outlet {
    return this.sink.outlet;
  }

  /** When the last event was sent, in ms by the clock. */
  get lastTold(): number {
    return this.nouns.reduce((last, noun) => Math.max(last, noun.lastTold), Number.NEGATIVE_INFINITY);
  }

  /**
   * Bytes wait for the client since this event of a noun, or since an earlier one. The client gets the noun's state
   * once the sink accepts bytes again.
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

  /** Call this when bytes wait that the sink itself has sent. Later events wait until the sink accepts bytes again. */
  blocked(): void {
    this.isBlocked = true;
  }

  /** Call this when the sink accepts bytes again. */
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
      // Without memory for the event, this stream ends. The others still get it.
      this.finish();
      return;
    }
    this.isBlocked = !canGoOn;
  }
}
