/**
 * A stream of changes: the list of the last changes, then each further one, as an event of its own. A client that is
 * slow misses the changes that have left the list meanwhile.
 */
import { mayRead, type Scope } from "../../core/access/admission.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Socket } from "../../native/net.ts";
import type { Changes } from "../changes/changes.ts";
import { EventStream } from "./event-stream.ts";
import type { EventStreamContext } from "./event-streams.ts";

export class ChangeStream extends EventStream {
  private readonly stopListening: () => void;
  private readonly alarm: Alarm;
  private readonly scope: Scope | undefined;
  /** When the last events were written. */
  private told = Number.NEGATIVE_INFINITY;

  /** @param nextId gives each event another id. @param scope what its token allows. */
  constructor(
    context: EventStreamContext,
    socket: Socket,
    nextId: () => string,
    changes: Changes,
    scope: Scope | undefined,
  ) {
    /** The number of the last change that was written. */
    let last = 0;
    function event(): string {
      const lines = changes.lines(scope, last);
      last = changes.last;
      return lines.map((line) => `id: ${nextId()}\ndata: ${line}\n\n`).join("");
    }
    // It goes on when nouns are registered or removed.
    super(context, socket, { groups: new Map(), event }, () => false);
    this.scope = scope;
    this.alarm = new Alarm(context.clock, () => this.writeChanges());
    const interval = 1_000 / context.limits.maxEventsPerSecond;
    this.stopListening = changes.listen(() => {
      if (!this.alarm.isSet) this.alarm.set(Math.max(context.clock.now(), this.told + interval));
    });
  }

  /** Whether its client may read any noun. */
  override get isAllowed(): boolean {
    const { scope, context } = this;
    return scope === undefined || Array.from(context.nouns.all()).some(({ name }) => mayRead(scope, name));
  }

  override close(): void {
    this.stopListening();
    this.alarm.stop();
    super.close();
  }

  override onDrain(): void {
    super.onDrain();
    this.writeChanges();
  }

  private writeChanges(): void {
    if (this.held > 0) return; // until it drains
    this.told = this.context.clock.now();
    const text = this.form.event([]);
    if (text !== "") this.write(text);
  }
}
