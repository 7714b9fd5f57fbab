/**
 * A text that survives the process. Writing wears out a flash memory. So a text is written at once only if none was
 * written within the interval; otherwise it is written when the interval is over. The last text is always written.
 *
 *     const kept = new KeptText({ store, clock }, { name: "output-pump", interval: 1000, onError: log });
 *     kept.text; // what the previous process kept, or undefined
 *     kept.keep("1");
 */
import type { Clock, TimerId } from "../native/loop.ts";
import type { Store } from "../native/storage.ts";

export interface KeptTextOptions {
  /** The text's name in the store. */
  readonly name: string;
  /** ms between two writes, at least. */
  readonly interval: number;
  /** Called when the store fails. The write is tried again after the interval. */
  onError(error: unknown): void;
}

export class KeptText {
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly options: KeptTextOptions;
  private written: string | undefined;
  private wanted: string | undefined;
  /** Runs for one interval after each write. */
  private timer: TimerId | undefined;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }, options: KeptTextOptions) {
    this.store = store;
    this.clock = clock;
    this.options = options;
    this.written = store.read(options.name);
    this.wanted = this.written;
  }

  /** The kept text; undefined if there never was one. */
  get text(): string | undefined {
    return this.wanted;
  }

  /** Keeps a text instead of the previous one. Never throws. */
  keep(text: string): void {
    this.wanted = text;
    if (this.timer === undefined) this.writeAndWait();
  }

  /** Writes a waiting text at once. */
  flush(): void {
    if (this.timer !== undefined) this.clock.clearTimer(this.timer);
    this.timer = undefined;
    this.writeChange();
  }

  private writeAndWait(): void {
    if (this.writeChange()) {
      this.timer = this.clock.setTimer(() => {
        this.timer = undefined;
        this.writeAndWait();
      }, this.options.interval);
    }
  }

  /** @returns whether there was something to write. */
  private writeChange(): boolean {
    if (this.wanted === undefined || this.wanted === this.written) return false;
    try {
      this.store.write(this.options.name, this.wanted);
      this.written = this.wanted;
    } catch (error) {
      this.options.onError(error);
    }
    return true;
  }
}
