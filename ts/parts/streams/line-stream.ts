/**
 * A stream of lines: those that its source has, then each further one, as an event of its own. A client that is slow
 * misses the lines that its source has dropped meanwhile.
 */

import { Alarm } from "../../core/time/alarm.ts";
import type { Socket } from "../../native/net.ts";
import { EventStream } from "./event-stream.ts";
import type { EventStreamContext } from "./event-streams.ts";

/** Where the lines of one stream come from. */
export interface LineSource {
  /** Whether its client may still read any of them. */
  readonly isAllowed: boolean;
  /** @returns the lines since the last call that its client may read, oldest first; at first, all that there are. */
  next(): readonly string[];
  /** @param changed is called when there are more. @returns a function that ends this. */
  listen(changed: () => void): () => void;
}

export class LineStream extends EventStream {
  private readonly source: LineSource;
  private readonly stopListening: () => void;
  private readonly alarm: Alarm;
  /** When the last events were written. */
  private told = Number.NEGATIVE_INFINITY;

  /** @param nextId gives each event another id. */
  constructor(context: EventStreamContext, socket: Socket, nextId: () => string, source: LineSource) {
    const event = () =>
      source
        .next()
        .map((line) => `id: ${nextId()}\ndata: ${line}\n\n`)
        .join("");
    // It goes on when nouns are registered or removed.
    super(context, socket, { groups: new Map(), event }, () => false);
    this.source = source;
    this.alarm = new Alarm(context.clock, () => this.writeLines());
    const interval = 1_000 / context.limits.maxEventsPerSecond;
    this.stopListening = source.listen(() => {
      if (!this.alarm.isSet) this.alarm.set(Math.max(context.clock.now(), this.told + interval));
    });
  }

  override get isAllowed(): boolean {
    return this.source.isAllowed;
  }

  override close(): void {
    this.stopListening();
    this.alarm.stop();
    super.close();
  }

  override onDrain(): void {
    super.onDrain();
    this.writeLines();
  }

  private writeLines(): void {
    if (this.held > 0) return; // until it drains
    this.told = this.context.clock.now();
    const text = this.form.event([]);
    if (text !== "") this.write(text);
  }
}
