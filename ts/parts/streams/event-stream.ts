/**
 * One stream of events on a connection: from the answer's head to its end, by the client or the server. The connection
 * has passed its socket to the stream, so no further request is read from it.
 */
import type { Feed } from "../../core/feeds/feed.ts";
import type { Timed } from "../../core/time/deadlines.ts";
import type { Socket, SocketHandler } from "../../native/net.ts";
import type { EventStreamContext } from "./event-streams.ts";
import type { Form, Group } from "./group.ts";

/** A line that clients ignore. It shows proxies that a silent stream is alive. Some take an empty line for an event. */
const comment = ":\n";

/** The last line of a stream that ends for another one. */
const placeComment = ": another client needs this place\n";

export class EventStream implements Timed, SocketHandler {
  deadline: number;
  /** Characters of events that the peer has not yet received: one event at most. */
  held = 0;
  readonly socket: Socket;
  readonly form: Form;
  /** Says whether the client may read the noun of a name. */
  readonly reaches: (name: string) => boolean;
  protected readonly context: EventStreamContext;
  private groups: readonly Group[] = [];
  /** Feeds with states that could not be sent, in the order of their last changes. */
  private behind: Set<Feed> | undefined;
  /** When something was last written to this stream alone, or could be written again. */
  private lastWritten: number;
  private peerEnded = false;

  /** @param socket belongs to the stream from now on, which closes it. */
  constructor(context: EventStreamContext, socket: Socket, form: Form, reaches: (name: string) => boolean) {
    this.context = context;
    this.socket = socket;
    this.form = form;
    this.reaches = reaches;
    this.lastWritten = context.clock.now();
    this.deadline = this.lastWritten + context.limits.streamInterval;
    context.deadlines.add(this);
  }

  /** Begins with what the groups' feeds are now. @param head the text to send first. */
  begin(groups: readonly Group[], head: string): void {
    const { socket } = this;
    socket.setLongLived();
    socket.handler = this;
    // Reading detects that the peer has closed. Received bytes are ignored.
    socket.setReading(true);
    this.groups = groups;
    for (const group of groups) group.add(this);
    this.write(head + this.form.event(groups.map(({ feed }) => feed)));
  }

  /** Whether its client may read all of its nouns. */
  get isAllowed(): boolean {
    return this.groups.every(({ feed }) => this.reaches(feed.name));
  }

  /** An event could not be written whole, or not at all. @param length of the event, in characters. */
  fallBehind(feed: Feed, length: number): void {
    if (this.held === 0) {
      this.hold(length);
      return;
    }
    this.behind ??= new Set();
    this.behind.delete(feed);
    this.behind.add(feed);
  }

  /** Ends once everything is sent. */
  end(): void {
    this.socket.finish();
    this.close();
  }

  /** Ends with a comment, so that another stream can have the place. */
  endForAnother(): void {
    this.socket.write(placeComment);
    this.end();
  }

  /** Ends at once, and drops unsent text. */
  close(): void {
    this.socket.close();
    this.context.deadlines.remove(this);
    const { groups } = this;
    this.groups = [];
    this.behind = undefined;
    for (const group of groups) group.remove(this);
  }

  onBytes(): void {
    // No further request is answered on this connection; the answer's head has said so.
  }

  /** A client that has closed answers the next bytes with RST. A client that has only half-closed does not. */
  onEnd(): void {
    this.peerEnded = true;
    if (this.held === 0) this.write(comment);
  }

  onDrain(): void {
    this.hold(0);
    const { behind } = this;
    while (behind !== undefined && behind.size > 0) {
      const [first] = behind;
      const feeds = this.joinedWith(first as Feed);
      for (const feed of feeds) behind.delete(feed);
      this.write(this.form.event(feeds));
      if (this.held > 0) return;
    }
    this.behind = undefined;
    if (this.peerEnded) this.write(comment);
  }

  /** The nouns that guards join are shown together: of some of them, others may not have been told yet. */
  private joinedWith(first: Feed): readonly Feed[] {
    const { bond } = first;
    if (bond === undefined) return [first];
    return this.groups.flatMap(({ feed }) => (feed.bond === bond ? feed : []));
  }

  onGone(): void {
    this.close();
  }

  /** Events do not move each stream's deadline, so this checks whether there were any. */
  onDeadline(now: number): void {
    if (this.held > 0) {
      this.close();
      return;
    }
    const lastWritten = this.groups.reduce((last, { lastSent }) => Math.max(last, lastSent), this.lastWritten);
    const due = lastWritten + this.context.limits.streamInterval;
    if (due <= now) this.write(comment);
    else this.deadline = due;
  }

  protected write(text: string): void {
    this.hold(this.socket.write(text) ? 0 : text.length);
  }

  /** @param held the characters that wait now. */
  private hold(held: number): void {
    const { clock, limits, deadlines } = this.context;
    this.held = held;
    this.lastWritten = clock.now();
    this.deadline = this.lastWritten + (held > 0 ? limits.sendTimeout : limits.streamInterval);
    deadlines.reschedule(this);
    if (held > 0) this.context.onHeld();
  }
}
