/** What the tests of watches have instead of connections and registered nouns. */
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import type { Noun } from "../../../ts/noun/noun.ts";
import type { Shape } from "../../../ts/noun/shape.ts";
import type { State } from "../../../ts/noun/state.ts";
import type { EventForm, Outlet } from "../../../ts/watch/audience.ts";
import { EventIds, type NounEvent } from "../../../ts/watch/event.ts";
import type { Listener, Watch } from "../../../ts/watch/watch.ts";
import type { WatchableNoun } from "../../../ts/watch/watched-noun.ts";
import { Watches } from "../../../ts/watch/watches.ts";

/** A client that takes bytes, or for a while takes none. */
export class TestSink implements Listener {
  readonly form: EventForm;
  received = "";
  /** Whether it takes bytes. What is written meanwhile waits, as in a socket. */
  takes = true;
  isOver = false;
  failure: Error | undefined;
  watch: Watch | undefined;
  /** How often something was written to many at once that waits here. */
  waits = 0;
  private waiting = "";

  constructor(form: EventForm) {
    this.form = form;
  }

  get outlet(): Outlet {
    return this;
  }

  onWaiting(): void {
    this.waits += 1;
  }

  write(text: string): boolean {
    if (this.failure !== undefined) throw this.failure;
    if (this.waiting !== "") throw new Error("Something is written although nothing more may be.");
    if (this.takes) this.received += text;
    else this.waiting = text;
    return this.takes;
  }

  end(): void {
    this.isOver = true;
  }

  /** Takes bytes again. */
  resume(): void {
    this.takes = true;
    const isOwed = this.waiting !== "";
    this.received += this.waiting;
    this.waiting = "";
    if (isOwed) this.watch?.drained();
  }

  /** Bytes that wait. */
  get unsent(): number {
    return this.waiting.length;
  }

  /** The events, each with its data parsed. */
  get events(): { readonly id: string; readonly data: unknown }[] {
    return Array.from(this.received.matchAll(/^id: (.*)\ndata: (.*)\n\n/gm), ([, id = "", data = ""]) => ({
      id,
      data: JSON.parse(data),
    }));
  }

  /** The data of the events. */
  get data(): unknown[] {
    return this.events.map(({ data }) => data);
  }
}

/** A noun whose state a test moves. */
export class TestNoun implements WatchableNoun {
  readonly name: string;
  readonly noun: Noun;
  state: State;
  /** How often it was read. */
  reads = 0;
  /** How often `watch` was called, and its end. */
  begun = 0;
  ended = 0;
  hasFailed = false;
  /** Whether a reading ends when a test says so, by `answer`. */
  isSlow = false;
  private changed: (() => void) | undefined;
  private readonly waiting: (() => void)[] = [];

  /** @param options `poll` in ms for a noun that cannot tell. */
  constructor(name: string, options: { state?: State; shape?: Shape; poll?: number | undefined } = {}) {
    const { state = { n: 0 }, shape, poll } = options;
    this.name = name;
    this.state = state;
    const getState = () => this.state;
    this.noun = {
      getState,
      setState: getState,
      updateState: getState,
      deleteState: getState,
      poll,
      ...(shape !== undefined && { shape }),
      ...(poll === undefined && { watch: (changed: () => void) => this.begin(changed) }),
    };
  }

  get json(): string {
    return JSON.stringify(this.state);
  }

  /** Changes the state and tells, as far as somebody watches. */
  become(state: State): void {
    this.state = state;
    this.tell();
  }

  tell(): void {
    this.changed?.();
  }

  read(done: (json?: string) => void): void {
    this.reads += 1;
    const answer = () => (this.hasFailed ? done() : done(this.json));
    if (this.isSlow) this.waiting.push(answer);
    else answer();
  }

  /** Ends the readings that wait. */
  answer(): void {
    for (const answer of this.waiting.splice(0)) answer();
  }

  private begin(changed: () => void): () => void {
    this.begun += 1;
    this.changed = changed;
    return () => {
      this.ended += 1;
    };
  }
}

/** Writes to sinks as `nound:net` does to sockets. */
class TestBroadcaster {
  failure: Error | undefined;
  /** What was written to many, text by text. */
  readonly texts: string[] = [];

  broadcast(text: string, outlets: readonly Outlet[]): readonly number[] {
    if (this.failure !== undefined) throw this.failure;
    this.texts.push(text);
    return outlets.flatMap((outlet, index) => {
      const isBehind = (outlet as TestSink).unsent > 0 || !outlet.write(text);
      return isBehind ? [index] : [];
    });
  }
}

function writeEvent(id: string, data: string): string {
  return `id: ${id}\ndata: ${data}\n\n`;
}

/** @returns watches on simulated time, and what begins them. */
export function makeWatches(maxEventsPerSecond = 50) {
  const clock = new SimulatedClock();
  const reports: string[] = [];
  const broadcaster = new TestBroadcaster();
  const ids = new EventIds(() => 0);
  const watches = new Watches({
    clock,
    call: (step) => step(),
    ids,
    eventInterval: 1_000 / maxEventsPerSecond,
    report: (name, error) => reports.push(`${name}: ${String(error)}`),
  });
  const formOf = (data: (event: NounEvent) => string): EventForm => ({
    text: (event) => writeEvent(event.id, data(event)),
    broadcast: (text, outlets) => broadcaster.broadcast(text, outlets),
  });
  const own = formOf(({ json }) => json);
  const all = formOf(({ name, json }) => `{"${name}":${json}}`);
  const begin = (sink: TestSink, nouns: readonly TestNoun[], data: string): TestSink => {
    const readings = nouns.map((noun) => ({ watched: noun, json: noun.hasFailed ? undefined : noun.json }));
    sink.watch = watches.watch(sink, readings, (name) => nouns.some((noun) => noun.name === name));
    sink.watch.send(writeEvent(ids.next(), data));
    return sink;
  };
  return {
    clock,
    broadcaster,
    watches,
    reports,
    watch(noun: TestNoun, failure?: Error): TestSink {
      const sink = new TestSink(own);
      sink.failure = failure;
      return begin(sink, [noun], noun.json);
    },
    watchAll(nouns: readonly TestNoun[]): TestSink {
      const members = nouns.map((noun) => `"${noun.name}":${noun.hasFailed ? "null" : noun.json}`);
      return begin(new TestSink(all), nouns, `{${members.join(",")}}`);
    },
  };
}
