/** A server with rules on nouns that a test moves. Time passes when the test says so. */

import { ChangeListeners } from "../../../ts/core/noun/change-listeners.ts";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import type { Awaitable, Noun } from "../../../ts/core/noun/noun.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import type { Verb } from "../../../ts/core/noun/verb.ts";
import { StateAnswer } from "../../../ts/core/operations/answer.ts";
import { openFeeds } from "../../../ts/core/server/open-feeds.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import { SimulatedMemory } from "../../../ts/native/simulated/memory.ts";
import { SimulatedNet } from "../../../ts/native/simulated/net.ts";
import type { RuleOptions } from "../../../ts/parts/rules/rule.ts";
import type { RuleNoun } from "../../../ts/parts/rules/rule-noun.ts";
import { Rules } from "../../../ts/parts/rules/rules.ts";

/** A noun that a test moves. It keeps what it is asked to become, and can fail or take time. */
export class TestNoun implements Noun {
  readonly shape?: Shape;
  readonly settable?: boolean;
  readonly asked: State[] = [];
  state: State | Error;
  /** While it is set, each operation that changes the noun takes until it is called. */
  stalls = false;
  private readonly ends: (() => void)[] = [];
  private readonly listeners = new ChangeListeners();

  constructor(state: State, shape?: Shape, settable?: boolean) {
    this.state = state;
    if (shape !== undefined) this.shape = shape;
    if (settable !== undefined) this.settable = settable;
  }

  get isWatched(): boolean {
    return (this.listeners as unknown as { readonly listeners: readonly unknown[] }).listeners.length > 0;
  }

  getState(): State {
    if (this.state instanceof Error) throw this.state;
    return this.state;
  }

  setState(state: State): Awaitable<State> {
    this.asked.push(state);
    if (!this.stalls) return this.become(state);
    return new Promise((resolve) => this.ends.push(() => resolve(this.become(state))));
  }

  updateState(change: State): Awaitable<State> {
    return this.setState({ ...this.getState(), ...change });
  }

  deleteState(): Awaitable<State> {
    return this.setState({});
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  become(state: State | Error): State {
    this.state = state;
    this.listeners.tell();
    return this.getState();
  }

  fail(): void {
    this.state = new Error("broken");
    this.listeners.tell();
  }

  /** Ends the operations that take time. */
  async endStall(): Promise<void> {
    this.stalls = false;
    while (this.ends.length > 0) {
      this.ends.shift()?.();
      for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    }
  }
}

export class RuledDevice {
  readonly clock: SimulatedClock;
  readonly server: HttpServer;
  readonly rules: Rules;
  readonly log: string[] = [];
  readonly reports: string[] = [];
  /** ms that the clock on the wall is ahead. */
  ahead = 1_795_000_000_000;
  /** Gives the minutes that local time is ahead of UTC. */
  zone = (_moment: number): number => 0;

  private readonly nouns: { readonly [name: string]: Noun };
  private readonly ruleNouns: { readonly [name: string]: RuleNoun };

  constructor(
    nouns: { readonly [name: string]: Noun },
    rules: { readonly [name: string]: RuleOptions },
    clock = new SimulatedClock(),
  ) {
    this.clock = clock;
    this.nouns = nouns;
    const platform = {
      net: new SimulatedNet(),
      clock,
      interruption: new SimulatedInterruption(),
      memory: new SimulatedMemory(),
    };
    this.server = new HttpServer(platform);
    // A test that lets time pass awaits no jobs of the engine.
    this.server.host.turns.queue = (job) => void clock.setTimer(job, 0);
    this.rules = new Rules({
      clock,
      wall: {
        now: () => clock.now() + this.ahead,
        offset: (moment) => this.zone(moment),
        isCredible: () => true,
        wasSet: () => undefined,
      },
      nouns: this.server.nouns,
      feeds: openFeeds(this.server.host),
      report: (rule, description) => void this.reports.push(`${rule}: ${description}`),
      log: (rule, { verb, noun }, { status }) => void this.log.push(`${rule} ${verb} ${noun} ${status}`),
    });
    for (const [name, noun] of Object.entries(nouns)) this.server.register(name, noun);
    this.ruleNouns = Object.fromEntries(
      Object.entries(rules).map(([name, options]) => [name, this.rules.add(name, options)]),
    );
    for (const [name, rule] of Object.entries(this.ruleNouns)) this.server.register(name, rule);
  }

  ruleNamed(name: string): RuleNoun {
    const rule = this.ruleNouns[name];
    if (rule === undefined) throw new Error(`There is no rule ${name}.`);
    return rule;
  }

  /** @returns what a rule leaves for the next process. */
  leftOf(name: string): State {
    return this.ruleNamed(name)[leave]();
  }

  /**
   * Ends this process, as a reload does.
   * @param between what happens before the next process serves.
   * @returns the next one, with the same nouns.
   */
  async reload(rules: { readonly [name: string]: RuleOptions }, between = () => {}): Promise<RuledDevice> {
    await this.server.close();
    const left = Object.entries(this.ruleNouns).map(([name, rule]) => [name, JSON.stringify(rule[leave]())] as const);
    for (const rule of Object.values(this.ruleNouns)) rule.close();
    between();
    const next = new RuledDevice(this.nouns, rules, this.clock);
    for (const [name, text] of left) next.ruleNouns[name]?.[takeOver](JSON.parse(text));
    return next.start();
  }

  /** Begins the rules; what the nouns are now is their start. */
  start(): this {
    this.rules.start();
    this.clock.advance(0);
    return this;
  }

  /** Asks a noun as a client does. @returns the state; a status if it was refused or takes time. */
  ask(verb: Verb, name: string, state: State = {}): State | number | undefined {
    const outcome = this.server.nouns
      .find(name)
      ?.route(verb)
      .perform(state, { onAnswer: () => {} });
    if (outcome instanceof StateAnswer) return JSON.parse(outcome.json) as State;
    return outcome?.status;
  }

  /** @returns the sentences about the rules, each behind its path. */
  get mistakes(): readonly string[] {
    return this.rules.mistakes().map(({ rule, keys, sentence }) => `${[rule, ...keys].join(".")}: ${sentence}`);
  }
}
