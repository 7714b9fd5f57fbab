/**
 * One stream of events on a connection: from the answer's head to its end, by the client or the server. The connection
 * has passed its socket to the stream, so no further request is read from it.
 */
import type { Socket, SocketHandler } from "../native/net.ts";
import type { Timed } from "../time/deadlines.ts";
import type { EventForm } from "../watch/audience.ts";
import type { Listener, Watch } from "../watch/watch.ts";
import type { EventStreamContext } from "./event-streams.ts";

/** A line that clients ignore. It shows proxies that a silent stream is alive. */
const comment = ":\n\n";

/** The last line of a stream that ends for another one. */
const placeComment = ": another client needs this place\n\n";

export class EventStream implements Listener, SocketHandler, Timed {
  deadline: number;
  /** Characters of events that the peer has not yet received: one event at most. */
  held = 0;
  readonly outlet: Socket;
  readonly form: EventForm;
  /** Undefined until its nouns are watched. */
  watch: Watch | undefined;
  private readonly context: EventStreamContext;
  /** When something was last written to this stream alone, or could be written again. */
  private lastWritten: number;
  private peerEnded = false;

  /** @param socket belongs to the stream from now on, which closes it. */
  constructor(context: EventStreamContext, socket: Socket, form: EventForm) {
    this.context = context;
    this.outlet = socket;
    this.form = form;
    this.lastWritten = context.clock.now();
    this.deadline = this.lastWritten + context.limits.streamInterval;
    context.deadlines.add(this);
  }

  write(text: string): boolean {
    const canGoOn = this.outlet.write(text);
    this.wait(canGoOn ? 0 : text.length);
    return canGoOn;
  }

  onWaiting(text: string): void {
    this.wait(text.length);
  }

  end(): void {
    this.outlet.finish();
    this.close();
  }

  /** Ends with a comment, so that another stream can have the place. */
  endForAnother(): void {
    this.outlet.write(placeComment);
    this.end();
  }

  /** Ends at once, and drops unsent text. */
  close(): void {
    this.outlet.close();
    this.context.deadlines.remove(this);
    this.watch?.end();
  }

  onBytes(): void {
    // No further request is answered on this connection; the answer's head has said so.
  }

  /** A client that has closed answers the next bytes with RST. A client that has only half-closed does not. */
  onEnd(): void {
    this.peerEnded = true;
    if (this.held === 0) this.sendComment();
  }

  onDrain(): void {
    this.wait(0);
    this.watch?.drained();
    if (this.peerEnded && this.held === 0) this.sendComment();
  }

  onGone(): void {
    this.close();
  }

  /**
   * Events that are written to many streams at once do not move each stream's deadline. So this checks whether there
   * were any.
   */
  onDeadline(now: number): void {
    if (this.held > 0) {
      this.close();
      return;
    }
    const lastWritten = Math.max(this.lastWritten, this.watch?.lastSent ?? 0);
    const due = lastWritten + this.context.limits.streamInterval;
    if (due <= now) this.sendComment();
    else this.deadline = due;
  }

  private sendComment(): void {
    if (!this.write(comment)) this.watch?.blocked();
  }

  /** @param held the characters that wait now. */
  private wait(held: number): void {
    const { clock, limits, deadlines } = this.context;
    this.held = held;
    this.lastWritten = clock.now();
    this.deadline = this.lastWritten + (held > 0 ? limits.sendTimeout : limits.streamInterval);
    deadlines.reschedule(this);
    if (held > 0) this.context.onHeld();
  }
}
