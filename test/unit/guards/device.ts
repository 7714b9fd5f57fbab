/** A server with guarded nouns, each on a line of its own. Time passes when the test says so. */

import { Guards } from "../../../ts/guards/guards.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedGuard } from "../../../ts/native/simulated/guard.ts";
import { SimulatedMemory } from "../../../ts/native/simulated/memory.ts";
import { SimulatedNet } from "../../../ts/native/simulated/net.ts";
import { ChangeListeners } from "../../../ts/noun/change-listeners.ts";
import type { When } from "../../../ts/noun/condition.ts";
import type { Awaitable, Noun } from "../../../ts/noun/noun.ts";
import type { Shape } from "../../../ts/noun/shape.ts";
import type { State } from "../../../ts/noun/state.ts";
import type { Verb } from "../../../ts/noun/verb.ts";
import { type Answer, jsonOf, RefusalAnswer } from "../../../ts/operations/answer.ts";
import { openFeeds } from "../../../ts/server/open-feeds.ts";
import { HttpServer } from "../../../ts/server/server.ts";

/** What a noun does with the next operation that changes it. */
export type Manner = "at once" | "slowly" | "fails" | "fails slowly";

/** The order in which lines have changed: what a person sees at the pins. */
export type LineLog = { readonly name: string; readonly on: number }[];

/** A noun on one line. It is `{"on":0}` by default. */
export class LineNoun implements Noun {
  readonly guard?: When;
  readonly shape: Shape = { on: { type: "integer", minimum: 0, maximum: 9 } };
  manner: Manner = "at once";
  /** Whether it cannot be read. */
  isUnreadable = false;
  on = 0;
  private readonly name: string;
  private readonly log: LineLog;
  private readonly listeners = new ChangeListeners();
  private ends: (() => void)[] = [];

  constructor(name: string, log: LineLog, guard?: When) {
    this.name = name;
    this.log = log;
    if (guard !== undefined) this.guard = guard;
  }

  getState(): State {
    if (this.isUnreadable) throw new Error("broken");
    return { on: this.on };
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
    if (on !== this.on) this.log.push({ name: this.name, on });
    this.on = on;
    this.listeners.tell();
  }

  /** How many operations take time. */
  get underway(): number {
    return this.ends.length;
  }

  /** Ends the operations that take time. */
  end(): void {
    for (const end of this.ends.splice(0)) end();
  }

  tell(): void {
    this.listeners.tell();
  }

  private move(on: number): Awaitable<State> {
    const { manner } = this;
    if (manner === "fails") throw new Error("the line does not move");
    const act = () => {
      if (manner === "fails slowly") throw new Error("the line does not move");
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
  readonly clock = new SimulatedClock();
  readonly server: HttpServer;
  readonly log: LineLog = [];
  readonly reports: string[] = [];
  readonly nouns = new Map<string, LineNoun>();

  /** @param guards by noun, those without a guard with undefined. */
  constructor(guards: { readonly [name: string]: When | undefined }) {
    const { clock } = this;
    const platform = { net: new SimulatedNet(), clock, guard: new SimulatedGuard(), memory: new SimulatedMemory() };
    this.server = new HttpServer(
      platform,
      { limits: { nounTimeout: 2_000 } },
      {
        guards: ({ nouns, feeds }) =>
          new Guards({
            clock,
            nouns,
            feeds: feeds(openFeeds),
            exempt: (step) => step(),
            report: (name, description) => void this.reports.push(`${name}: ${description}`),
          }),
      },
    );
    for (const [name, guard] of Object.entries(guards)) this.register(name, guard);
  }

  register(name: string, guard?: When): LineNoun {
    const noun = new LineNoun(name, this.log, guard);
    this.nouns.set(name, noun);
    this.server.register(name, noun);
    return noun;
  }

  of(name: string): LineNoun {
    return this.nouns.get(name) as LineNoun;
  }

  async start(): Promise<this> {
    this.server.startGuards();
    await this.pass();
    this.log.splice(0);
    return this;
  }

  /** @returns the state of a 200; the detail of a refusal; undefined while there is no answer. */
  ask(name: string, verb: Verb, state: State = {}): { answer?: string } {
    const asked: { answer?: string } = {};
    const done = (answer: Answer) => {
      asked.answer =
        answer instanceof RefusalAnswer ? `${answer.status} ${answer.detail}` : (jsonOf(answer) ?? answer.note);
    };
    this.server.find(name)?.ask(verb, state, done);
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
