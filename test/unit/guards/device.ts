/** A server with guarded nouns, each on a line of its own. Time passes when the test says so. */

import type { Feeds } from "../../../ts/core/feeds/feeds.ts";
import { ChangeListeners } from "../../../ts/core/noun/change-listeners.ts";
import type { When } from "../../../ts/core/noun/condition.ts";
import type { Awaitable, Noun } from "../../../ts/core/noun/noun.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import type { Verb } from "../../../ts/core/noun/verb.ts";
import { type Answer, jsonOf, RefusalAnswer } from "../../../ts/core/operations/answer.ts";
import { openFeeds } from "../../../ts/core/server/open-feeds.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import type { Net } from "../../../ts/native/net.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import { SimulatedMemory } from "../../../ts/native/simulated/memory.ts";
import { SimulatedNet } from "../../../ts/native/simulated/net.ts";
import { Guards } from "../../../ts/parts/guards/guards.ts";
import { guardsKey, guards as planOfGuards } from "../../../ts/parts/guards/part.ts";
import { EventStreams } from "../../../ts/parts/streams/event-streams.ts";
import { broadcast, TestClient } from "../feeds/world.ts";

/** What a noun does with the next operation that changes it. */
export type Manner = "at once" | "slowly" | "fails" | "fails slowly";

/** The order in which lines have changed: what a person sees at the pins. */
export type LineLog = {
  readonly name: string;
  readonly on: number;
  /** Whether another operation of the noun was under way then. */
  readonly isBusy: boolean;
}[];

/** ms that an operation may take. */
const nounTimeout = 2_000;

/** A noun on one line. It is `{"on":0}` by default. */
export class LineNoun implements Noun {
  readonly guard?: When;
  readonly shape: Shape = { on: { type: "integer", minimum: 0, maximum: 9 } };
  manner: Manner = "at once";
  /** Whether it cannot be read. */
  isUnreadable = false;
  /** Whether a reading ends when the test says so, by `endReadings`. */
  isSlowToRead = false;
  on = 0;
  /** Whether nobody knows what it is: it was neither read nor changed by an operation. */
  isUnknown = false;
  /** How often it was read. */
  readings = 0;
  /** When the first of the readings began that take time, in ms by the clock; undefined without one. */
  private readingSince: number | undefined;
  private readonly name: string;
  private readonly log: LineLog;
  private readonly clock: SimulatedClock;
  private readonly listeners = new ChangeListeners();
  private ends: (() => void)[] = [];
  private readingEnds: (() => void)[] = [];

  constructor(name: string, log: LineLog, clock: SimulatedClock, guard?: When) {
    this.name = name;
    this.log = log;
    this.clock = clock;
    if (guard !== undefined) this.guard = guard;
  }

  getState(): Awaitable<State> {
    this.readings += 1;
    const { on, isUnreadable } = this;
    const read = () => {
      if (isUnreadable) throw new Error("broken");
      return { on };
    };
    if (!this.isSlowToRead) return read();
    this.readingSince ??= this.clock.now();
    return new Promise<void>((resolve) => this.readingEnds.push(resolve)).then(read);
  }

  setState(state: State): Awaitable<State> {
    return this.move(Number(state["on"]));
  }

  updateState(change: State): Awaitable<State> {
    return this.move(Number(change["on"] ?? 1 - Math.min(1, this.on)));
  }

  deleteState(): Awaitable<State> {
    return this.move(0);
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  /** The line moves by itself. */
  become(on: number): void {
    if (on !== this.on) this.log.push({ name: this.name, on, isBusy: this.underway > 0 });
    this.on = on;
    this.listeners.tell();
  }

  /** How many operations take time. */
  get underway(): number {
    return this.ends.length;
  }

  /** Ends the operations that take time. */
  end(): void {
    for (let end = this.ends.shift(); end !== undefined; end = this.ends.shift()) end();
  }

  /** Ends the readings that take time. Each gives what the line was when it began. */
  endReadings(): void {
    this.readingSince = undefined;
    for (const end of this.readingEnds.splice(0)) end();
  }

  /** Whether nobody can read it now: it fails, it is changing, or a reading has taken too long. */
  get isUnreadNow(): boolean {
    const { isUnreadable, underway, readingSince, clock } = this;
    return isUnreadable || underway > 0 || (readingSince !== undefined && clock.now() >= readingSince + nounTimeout);
  }

  tell(): void {
    this.listeners.tell();
  }

  private move(on: number): Awaitable<State> {
    const { manner } = this;
    if (manner === "fails") throw new Error("the line does not move");
    const act = () => {
      if (manner === "fails slowly") throw new Error("the line does not move");
      this.isUnknown = false;
      this.become(on);
      return { on };
    };
    if (manner === "at once") return act();
    return new Promise((resolve, reject) => {
      this.ends.push(() => {
        try {
          resolve(act());
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}

/** Lets the jobs of this turn end. */
export async function settle(): Promise<void> {
  for (let jobs = 0; jobs < 30; jobs++) await Promise.resolve();
}

export class GuardedDevice {
  readonly clock: SimulatedClock;
  readonly server: HttpServer;
  readonly log: LineLog = [];
  readonly reports: string[] = [];
  readonly nouns = new Map<string, LineNoun>();
  /** What a stream of all nouns has been told, in its order; null for a noun that cannot be read. */
  readonly told: { readonly name: string; readonly on: number | null }[] = [];
  /** Undefined without a guard. */
  private streams: EventStreams | undefined;
  private feeds: Feeds | undefined;

  /** @param guards by noun, those without a guard with undefined. */
  constructor(guards: { readonly [name: string]: When | undefined }, clock = new SimulatedClock()) {
    this.clock = clock;
    const platform = {
      net: new SimulatedNet(),
      clock,
      interruption: new SimulatedInterruption(),
      memory: new SimulatedMemory(),
    };
    this.server = new HttpServer(platform, { limits: { nounTimeout } }, [
      {
        ...planOfGuards((name, description) => void this.reports.push(`${name}: ${description}`)),
        open: (host) => {
          const { nouns } = host;
          this.feeds = openFeeds(host);
          this.streams = new EventStreams({ ...host, net: { broadcast } as unknown as Net }, () => 0);
          return new Guards({
            clock,
            nouns,
            feeds: this.feeds,
            exempt: (step, ...rest) => step(...rest),
            report: (name, description) => void this.reports.push(`${name}: ${description}`),
          });
        },
      },
    ]);
    for (const [name, guard] of Object.entries(guards)) this.register(name, guard);
  }

  /** @param on what the noun's line is already. */
  register(name: string, guard?: When, on = 0, manner: Manner = "at once"): LineNoun {
    const noun = new LineNoun(name, this.log, this.clock, guard);
    noun.on = on;
    noun.manner = manner;
    this.nouns.set(name, noun);
    this.server.register(name, noun);
    this.streams?.replaced(name);
    return noun;
  }

  unregister(name: string): void {
    this.server.unregister(name);
    this.streams?.replaced(name);
  }

  /** A client asks for a stream of all nouns. */
  watch(): TestClient {
    const { streams } = this;
    const nouns = () =>
      Array.from(this.nouns.keys(), (name) => this.server.nouns.find(name)).flatMap((noun) => noun ?? []);
    if (streams === undefined) throw new Error("No noun has a guard.");
    return new TestClient().ask(streams, nouns);
  }

  of(name: string): LineNoun {
    return this.nouns.get(name) as LineNoun;
  }

  async start(): Promise<this> {
    this.server.parts.find(guardsKey)?.start();
    await this.pass();
    this.log.splice(0);
    return this;
  }

  /** Follows nouns, as a stream does; all of them, as one of `/` does. */
  follow(...names: readonly string[]): void {
    for (const name of names.length > 0 ? names : this.nouns.keys())
      this.feeds?.of(name).follow({
        onState: ({ json }) => {
          const on = json === undefined ? null : (JSON.parse(json) as { on: number }).on;
          this.told.push({ name, on });
        },
      });
  }

  /** @returns the state of a 200; the detail of a refusal; undefined while there is no answer. */
  ask(name: string, verb: Verb, state: State = {}): { answer?: string } {
    const asked: { answer?: string } = {};
    const done = (answer: Answer) => {
      asked.answer =
        answer instanceof RefusalAnswer ? `${answer.status} ${answer.detail}` : (jsonOf(answer) ?? answer.note);
    };
    this.server.nouns.find(name)?.ask(verb, state, done);
    return asked;
  }

  /** As `ask`, of a noun that answers at once. */
  now(name: string, verb: Verb, state: State = {}): string | undefined {
    return this.ask(name, verb, state).answer;
  }

  /** Lets time pass, one timer after the other, each in a turn of its own. */
  async pass(ms = 10): Promise<void> {
    await settle();
    const end = this.clock.now() + ms;
    while (this.clock.nextMoment <= end) {
      this.clock.advance(Math.max(0, this.clock.nextMoment - this.clock.now()));
      await settle();
    }
    this.clock.advance(end - this.clock.now());
    await settle();
  }
}
