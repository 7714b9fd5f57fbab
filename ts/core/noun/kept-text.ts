/**
 * A text that survives the process. Writing wears out a flash memory. So a text is written at once only if none was
 * written within the interval; otherwise it is written when the interval is over. The last text is always written.
 *
 *     const kept = new KeptText({ store, clock }, { name: "output-pump", interval: 1000, onError: log });
 *     kept.text; // what the previous process kept, or undefined
 *     kept.keep("1");
 */
import type { Clock } from "../../native/loop.ts";
import type { Store } from "../../native/storage.ts";
import { Alarm } from "../time/alarm.ts";

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
  private readonly alarm: Alarm;
  private readonly options: KeptTextOptions;
  private written: string | undefined;
  private wanted: string | undefined;
  /** When the text may be written again, in ms by the clock. */
  private due = Number.NEGATIVE_INFINITY;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }, options: KeptTextOptions) {
    this.store = store;
    this.clock = clock;
    this.alarm = new Alarm(clock, () => this.writeInTime());
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
    this.writeInTime();
  }

  /** Writes a waiting text at once. */
  flush(): void {
    this.alarm.stop();
    this.write();
  }

  private get isChanged(): boolean {
    return this.wanted !== this.written;
  }

  private writeInTime(): void {
    if (this.isChanged && this.clock.now() >= this.due) this.write();
    if (this.isChanged) this.alarm.set(this.due);
  }

  private write(): void {
    const { wanted, store, options } = this;
    if (wanted === undefined || !this.isChanged) return;
    this.due = this.clock.now() + options.interval;
    try {
      store.write(options.name, wanted);
      this.written = wanted;
    } catch (error) {
      options.onError(error);
    }
  }
}
