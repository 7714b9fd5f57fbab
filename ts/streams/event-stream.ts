/**
 * One stream of events on a connection: from the answer's head to its end, by the client or the server. The connection that the request came on has
 * handed its socket over; no further request is read from it.
 */
import type { Socket, SocketHandler } from "../native/net.ts";
import type { Timed } from "../server/deadlines.ts";
import { comment } from "../watch/event.ts";
import type { EventSink, Watch } from "../watch/watch.ts";
import type { EventStreamContext } from "./event-streams.ts";

/** The server's end of one stream. */
export class EventStream implements EventSink, SocketHandler, Timed {
  deadline: number;
  /** Characters of events that the peer has still to take: one event at most. */
  held = 0;
  readonly outlet: Socket;
  private readonly context: EventStreamContext;
  private readonly onClosed: (stream: EventStream) => void;
  /** When something was last written to this stream alone, or could be written again. */
  private lastWritten: number;
  /** What is sent before the first event and with it. */
  private head: string;
  private watch: Watch | undefined;
  private peerEnded = false;

  /**
   * @param socket is the stream's to close from now on.
   * @param head what waits to be sent before the first event.
   */
  constructor(context: EventStreamContext, socket: Socket, head: string, onClosed: (stream: EventStream) => void) {
    this.context = context;
    this.outlet = socket;
    this.head = head;
    this.onClosed = onClosed;
    this.lastWritten = context.clock.now();
    this.deadline = this.lastWritten + context.limits.streamInterval;
    context.deadlines.add(this);
  }

  /** Begins. @param watch begins the watch that writes to this stream. */
  begin(watch: () => Watch): void {
    this.outlet.setLongLived();
    this.outlet.handler = this;
    // So that the peer's end is seen. It has nothing more to say.
    this.outlet.setReading(true);
    this.watch = watch();
  }

  write(text: string): boolean {
    const whole = this.head + text;
    this.head = "";
    const canGoOn = this.outlet.write(whole);
    this.wait(canGoOn ? 0 : whole.length);
    return canGoOn;
  }

  onWaiting(text: string): void {
    this.wait(text.length);
  }

  end(): void {
    this.outlet.finish();
    this.close();
  }

  /** Ends at once; what waits to be sent is dropped. */
  close(): void {
    this.outlet.close();
    this.context.deadlines.remove(this);
    this.onClosed(this);
    this.watch?.end();
  }

  onBytes(): void {
    // No further request is answered on this connection, as the answer's head has said.
  }

  /** A client that has closed answers the next bytes by RST; one that has only said its last word does not. */
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

  /** Events that are written to many streams at once do not move the deadline of each: it is looked for here whether there were any. */
  onDeadline(now: number): void {
    if (this.held > 0) {
      this.close();
      return;
    }
    const lastWritten = Math.max(this.lastWritten, this.watch?.lastTold ?? 0);
    const due = lastWritten + this.context.limits.streamInterval;
    if (due <= now) this.sendComment();
    else this.deadline = due;
  }

  private sendComment(): void {
    if (!this.write(comment)) this.watch?.blocked();
  }

  /** @param held what waits now. */
  private wait(held: number): void {
    const { clock, limits, deadlines } = this.context;
    this.held = held;
    this.lastWritten = clock.now();
    this.deadline = this.lastWritten + (held > 0 ? limits.sendTimeout : limits.streamInterval);
    deadlines.reschedule(this);
    if (held > 0) this.context.onHeld();
  }
}
