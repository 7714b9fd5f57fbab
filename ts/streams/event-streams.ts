/** The streams of one server: their routes, their number and their events. */
import { clientOf } from "../access/client-address.ts";
import { preferredRepresentation } from "../http/accept.ts";
import { type Delivery, nosniff } from "../http/response.ts";
import type { Net, Socket } from "../native/net.ts";
import { joinStates } from "../noun/state-writer.ts";
import { type Answer, jsonOf, noAnswer, RefusalAnswer, type StreamingAnswer } from "../operations/answer.ts";
import { gather } from "../operations/gathering.ts";
import type { Route } from "../operations/noun-route.ts";
import type { Streams, StreamsContext, WatchedNouns } from "../server/companions.ts";
import { openWatches } from "../server/open-watches.ts";
import { Deadlines } from "../time/deadlines.ts";
import type { EventForm } from "../watch/audience.ts";
import type { NounEvent } from "../watch/event.ts";
import type { NounReading, Watches } from "../watch/watches.ts";
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
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${nosniff}Cache-Control: no-store\r\n` +
    `X-Accel-Buffering: no\r\n${fields}Connection: close\r\n\r\n`
  );
}

/** The beginning of a stream: how many ms a client that has lost its stream waits before it connects again. */
const opening = "retry: 2000\n\n";

/** @param data JSON without a line end. @returns an event (the HTML standard, 9.2) without an `event` line. */
function writeEvent(id: string, data: string): string {
  return `id: ${id}\ndata: ${data}\n\n`;
}

/** A state with its noun's name. */
type NamedState = Pick<NounEvent, "name" | "json">;

interface StreamForm extends EventForm {
  data(states: readonly NamedState[]): string;
}

function streamForm({ broadcast }: Net, data: StreamForm["data"]): StreamForm {
  return { data, broadcast, text: (event) => writeEvent(event.id, data([event])) };
}

const tooMany = new RefusalAnswer(
  503,
  "The server already serves its maximum number of event streams; try again later.",
  "Retry-After: 10\r\n",
);

/** Numbers that tell whether something has happened to the nouns meanwhile. */
interface ChangeCounts {
  /** How often a noun may have changed. */
  readonly changes: number;
  /** How often one was registered or removed. */
  readonly registrations: number;
}

/** A stream whose nouns have been read, and which may be opened. */
interface ReadStream {
  readonly form: StreamForm;
  readonly readings: readonly NounReading[];
  /** Says whether the client may read the noun of a name. */
  readonly reaches: (name: string) => boolean;
  /** The counts before the nouns were read. */
  readonly before: ChangeCounts;
}

export class EventStreams implements Streams {
  private readonly context: EventStreamContext;
  private readonly watches: Watches;
  /** The events of one noun, and those of all nouns, whose data have the nouns' names. */
  private readonly forms: { readonly own: StreamForm; readonly all: StreamForm };
  private isClosed = false;
  private looksAtMemory = false;

  /** @param random gives numbers from 0 up to 1, for the ids of events. */
  constructor(context: StreamsContext, random: () => number) {
    const { clock, net } = context;
    this.context = { ...context, deadlines: new Deadlines(clock), onHeld: () => this.lookAtMemory() };
    this.forms = {
      own: streamForm(net, (states) => states.map(({ json }) => json).join("")),
      all: streamForm(net, joinStates),
    };
    this.watches = context.watches((watches) => openWatches(watches, random));
  }

  get size(): number {
    return this.context.deadlines.members.size;
  }

  private get isFull(): boolean {
    return this.size >= this.context.limits.maxStreams;
  }

  route({ isOfOne, nouns, reaches }: WatchedNouns, accept: string): Route | undefined {
    const form = isOfOne ? this.forms.own : this.forms.all;
    if (preferredRepresentation(accept) !== "text/event-stream") return undefined;
    return {
      takesBody: false,
      shape: undefined,
      isLast: true,
      perform: (_state, asker) => {
        const read = nouns();
        const { changes, registrations } = this.watches;
        const before = { changes, registrations };
        const finish = (answers: readonly Answer[]): Answer => {
          const readings = read.map((noun, index) => ({ watched: noun, json: jsonOf(answers[index]) }));
          // A noun that fails has no stream of its own: the client gets the failure.
          const failure = isOfOne && readings[0]?.json === undefined ? answers[0] : undefined;
          return failure ?? this.answer({ form, readings, reaches, before });
        };
        return gather(
          read.map((noun) => noun.route("GET")),
          asker,
          finish,
          noAnswer,
        );
      },
    };
  }

  /** @returns the answer that goes on as a stream. */
  private answer(read: ReadStream): StreamingAnswer {
    return {
      status: 200,
      note: "",
      write: streamHead,
      refusal: (peer) => {
        const hasRoom = !this.isClosed && (!this.isFull || this.oneToEnd(peer) !== undefined);
        return hasRoom ? undefined : tooMany;
      },
      open: (socket, head) => this.open(socket, head, read),
    };
  }

  /** Opens a stream on a socket, which belongs to the stream from then on. @param head the text to send first. */
  private open(socket: Socket, head: string, { form, readings, reaches, before }: ReadStream): void {
    if (this.isFull) this.oneToEnd(socket.peer)?.endForAnother();
    const stream = new EventStream(this.context, socket, form);
    try {
      socket.setLongLived();
      socket.handler = stream;
      // Reading detects that the peer has closed. Received bytes are ignored.
      socket.setReading(true);
      stream.watch = this.watches.watch(stream, readings, reaches);
      const states = readings.map(({ watched, json = "null" }) => ({ name: watched.name, json }));
      stream.watch.send(head + opening + writeEvent(this.watches.nextId(), form.data(states)));
    } catch (error) {
      stream.close();
      throw error;
    }
    // Since its nouns were read, the stream has waited for a slow noun, or for an answer before it.
    const { changes, registrations } = this.watches;
    if (registrations !== before.registrations) stream.end();
    else if (changes !== before.changes) for (const { watched } of readings) this.watches.changed(watched.name);
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

  close(): void {
    this.isClosed = true;
    this.context.deadlines.end();
  }

  /**
   * This runs in another turn of the loop, because an event may still be on its way to other streams, which must not
   * end meanwhile.
   */
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
