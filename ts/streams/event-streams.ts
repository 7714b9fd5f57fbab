/**
 * The streams of one server: their routes, their number and their events. This module is loaded when the first client
 * requests a stream.
 */
import { preferredRepresentation } from "../http/accept.ts";
import { clientOf } from "../http/client-address.ts";
import type { Delivery } from "../http/response.ts";
import type { Socket } from "../native/net.ts";
import { describeError } from "../noun/failure.ts";
import { emptyState } from "../noun/state.ts";
import { type Answer, RefusalAnswer, StateAnswer } from "../operations/answer.ts";
import { gather } from "../operations/gathering.ts";
import type { RegisteredNoun, Route } from "../operations/noun-route.ts";
import type { Asker } from "../operations/operation.ts";
import type { Streams, StreamsContext } from "../server/companions.ts";
import { Deadlines } from "../server/deadlines.ts";
import { escapeForLog } from "../server/log.ts";
import { EventIds } from "../watch/event.ts";
import type { Watch } from "../watch/watch.ts";
import type { WatchableNoun } from "../watch/watched-noun.ts";
import { newWatches, type Watches } from "../watch/watches.ts";
import { EventStream } from "./event-stream.ts";

/** What the streams of a server share. */
export interface EventStreamContext extends StreamsContext {
  /** The deadlines of the streams that are open. */
  readonly deadlines: Deadlines<EventStream>;
  /** Called when a stream holds text that its client has not yet received. */
  readonly onHeld: () => void;
}

/** The answer's head (the HTML standard, 9.2). X-Accel-Buffering: nginx would keep events back. */
function streamHead({ fields }: Delivery): string {
  return (
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\n" +
    `${fields}Connection: close\r\n\r\n`
  );
}

const tooMany = new RefusalAnswer(
  503,
  "The server already serves its maximum number of event streams; try again later.",
  "Retry-After: 10\r\n",
);

/** @returns the state as JSON; undefined where the noun failed. */
function jsonOf(answer: Answer | undefined): string | undefined {
  return answer instanceof StateAnswer ? answer.json : undefined;
}

/** Reports what a noun's `watch`, or its end, threw. Reading that value may also never end. */
function reportFailure({ guard, onFailure, log }: StreamsContext, name: string, error: unknown): void {
  if (log === undefined && onFailure === undefined) return;
  let description = "watch failed";
  try {
    description = guard.call(() => `watch failed: ${describeError(error)}`);
  } catch {
    // An error that cannot be inspected gets no description.
  }
  onFailure?.(name, description);
  log?.(escapeForLog(`${name}: ${description}`));
}

/** What happened to the nouns of a server so far. */
interface Happenings {
  /** How often one may have changed. */
  readonly changes: number;
  /** How often one was registered or removed. */
  readonly registrations: number;
}

/** The nouns that a stream is about to watch. */
interface ReadNouns {
  readonly names: readonly string[];
  /** What had happened when they began to be read. */
  readonly since: Happenings;
}

/** An answer that continues after its head: the connection passes its socket to a stream. */
class StreamAnswer implements Answer {
  readonly status = 200;
  readonly note = "";
  private readonly streams: EventStreams;
  private readonly read: ReadNouns;
  private readonly watch: (stream: EventStream) => Watch;

  constructor(streams: EventStreams, read: ReadNouns, watch: (stream: EventStream) => Watch) {
    this.streams = streams;
    this.read = read;
    this.watch = watch;
  }

  write(delivery: Delivery): string {
    return streamHead(delivery);
  }

  refusal(peer: string): Answer | undefined {
    return this.streams.hasRoom(peer) ? undefined : tooMany;
  }

  begin(socket: Socket, head: string): void {
    this.streams.begin(socket, head, this.read, this.watch);
  }
}

/** The streams of one server. */
class EventStreams implements Streams {
  private readonly context: EventStreamContext;
  private readonly watches: Watches;
  private changes = 0;
  private registrations = 0;
  private isClosed = false;
  private looksAtMemory = false;

  constructor(context: StreamsContext, random: () => number) {
    const { clock, net, guard, limits } = context;
    this.context = { ...context, deadlines: new Deadlines(clock), onHeld: () => this.lookAtMemory() };
    const { maxEventsPerSecond } = limits;
    this.watches = newWatches({
      clock,
      call: (step) => guard.call(step),
      broadcaster: net,
      report: (name, error) => reportFailure(context, name, error),
      ids: EventIds.atRandom(random),
      maxEventsPerSecond,
    });
  }

  get size(): number {
    return this.context.deadlines.members.size;
  }

  private get isFull(): boolean {
    return this.size >= this.context.limits.maxStreams;
  }

  /** @returns whether another stream of a client can begin, for which one may have to end. */
  hasRoom(peer: string): boolean {
    return !this.isClosed && (!this.isFull || this.oneToEnd(peer) !== undefined);
  }

  route(registered: RegisteredNoun, accept: string): Route | undefined {
    return this.routeOf(
      accept,
      () => [registered],
      ([noun], [answer], since) => {
        const json = jsonOf(answer);
        if (noun === undefined || json === undefined) return answer as Answer;
        const read = { names: [noun.name], since };
        return new StreamAnswer(this, read, (stream) => this.watches.watchNoun(stream, watchable(noun), json));
      },
    );
  }

  routeToAll(
    nouns: () => readonly RegisteredNoun[],
    reaches: (name: string) => boolean,
    accept: string,
  ): Route | undefined {
    const reached = () => nouns().filter(({ name }) => reaches(name));
    return this.routeOf(accept, reached, (nounsRead, answers, since) => {
      const readings = nounsRead.map((noun, index) => ({ watched: watchable(noun), json: jsonOf(answers[index]) }));
      const read = { names: nounsRead.map(({ name }) => name), since };
      return new StreamAnswer(this, read, (stream) => this.watches.watchAll(stream, readings, reaches));
    });
  }

  /**
   * @param nouns the routes to the nouns that are read first.
   * @param finish makes the continuing answer from the nouns' answers, in their order, and from what had happened before.
   * @returns the route of a GET whose answer continues; undefined if the client prefers JSON.
   */
  private routeOf(
    accept: string,
    nouns: () => readonly RegisteredNoun[],
    finish: (read: readonly RegisteredNoun[], answers: readonly Answer[], since: Happenings) => Answer,
  ): Route | undefined {
    if (preferredRepresentation(accept, ["text/event-stream"]) === "json") return undefined;
    return {
      takesBody: false,
      shape: undefined,
      isLast: true,
      perform: (_state, asker) => {
        const read = nouns();
        const since = { changes: this.changes, registrations: this.registrations };
        const routes = read.map((noun) => noun.route("GET"));
        return gather(routes, asker, (answers) => finish(read, answers, since));
      },
    };
  }

  /** Begins a stream on a socket, which belongs to the stream from then on. @param head the text to send before the first event. */
  begin(socket: Socket, head: string, { names, since }: ReadNouns, watch: (stream: EventStream) => Watch): void {
    if (this.isFull) this.oneToEnd(socket.peer)?.endForAnother();
    const stream = new EventStream(this.context, socket, head);
    try {
      stream.begin(() => watch(stream));
    } catch (error) {
      stream.close();
      throw error;
    }
    // Since its nouns were read, the stream has waited for a slow noun, or for an answer before it.
    if (this.registrations !== since.registrations) stream.end();
    else if (this.changes !== since.changes) for (const name of names) this.watches.changed(name);
  }

  /**
   * Where all places are taken, and not by one address, each address has an equal share of them. The oldest stream of an address ends for
   * one more of the same address if that has its share, and otherwise for one of another address.
   * @returns the stream that ends for another one of a client; undefined if none does.
   */
  private oneToEnd(peer: string): EventStream | undefined {
    const client = clientOf(peer);
    const streams = Array.from(this.context.deadlines.members, (stream) => ({
      stream,
      of: clientOf(stream.outlet.peer),
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

  changed(name: string): void {
    this.changes += 1;
    this.watches.changed(name);
  }

  endFor(name: string): void {
    this.registrations += 1;
    this.watches.endFor(name);
  }

  close(): void {
    this.isClosed = true;
    this.watches.close();
    this.context.deadlines.end();
  }

  /** This runs in another turn of the loop, because an event may still be on its way to other streams, which must not end meanwhile. */
  private lookAtMemory(): void {
    if (this.looksAtMemory) return;
    const { clock, relieve } = this.context;
    clock.setTimer(() => {
      this.looksAtMemory = false;
      relieve();
    }, 0);
    this.looksAtMemory = true;
  }

  closeLargest(): boolean {
    let largest: EventStream | undefined;
    for (const stream of this.context.deadlines.members) {
      if (stream.held > (largest?.held ?? 0)) largest = stream;
    }
    largest?.close();
    return largest !== undefined;
  }
}

/** A registered noun for watching. It is read in its turn among the requests. */
function watchable(registered: RegisteredNoun): WatchableNoun {
  const { name, noun } = registered;
  return {
    name,
    noun,
    read(done) {
      const onAnswer = () => done(outcome.status === undefined ? jsonOf(outcome.answer) : undefined);
      const asker: Asker = { hasNoPlace: true, onAnswer };
      const outcome = registered.route("GET").perform(emptyState, asker);
      if (outcome.status !== undefined) done(jsonOf(outcome));
    },
  };
}

/**
 * @param random gives numbers from 0 up to 1, for the ids of events.
 * @returns the streams of a server, still without any stream.
 */
export function newEventStreams(context: StreamsContext, random: () => number): Streams {
  return new EventStreams(context, random);
}
