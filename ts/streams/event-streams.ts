/**
 * The streams of one server: the routes to them, how many there are, and what they are told. This module is read when the first
 * client wants a stream.
 */
import { preferredRepresentation } from "../http/accept.ts";
import type { Delivery } from "../http/response.ts";
import type { Socket } from "../native/net.ts";
import { emptyState, type State } from "../noun/state.ts";
import { type Answer, RefusalAnswer, StateAnswer } from "../server/answer.ts";
import type { Streams, StreamsContext } from "../server/companions.ts";
import { gather } from "../server/gathering.ts";
import type { RegisteredNoun, Route } from "../server/noun-route.ts";
import type { Asker, PendingAnswer } from "../server/operation.ts";
import type { Watch } from "../watch/watch.ts";
import type { WatchableNoun } from "../watch/watched-noun.ts";
import { type NounReading, newWatches, type Watches } from "../watch/watches.ts";
import { EventStream } from "./event-stream.ts";

/** What one stream needs. */
export interface EventStreamContext extends StreamsContext {
  /** A stream holds something that its client has still to take. */
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

/** An answer that continues: its sender hands the socket over. */
class StreamAnswer implements Answer {
  readonly status = 200;
  readonly note = "";
  private readonly streams: EventStreams;
  private readonly watch: (stream: EventStream) => Watch;

  constructor(streams: EventStreams, watch: (stream: EventStream) => Watch) {
    this.streams = streams;
    this.watch = watch;
  }

  write(delivery: Delivery): string {
    return streamHead(delivery);
  }

  get refusal(): Answer | undefined {
    return this.streams.isFull ? tooMany : undefined;
  }

  begin(socket: Socket, head: string): void {
    this.streams.begin(socket, head, this.watch);
  }
}

/** A stream's answer is there when that to the GET is. */
class PendingStream implements PendingAnswer {
  private readonly pending: PendingAnswer;
  private readonly toStream: (answer: Answer) => Answer;
  private made: Answer | undefined;

  constructor(pending: PendingAnswer, toStream: (answer: Answer) => Answer) {
    this.pending = pending;
    this.toStream = toStream;
  }

  get answer(): Answer | undefined {
    const { answer } = this.pending;
    if (answer !== undefined) this.made ??= this.toStream(answer);
    return this.made;
  }

  abandon(): void {
    this.pending.abandon();
  }
}

/** The route to the stream of one noun: a GET whose answer goes on, unless it is a refusal. */
class StreamRoute implements Route {
  readonly takesBody = false;
  readonly shape = undefined;
  readonly isLast = true;
  private readonly streams: EventStreams;
  private readonly registered: RegisteredNoun;
  private readonly reading: Route;

  constructor(streams: EventStreams, registered: RegisteredNoun) {
    this.streams = streams;
    this.registered = registered;
    this.reading = registered.route("GET");
  }

  perform(state: State, asker: Asker): Answer | PendingAnswer {
    if (this.streams.isFull) return tooMany;
    const toStream = (answer: Answer) => this.streams.answerWith(this.registered, answer);
    const outcome = this.reading.perform(state, asker);
    return outcome.status === undefined ? new PendingStream(outcome, toStream) : toStream(outcome);
  }
}

/** The route to the stream of all nouns. */
class StreamOfAllRoute implements Route {
  readonly takesBody = false;
  readonly shape = undefined;
  readonly isLast = true;
  private readonly streams: EventStreams;
  private readonly nouns: () => readonly RegisteredNoun[];
  private readonly reaches: (name: string) => boolean;

  constructor(streams: EventStreams, nouns: () => readonly RegisteredNoun[], reaches: (name: string) => boolean) {
    this.streams = streams;
    this.nouns = nouns;
    this.reaches = reaches;
  }

  perform(_state: State, asker: Asker): Answer | PendingAnswer {
    if (this.streams.isFull) return tooMany;
    const reached = this.nouns().filter(({ name }) => this.reaches(name));
    const routes = reached.map((registered) => registered.route("GET"));
    return gather(routes, asker, (answers) => {
      const readings = reached.map((registered, index) => ({
        watched: watchable(registered),
        json: jsonOf(answers[index]),
      }));
      return this.streams.answerWithAll(readings, this.reaches);
    });
  }
}

/** The streams of one server. */
class EventStreams implements Streams {
  private readonly context: EventStreamContext;
  private readonly watches: Watches;
  private readonly open = new Set<EventStream>();
  private isClosed = false;
  private looksAtMemory = false;

  constructor(context: StreamsContext) {
    const { clock, net, call, limits, report } = context;
    this.context = { ...context, onHeld: () => this.lookAtMemory() };
    // Another run of the server begins at another moment.
    const run = Math.floor(clock.now()).toString(16);
    const { maxEventsPerSecond } = limits;
    this.watches = newWatches({ clock, call, broadcaster: net, report, run, maxEventsPerSecond });
  }

  get size(): number {
    return this.open.size;
  }

  /** Whether no further stream can begin. */
  get isFull(): boolean {
    return this.isClosed || this.open.size >= this.context.limits.maxStreams;
  }

  route(registered: RegisteredNoun, accept: string): Route | undefined {
    const preferred = preferredRepresentation(accept, ["text/event-stream"]);
    return preferred === "json" ? undefined : new StreamRoute(this, registered);
  }

  routeToAll(
    nouns: () => readonly RegisteredNoun[],
    reaches: (name: string) => boolean,
    accept: string,
  ): Route | undefined {
    const preferred = preferredRepresentation(accept, ["text/event-stream"]);
    return preferred === "json" ? undefined : new StreamOfAllRoute(this, nouns, reaches);
  }

  /** @returns what goes on with these readings. */
  answerWithAll(readings: readonly NounReading[], reaches: (name: string) => boolean): Answer {
    return new StreamAnswer(this, (stream) => this.watches.watchAll(stream, readings, reaches));
  }

  /** @returns what goes on where a noun gave its state; the refusal itself where it did not. */
  answerWith(registered: RegisteredNoun, answer: Answer): Answer {
    const json = jsonOf(answer);
    if (json === undefined) return answer;
    return new StreamAnswer(this, (stream) => this.watches.watchNoun(stream, watchable(registered), json));
  }

  /** Begins a stream on a socket, which belongs to it from then on. @param head what is to be sent before the first event. */
  begin(socket: Socket, head: string, watch: (stream: EventStream) => Watch): void {
    const stream = new EventStream(this.context, socket, head, (closed) => void this.open.delete(closed));
    this.open.add(stream);
    try {
      stream.begin(() => watch(stream));
    } catch (error) {
      stream.close();
      throw error;
    }
  }

  changed(name: string): void {
    this.watches.changed(name);
  }

  endFor(name: string): void {
    this.watches.endFor(name);
  }

  close(): void {
    this.isClosed = true;
    this.watches.close();
  }

  /** In another turn of the loop: now an event may still have to be told to others, which must not end meanwhile. */
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
    for (const stream of this.open) {
      if (stream.held > (largest?.held ?? 0)) largest = stream;
    }
    largest?.close();
    return largest !== undefined;
  }
}

/** A registered noun as it is watched: read in its turn among the requests. */
function watchable(registered: RegisteredNoun): WatchableNoun {
  const { name, noun } = registered;
  return {
    name,
    noun,
    read(done) {
      const asker: Asker = { onAnswer: () => done(outcome.status === undefined ? jsonOf(outcome.answer) : undefined) };
      const outcome = registered.route("GET").perform(emptyState, asker);
      if (outcome.status !== undefined) done(jsonOf(outcome));
    },
  };
}

/** @returns the streams of a server, none of which has begun. */
export function newEventStreams(context: StreamsContext): Streams {
  return new EventStreams(context);
}
