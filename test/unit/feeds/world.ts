/** What the tests of feeds and streams have instead of connections and registered nouns. */
import { Feeds } from "../../../ts/core/feeds/feeds.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { emptyState, type State } from "../../../ts/core/noun/state.ts";
import type { Verb } from "../../../ts/core/noun/verb.ts";
import {
  type Answer,
  abandon,
  RefusalAnswer,
  StateAnswer,
  type StreamingAnswer,
} from "../../../ts/core/operations/answer.ts";
import type { DeviceAsker } from "../../../ts/core/operations/device-asker.ts";
import type { RegisteredNoun } from "../../../ts/core/operations/noun-route.ts";
import type { PendingAnswer } from "../../../ts/core/operations/operation.ts";
import type { Host } from "../../../ts/core/server/host.ts";
import { completeServerLimits } from "../../../ts/core/server/options.ts";
import { Turns } from "../../../ts/core/time/turns.ts";
import type { Net, Socket, SocketHandler } from "../../../ts/native/net.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { EventStreams } from "../../../ts/parts/streams/event-streams.ts";

const failed = new RefusalAnswer(500, "The noun failed.");

/** A registered noun whose state a test moves. */
export class TestNoun {
  readonly name: string;
  readonly face: Noun;
  state: State;
  /** How often it was read. */
  reads = 0;
  /** How often `watch` was called, and its end. */
  begun = 0;
  ended = 0;
  hasFailed = false;
  /** Whether a reading ends when a test says so, by `answer`. */
  isSlow = false;
  /** Thrown by the next reading. */
  error: Error | undefined;
  feed: RegisteredNoun["feed"];
  private changed: (() => void) | undefined;
  private waiting: (() => void)[] = [];

  /** @param options `poll` in ms for a noun that cannot tell. */
  constructor(name: string, options: { state?: State; shape?: Shape; poll?: number | undefined } = {}) {
    const { state = { n: 0 }, shape, poll } = options;
    this.name = name;
    this.state = state;
    const getState = () => this.state;
    this.face = {
      getState,
      setState: getState,
      updateState: getState,
      deleteState: getState,
      poll,
      ...(shape !== undefined && { shape }),
      ...(poll === undefined && { watch: (changed: () => void) => this.begin(changed) }),
    };
  }

  /** How many listen to it. */
  get listeners(): number {
    return this.begun - this.ended;
  }

  /** Readings that are under way. */
  get underway(): number {
    return this.waiting.length;
  }

  /** What GET would answer now. */
  get now(): State | null {
    return this.hasFailed ? null : this.state;
  }

  /** Changes the state and tells, as far as somebody listens. */
  become(state: State): void {
    this.state = state;
    this.tell();
  }

  tell(): void {
    this.changed?.();
  }

  askAs(asker: DeviceAsker, _verb: Verb, _state: State): PendingAnswer | undefined {
    this.reads += 1;
    const { error } = this;
    this.error = undefined;
    if (error !== undefined) throw error;
    const answer = () => asker.onAnswer(this.hasFailed ? failed : new StateAnswer(JSON.stringify(this.state)));
    if (!this.isSlow) {
      answer();
      return undefined;
    }
    this.waiting.push(answer);
    return {
      answer: undefined,
      abandon: () => {
        this.waiting = this.waiting.filter((other) => other !== answer);
      },
    };
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
      this.changed = undefined;
    };
  }
}

/** The socket of a client, which takes bytes, or for a while takes none. */
export class TestSocket {
  handler: SocketHandler | undefined;
  readonly peer: string;
  received = "";
  isClosed = false;
  /** Whether it takes bytes. What is written meanwhile waits. */
  takes = true;
  private waiting = "";

  constructor(peer = "192.0.2.1:1") {
    this.peer = peer;
  }

  get unsent(): number {
    return this.waiting.length;
  }

  write(text: string): boolean {
    if (this.waiting !== "") throw new Error("Something is written although nothing more may be.");
    if (this.takes) this.received += text;
    else this.waiting = text;
    return this.takes;
  }

  /** Takes bytes again, all of them or only what waits. */
  resume(takes = true): void {
    this.takes = takes;
    const isOwed = this.waiting !== "";
    this.received += this.waiting;
    this.waiting = "";
    if (isOwed && !this.isClosed) this.handler?.onDrain?.();
  }

  setLongLived(): void {}

  setReading(): void {}

  finish(): void {}

  close(): void {
    this.isClosed = true;
  }

  /** The events, each with its data parsed. */
  get events(): { readonly id: string; readonly data: unknown }[] {
    return Array.from(this.received.matchAll(/^id: (.*)\ndata: (.*)\n\n/gm), ([, id = "", data = ""]) => ({
      id,
      data: JSON.parse(data),
    }));
  }

  get data(): unknown[] {
    return this.events.map(({ data }) => data);
  }
}

/** A client that has asked for a stream. */
export class TestClient {
  readonly socket = new TestSocket();
  /** The answer that it has got instead of a stream. */
  refusal: Answer | undefined;
  hasLeft = false;
  /** Whether its answer has to wait for those before it, until `open` is called. */
  waits = false;
  private outcome: Answer | PendingAnswer | undefined;

  /** @returns the answer, once it is there. */
  private get answer(): Answer | undefined {
    return this.outcome?.status === undefined ? this.outcome?.answer : this.outcome;
  }

  get isOpen(): boolean {
    return this.socket.handler !== undefined && !this.socket.isClosed;
  }

  ask(streams: EventStreams, nouns: () => readonly { readonly name: string }[], only?: string): this {
    const all = () => nouns().filter(({ name }) => name === (only ?? name)) as unknown as readonly RegisteredNoun[];
    const reaches = (name: string) => name === (only ?? name);
    const route = streams.route({ isOfOne: only !== undefined, all, reaches });
    const open = () => {
      if (!this.waits) this.open();
    };
    this.outcome = route.perform(emptyState, { onAnswer: open });
    open();
    return this;
  }

  /** Does as the connection does with an answer. */
  open(): void {
    const { answer } = this;
    if (answer === undefined || this.hasLeft || this.socket.handler !== undefined) return;
    const streaming = answer as Partial<StreamingAnswer>;
    const refusal = streaming.refusal?.(this.socket.peer);
    if (streaming.open === undefined || refusal !== undefined) this.refusal = refusal ?? answer;
    else streaming.open(this.socket as unknown as Socket, "");
  }

  leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    if (this.socket.handler === undefined) {
      if (this.outcome !== undefined) abandon(this.outcome);
    } else if (!this.socket.isClosed) this.socket.handler.onGone?.();
  }
}

/** Writes to sockets as `nound:net` does. @returns the indices of those that are full. */
export function broadcast(text: string, sockets: readonly Socket[]): readonly number[] {
  return sockets.flatMap((one, index) => {
    const socket = one as unknown as TestSocket;
    return socket.unsent > 0 || !socket.write(text) ? [index] : [];
  });
}

/** Feeds and streams of nouns on simulated time. */
export class World {
  readonly clock = new SimulatedClock();
  readonly nouns = new Map<string, TestNoun>();
  readonly reports: string[] = [];
  /** Thrown by the next broadcast. */
  failure: Error | undefined;
  /** What was written to many, text by text. */
  readonly texts: string[] = [];
  readonly turns = new Turns(this.clock);
  readonly feeds: Feeds;
  readonly streams: EventStreams;

  constructor(maxEventsPerSecond = 50) {
    const { clock, turns, nouns } = this;
    // A test that lets time pass awaits no jobs of the engine.
    turns.queue = (job) => void clock.setTimer(job, 0);
    this.feeds = new Feeds({
      clock,
      turns,
      interval: 1_000 / maxEventsPerSecond,
      find: (name) => nouns.get(name) as unknown as RegisteredNoun | undefined,
      call: (step) => step(),
      exempt: (step, ...rest) => step(...rest),
      report: (name, error) => this.reports.push(`${name}: ${String(error)}`),
    });
    const net = { broadcast: (text: string, sockets: readonly Socket[]) => this.broadcast(text, sockets) };
    const limits = completeServerLimits({ maxEventsPerSecond, maxStreams: 1_000 });
    const context = { clock, turns, net: net as Net, limits, feeds: { opened: this.feeds }, relieve: () => true };
    this.streams = new EventStreams(context as unknown as Host, () => 0);
  }

  /** Makes a noun reachable by its name, also in place of another one. */
  register<Registered extends TestNoun>(noun: Registered): Registered {
    this.nouns.set(noun.name, noun);
    this.replaced(noun.name);
    return noun;
  }

  unregister(name: string): void {
    this.nouns.delete(name);
    this.replaced(name);
  }

  /** @param only the noun of the stream; all nouns if left out. */
  watch(only?: string, client = new TestClient()): TestClient {
    return client.ask(this.streams, () => Array.from(this.nouns.values()), only);
  }

  private replaced(name: string): void {
    this.feeds.replaced(name);
    this.streams.replaced(name);
  }

  private broadcast(text: string, sockets: readonly Socket[]): readonly number[] {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    this.texts.push(text);
    return broadcast(text, sockets);
  }
}
