/**
 * One stream of events on a connection: from the answer's head to its end, whoever ends it. The connection that the request came on has
 * handed its socket over; no further request is read from it.
 */
import type { Socket, SocketHandler } from "../native/net.ts";
import { comment } from "../watch/event.ts";
import type { EventSink, Watch } from "../watch/watch.ts";
import type { Timed } from "./deadlines.ts";
import type { EventStreamsContext } from "./event-streams.ts";

/** The server's end of one stream. */
export class EventStream implements EventSink, SocketHandler, Timed {
  deadline: number;
  /** Characters of events that the peer has still to take: one event at most. */
  held = 0;
  private readonly context: EventStreamsContext;
  private readonly socket: Socket;
  private readonly onClosed: (stream: EventStream) => void;
  /** What is sent before the first event and with it. */
  private head: string;
  private watch: Watch | undefined;
  private peerEnded = false;

  /**
   * @param socket is the stream's to close from now on.
   * @param head what waits to be sent before the first event.
   */
  constructor(context: EventStreamsContext, socket: Socket, head: string, onClosed: (stream: EventStream) => void) {
    this.context = context;
    this.socket = socket;
    this.head = head;
    this.onClosed = onClosed;
    this.deadline = context.clock.now() + context.limits.streamInterval;
    context.deadlines.add(this);
  }

  /** Begins. @param watch begins the watch that writes to this stream. */
  begin(watch: () => Watch): void {
    this.socket.setLongLived();
    this.socket.handler = this;
    // So that the peer's end is seen. It has nothing more to say.
    this.socket.setReading(true);
    this.watch = watch();
  }

  write(text: string): boolean {
    const whole = this.head + text;
    this.head = "";
    const canGoOn = this.socket.write(whole);
    this.held = canGoOn ? 0 : whole.length;
    this.waitOn();
    return canGoOn;
  }

  end(): void {
    this.socket.finish();
    this.close();
  }

  /** Ends at once; what waits to be sent is dropped. */
  close(): void {
    this.socket.close();
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
    if (this.held === 0) this.write(comment);
  }

  onDrain(): void {
    this.held = 0;
    this.waitOn();
    this.watch?.drained();
    if (this.peerEnded && this.held === 0) this.write(comment);
  }

  onGone(): void {
    this.close();
  }

  onDeadline(): void {
    if (this.held > 0) this.close();
    else this.write(comment);
  }

  private waitOn(): void {
    const { clock, limits, deadlines } = this.context;
    this.deadline = clock.now() + (this.held > 0 ? limits.sendTimeout : limits.streamInterval);
    deadlines.reschedule(this);
  }
}
