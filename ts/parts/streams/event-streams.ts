/** The streams of one server: their routes, their number and their events. */

import type { Scope } from "../../core/access/admission.ts";
import { clientOf } from "../../core/access/client-address.ts";
import type { Feed } from "../../core/feeds/feed.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import { checkPreconditions } from "../../core/http/precondition.ts";
import type { RequestHead } from "../../core/http/request-head.ts";
import { type Delivery, nosniff } from "../../core/http/response.ts";
import { joinStates } from "../../core/noun/state-writer.ts";
import { type Answer, RefusalAnswer, type StreamingAnswer } from "../../core/operations/answer.ts";
import type { Route } from "../../core/operations/noun-route.ts";
import type { FollowedNouns, Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import type { Part } from "../../core/server/part.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { Deadlines } from "../../core/time/deadlines.ts";
import type { Socket } from "../../native/net.ts";
import { EventStream } from "./event-stream.ts";
import { type Form, Group } from "./group.ts";
import { type LineSource, LineStream } from "./line-stream.ts";
import { Opening } from "./opening.ts";

/** The parts that the streams of a server share. */
export interface EventStreamContext extends Host {
  /** The deadlines of the streams that are open. */
  readonly deadlines: Deadlines<EventStream>;
  /** Called when a stream holds text that its client has not yet received. */
  readonly onHeld: () => void;
}

/**
 * The answer's head (the HTML standard, 9.2). Proxies would keep events back: nginx without X-Accel-Buffering, and one
 * that compresses without `no-transform`.
 */
function streamHead({ fields }: Delivery): string {
  return (
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${nosniff}` +
    "Cache-Control: no-store, no-transform\r\n" +
    `X-Accel-Buffering: no\r\n${fields}Connection: close\r\n\r\n`
  );
}

/**
 * The first line of a stream: how many ms a client that has lost its stream waits before it connects again. No empty
 * line follows it, because some clients take a block without data for an event.
 */
const opening = "retry: 2000\n";

/** By how much ids grow in 1 ms; and at most from one event to the next one in the same ms. */
const idsPerMs = 1_000;
const mostStep = 16;

/**
 * The ids of the events of a server only grow, and they grow with time: the gap between two ids of a stream does not
 * count the events of other nouns, which its client may not read.
 * @param random gives numbers from 0 up to 1. With random numbers, an id does not tell how long the server has run.
 * @param now the clock, in ms.
 * @returns a function that gives each event of this run of the server another id: `5f3a9c-1`.
 */
function eventIds(random: () => number, now: () => number): () => string {
  const run = Math.floor(random() * 2 ** 32).toString(16);
  const start = Math.floor(random() * 2 ** 32) - now() * idsPerMs;
  let last = 0;
  return () => {
    const due = start + now() * idsPerMs;
    // A random number is a system call, and says nothing of ids in two different ms.
    last = due - last >= mostStep ? due : Math.max(last + 1 + Math.floor(random() * mostStep), due);
    return `${run}-${last}`;
  };
}

function namedStates(feeds: readonly Feed[]): string {
  return joinStates(feeds.map(({ name, json = "null" }) => ({ name, json })));
}

function formOf(nextId: () => string, data: (feeds: readonly Feed[]) => string): Form {
  return { groups: new Map(), event: (feeds) => `id: ${nextId()}\ndata: ${data(feeds)}\n\n` };
}

const gone = new RefusalAnswer(404, "There is no noun of this name.");

const tooMany = new RefusalAnswer(
  503,
  "The server already serves its maximum number of event streams; try again later.",
  "Retry-After: 10\r\n",
);

export class EventStreams implements Part {
  private readonly context: EventStreamContext;
  readonly feeds: Feeds;
  /** The requests whose streams have not begun. */
  readonly openings = new Set<Opening>();
  /** The events of one noun, and those of all nouns, whose data have the nouns' names. */
  private readonly forms: { readonly own: Form; readonly all: Form };
  private readonly ids: () => string;
  private isClosed = false;

  /** @param random gives numbers from 0 up to 1, for the ids of events. */
  constructor(host: Host, random: () => number) {
    const ids = eventIds(random, host.clock.now);
    this.ids = ids;
    this.feeds = openFeeds(host);
    // In another turn of the loop: an event may still be on its way to other streams, which must not end meanwhile.
    const alarm = new Alarm(host.clock, () => void host.relieve());
    this.context = { ...host, deadlines: new Deadlines(host.clock), onHeld: () => alarm.set(host.clock.now()) };
    this.forms = {
      own: formOf(ids, (feeds) => feeds[0]?.json ?? "null"),
      all: formOf(ids, namedStates),
    };
  }

  get size(): number {
    return this.context.deadlines.members.size;
  }

  private get isFull(): boolean {
    return this.size >= this.context.limits.maxStreams;
  }

  /** @param head of a request that prefers events. @throws HttpError 404 or 412. */
  routeFor(head: RequestHead, scope: Scope | undefined): Route {
    return this.route(this.context.nouns.followed(head, scope));
  }

  /**
   * @param open opens the lines for the stream; undefined if there are none after all.
   * @returns the route to a stream of lines. @throws HttpError 412.
   */
  follow(head: RequestHead, open: () => LineSource | undefined): Route {
    checkPreconditions("GET", head.fields, "this document has no entity tag");
    const streaming = this.streaming(
      (socket, text) => {
        const source = open();
        if (source === undefined) socket.close();
        else new LineStream(this.context, socket, this.ids, source).begin([], text);
      },
      () => {},
    );
    return { isLast: true, perform: () => streaming };
  }

  /** @returns the route to a stream of these nouns. */
  route(nouns: FollowedNouns): Route {
    const form = nouns.isOfOne ? this.forms.own : this.forms.all;
    return {
      isLast: true,
      perform: (_state, asker) => {
        const request = new Opening(this, nouns, form, asker);
        return request.begin() ?? request;
      },
    };
  }

  /** Ends the streams whose clients may read the noun. */
  replaced(name: string): void {
    for (const stream of [...this.context.deadlines.members]) if (stream.reaches(name)) stream.end();
    for (const request of [...this.openings]) if (request.nouns.reaches(name)) request.replaced();
  }

  /** Ends the streams with a noun that their clients may not read any more. */
  tokensReplaced(): void {
    for (const stream of [...this.context.deadlines.members]) if (!stream.isAllowed) stream.end();
    for (const request of this.openings) {
      request.isOutdated ||= !request.feeds.every((feed) => request.nouns.reaches(feed.name));
    }
  }

  /** @returns the answer to a request whose nouns were read: it goes on as a stream. */
  answer(request: Opening): Answer {
    const [only] = request.feeds;
    // A noun that fails has no stream of its own: the client gets the failure.
    if (request.nouns.isOfOne && only?.json === undefined) {
      request.abandon();
      return only?.failure ?? gone;
    }
    return this.streaming(
      (socket, head) => this.open(socket, head, request),
      () => request.abandon(),
    );
  }

  /** @param open opens the stream. @param abandon is called if it will not be opened. */
  private streaming(open: (socket: Socket, head: string) => void, abandon: () => void): StreamingAnswer {
    return {
      status: 200,
      note: "",
      write: streamHead,
      refusal: (peer) => {
        const hasRoom = !this.isClosed && (!this.isFull || this.oneToEnd(peer) !== undefined);
        if (hasRoom) return undefined;
        abandon();
        return tooMany;
      },
      open: (socket, head) => {
        if (this.isFull) this.oneToEnd(socket.peer)?.endForAnother();
        open(socket, head + opening);
      },
      abandon,
    };
  }

  /** Opens a stream on a socket, which belongs to the stream from then on. @param head the text to send first. */
  private open(socket: Socket, head: string, request: Opening): void {
    const { context } = this;
    const { form, feeds, nouns } = request;
    const stream = new EventStream(context, socket, form, nouns.reaches);
    try {
      const groups = feeds.map((feed) => Group.of(feed, form, context));
      stream.begin(groups, head);
    } catch (error) {
      stream.close();
      throw error;
    } finally {
      request.abandon();
    }
    if (request.isOutdated) stream.end();
  }

  /**
   * Where all places are taken, and not by one address, each address has an equal share of them. The oldest stream of
   * an address ends for one more of the same address if that has its share, and otherwise for one of another address.
   * @returns the stream that ends for another one of a client; undefined if none does.
   */
  private oneToEnd(peer: string): EventStream | undefined {
    const client = clientOf(peer);
    const streams = Array.from(this.context.deadlines.members, (stream) => ({
      stream,
      of: clientOf(stream.socket.peer),
    }));
    const counts = new Map([[client, 0]]);
    for (const { of } of streams) counts.set(of, (counts.get(of) ?? 0) + 1);
    if (counts.size === 1) return undefined;
    let [holder, most] = [client, counts.get(client) ?? 0];
    if (most < Math.floor(this.context.limits.maxStreams / counts.size)) {
      for (const [other, count] of counts) if (count > most) [holder, most] = [other, count];
    }
    return streams.find(({ of }) => of === holder)?.stream;
  }

  endOldest(isOne: (socket: Socket) => boolean): boolean {
    for (const stream of this.context.deadlines.members) {
      if (!isOne(stream.socket)) continue;
      stream.endForAnother();
      return true;
    }
    return false;
  }

  close(): void {
    this.isClosed = true;
    for (const stream of [...this.context.deadlines.members]) stream.end();
    this.context.deadlines.end();
  }

  /** Ends the stream that holds the most for its client. */
  endLargest(): boolean {
    let largest: EventStream | undefined;
    for (const stream of this.context.deadlines.members) {
      if (stream.held > (largest?.held ?? 0)) largest = stream;
    }
    largest?.close();
    return largest !== undefined;
  }
}
