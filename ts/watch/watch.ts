/**
 * One listener that watches one noun or several. While it accepts nothing, the watch keeps a set of changed nouns, not
 * a queue of events. When the listener accepts text again, it gets the latest state of each.
 */
import type { EventForm, Outlet } from "./audience.ts";
import type { WatchedNoun } from "./watched-noun.ts";

/** Who is told of changes: a stream, a broker, a rule. */
export interface Listener {
  readonly form: EventForm;
  /** The outlet for events that are written to many listeners at once, without `write`. */
  readonly outlet: Outlet;
  /**
   * Sends text.
   * @returns whether more may be sent now; if not, `drained` of the watch must be called once it may.
   */
  write(text: string): boolean;
  /**
   * An event for many listeners was written, and a part of it waits; `drained` of the watch must be called once more
   * may be sent.
   */
  onWaiting(text: string): void;
  /** The watch has ended, because the registered nouns have changed, or there is no memory for an event. */
  end(): void;
}

/** A running watch. */
export class Watch {
  readonly listener: Listener;
  private readonly onEnd: (watch: Watch) => void;
  /** The watched nouns, for the end. */
  private nouns: WatchedNoun[] = [];
  /** The nouns that changed while the listener accepted nothing, in the order of their last changes. */
  private pending: Set<WatchedNoun> | undefined;
  private isBlocked = false;
  private hasEnded = false;

  /** @param onEnd called once, however it ends. */
  constructor(listener: Listener, onEnd: (watch: Watch) => void) {
    this.listener = listener;
    this.onEnd = onEnd;
  }

  /** Watches a noun until the end. @param json the state that the listener is about to be given. */
  follow(noun: WatchedNoun, json: string | undefined): void {
    this.nouns.push(noun);
    noun.join(this, json);
  }

  /** The names of the watched nouns. */
  get names(): readonly string[] {
    return this.nouns.map(({ name }) => name);
  }

  /** When the last event was sent, in ms by the clock. */
  get lastSent(): number {
    return this.nouns.reduce((last, noun) => Math.max(last, noun.lastSent), Number.NEGATIVE_INFINITY);
  }

  /**
   * Text waits for the listener since this event of a noun, or since an earlier one. It gets the noun's state once it
   * accepts text again.
   * @param text the event.
   */
  fallBehind(noun: WatchedNoun, text: string): void {
    if (!this.isBlocked) {
      this.isBlocked = true;
      this.listener.onWaiting(text);
      return;
    }
    this.pending ??= new Set();
    this.pending.delete(noun);
    this.pending.add(noun);
  }

  /** Call this when text waits that the listener itself has sent. Later events wait until it accepts text again. */
  blocked(): void {
    this.isBlocked = true;
  }

  /** Call this when the listener accepts text again. */
  drained(): void {
    this.isBlocked = false;
    const { pending } = this;
    if (pending === undefined) return;
    for (const noun of pending) {
      if (this.isBlocked || this.hasEnded) return;
      pending.delete(noun);
      // A state that all are about to be sent comes with them.
      if (!noun.isUnsent) this.send(this.listener.form.text(noun.latest));
    }
    if (pending.size === 0) this.pending = undefined;
  }

  /** Ends the watch; its listener is not told. Calling it again has no effect. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { nouns } = this;
    this.nouns = [];
    this.pending = undefined;
    for (const noun of nouns) noun.leave(this);
    this.onEnd(this);
  }

  /** Ends the watch and its listener. */
  finish(): void {
    if (this.hasEnded) return;
    this.end();
    this.listener.end();
  }

  /** Sends text to this listener alone: how its stream begins, or a state that it has missed. */
  send(text: string): void {
    if (this.hasEnded) return;
    let canGoOn = false;
    try {
      canGoOn = this.listener.write(text);
    } catch {
      // Without memory for the event, this listener ends. The others still get it.
      this.finish();
      return;
    }
    this.isBlocked = !canGoOn;
  }
}
