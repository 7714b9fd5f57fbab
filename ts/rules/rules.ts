/**
 * The rules of a device, and the nouns that they wait for. Each such noun is watched once, whatever the number of
 * rules, and only while a rule that waits for it is enabled.
 */
import type { Clock } from "../native/loop.ts";
import type { OnFailure } from "../noun/failure.ts";
import type { KeptText } from "../noun/kept-text.ts";
import type { State } from "../noun/state.ts";
import type { Answer } from "../operations/answer.ts";
import type { RegisteredNoun } from "../operations/noun-route.ts";
import type { ServedNouns } from "../watch/served-nouns.ts";
import { StateListener } from "../watch/state-listener.ts";
import type { Watches } from "../watch/watches.ts";
import { nounsOf } from "./condition.ts";
import { mistakesIn, type RuleMistake } from "./mistakes.ts";
import { failureOf, perform } from "./perform.ts";
import type { Action, Rule, RuleOptions } from "./rule.ts";
import { RuleNoun } from "./rule-noun.ts";
import type { WallClock } from "./schedule.ts";
import { sentenceOf } from "./sentence.ts";

/** What rules use. */
export interface RulesContext {
  readonly clock: Clock;
  readonly wall: WallClock;
  readonly nouns: ServedNouns;
  readonly watches: Watches;
  /** Receives each failure of a rule. */
  readonly report: OnFailure;
  /** Receives what came of each action, for the debug log. */
  readonly log: (rule: string, action: Action, answer: Pick<Answer, "status" | "note">) => void;
}

/** ms of a turn of the loop after which the next nouns are read in the next one. */
const longestTurn = 1;

/** ms after which a noun that was registered again is read. */
const rereadTime = 1_000;

/** A noun that rules wait for. */
class AwaitedNoun extends StateListener {
  readonly name: string;
  /** The enabled rules, in their order. */
  readonly rules = new Set<RuleNoun>();
  isReading = false;
  /** A rule has begun since the reading did. */
  isStale = false;
  private readonly onLost: (noun: AwaitedNoun) => void;

  constructor(name: string, onLost: (noun: AwaitedNoun) => void) {
    super();
    this.name = name;
    this.onLost = onLost;
  }

  take(json: string): void {
    const state = json === "null" ? undefined : (JSON.parse(json) as State);
    for (const rule of this.rules) rule.take(this.name, state);
  }

  /** Until it is read again, it is for its rules what it was. */
  protected lost(): void {
    this.onLost(this);
  }
}

export class Rules {
  readonly context: RulesContext;
  private readonly all: RuleNoun[] = [];
  private readonly awaited = new Map<string, AwaitedNoun>();
  private readonly unread: AwaitedNoun[] = [];
  private isStarted = false;

  constructor(context: RulesContext) {
    this.context = context;
  }

  /** @param kept as for `RuleNoun`. @returns the rule, to be registered under this name. */
  add(name: string, options: RuleOptions, kept?: KeptText): RuleNoun {
    const rule = new RuleNoun(this, name, options, kept);
    this.all.push(rule);
    return rule;
  }

  /**
   * @param isKnown whether the shape of a noun is known; of others, only their names are checked.
   * @returns what is wrong with the rules, once all nouns are registered.
   */
  mistakes(isKnown?: (noun: string) => boolean): readonly (RuleMistake & { readonly rule: string })[] {
    return this.all.flatMap((rule) =>
      mistakesIn(rule, this.context.nouns, isKnown).map((mistake) => ({ rule: rule.name, ...mistake })),
    );
  }

  /** Begins in another turn, once all nouns are registered. Each noun is read once for all of its rules. */
  start(): void {
    this.isStarted = true;
    this.context.clock.setTimer(() => {
      for (const rule of this.all) if (rule.isEnabled) this.begin(rule);
      this.readNext();
    }, 0);
  }

  /** A rule was enabled or disabled. This takes effect in another turn, because it is a call of a noun. */
  follow(rule: RuleNoun): void {
    if (!this.isStarted) return;
    this.context.clock.setTimer(() => {
      if (!rule.isEnabled) this.end(rule);
      else {
        this.begin(rule);
        this.readNext();
      }
    }, 0);
  }

  /** @param done called once, with whether the noun has performed the action. */
  perform(rule: string, action: Action, done: (isDone: boolean) => void): void {
    perform(this.context.nouns, action, (answer) => {
      if (typeof answer !== "string") this.context.log(rule, action, answer);
      const failure = failureOf(answer);
      if (failure !== undefined) this.context.report(rule, `${action.verb} ${action.noun} failed: ${failure}`);
      done(failure === undefined);
    });
  }

  sentenceOf(rule: Rule): string {
    return sentenceOf(rule, this.context.nouns);
  }

  private begin(rule: RuleNoun): void {
    if (rule.isActive) return;
    rule.start();
    for (const name of nounsOf(rule.conditions)) {
      const noun = this.awaited.get(name) ?? new AwaitedNoun(name, this.onLost);
      this.awaited.set(name, noun);
      noun.rules.add(rule);
      // What it is now is the start of the rule, so it is read once more.
      noun.watch?.end();
      noun.watch = undefined;
      noun.isStale = noun.isReading;
      if (!noun.isReading && !this.unread.includes(noun)) this.unread.push(noun);
    }
  }

  private end(rule: RuleNoun): void {
    for (const name of nounsOf(rule.conditions)) {
      const noun = this.awaited.get(name);
      noun?.rules.delete(rule);
      if (noun?.rules.size === 0) {
        noun.watch?.end();
        noun.watch = undefined;
      }
    }
  }

  private readonly onLost = (noun: AwaitedNoun): void => {
    this.context.clock.setTimer(() => {
      this.unread.push(noun);
      this.readNext();
    }, rereadTime);
  };

  private readonly readNext = (): void => {
    const { clock, nouns } = this.context;
    for (let noun = this.unread.shift(); noun !== undefined; noun = this.unread.shift()) {
      const registered = nouns.find(noun.name);
      if (registered === undefined) {
        noun.take("null");
        this.onLost(noun);
      } else if (noun.rules.size > 0 && !noun.isReading && noun.watch === undefined) this.read(noun, registered);
      if (clock.turnTime() <= longestTurn || this.unread.length === 0) continue;
      clock.setTimer(this.readNext, 0);
      return;
    }
  };

  private read(noun: AwaitedNoun, registered: RegisteredNoun): void {
    noun.isReading = true;
    noun.isStale = false;
    this.context.watches.read(registered, noun, (watch) => {
      noun.isReading = false;
      if (!noun.isStale && noun.rules.size > 0) {
        noun.watch = watch;
        return;
      }
      watch.end();
      this.unread.push(noun);
      this.context.clock.setTimer(this.readNext, 0);
    });
  }
}
