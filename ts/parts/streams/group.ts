/**
 * The streams that are told of one noun in the same form. One call of C writes an event to all of them, so another
 * stream costs only the kernel's part.
 */
import type { Feed } from "../../core/feeds/feed.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import type { Socket } from "../../native/net.ts";
import type { EventStream } from "./event-stream.ts";
import type { EventStreamContext } from "./event-streams.ts";

/** The form in which streams of one kind are told: of one noun alone, or with the nouns' names. */
export interface Form {
  /** @returns the text of an event (the HTML standard, 9.2) with the states of feeds, with an id of its own. */
  event(feeds: readonly Feed[]): string;
  /** The groups that have streams. */
  readonly groups: Map<Feed, Group>;
}

export class Group implements Follower {
  readonly feed: Feed;
  readonly form: Form;
  /** When the last event was sent, in ms by the clock. */
  lastSent = Number.NEGATIVE_INFINITY;
  private readonly context: EventStreamContext;
  private readonly streams: EventStream[] = [];
  /** The sockets of the streams, by the same indices. */
  private readonly sockets: Socket[] = [];

  private constructor(feed: Feed, form: Form, context: EventStreamContext) {
    this.feed = feed;
    this.form = form;
    this.context = context;
  }

  /** @returns the group of a feed, which is new for its first stream. */
  static of(feed: Feed, form: Form, context: EventStreamContext): Group {
    const group = form.groups.get(feed) ?? new Group(feed, form, context);
    form.groups.set(feed, group);
    return group;
  }

  /** Adds a stream that is about to be sent what its feeds are now. */
  add(stream: EventStream): void {
    // In this order, so that `remove` works if there was no memory for a later step.
    this.sockets.push(stream.socket);
    this.streams.push(stream);
    if (this.streams.length === 1) this.feed.join(this);
  }

  remove(stream: EventStream): void {
    const { streams, sockets, feed } = this;
    sockets.length = streams.length;
    const index = streams.indexOf(stream);
    if (index >= 0) {
      const last = streams.length - 1;
      streams[index] = streams[last] as EventStream;
      sockets[index] = sockets[last] as Socket;
      streams.length = last;
      sockets.length = last;
    }
    if (streams.length > 0) return;
    feed.unfollow(this);
    this.form.groups.delete(feed);
  }

  onState(feed: Feed): void {
    const { clock, net } = this.context;
    this.lastSent = clock.now();
    try {
      const text = this.form.event([feed]);
      const waiting = net.broadcast(text, this.sockets);
      for (let index = 0; index < waiting.length; index++) {
        this.streams[waiting[index] as number]?.fallBehind(feed, text.length);
      }
    } catch {
      // Without memory for the event, the streams end. Clients that connect again get the state.
      for (const stream of [...this.streams]) stream.end();
    }
  }
}
