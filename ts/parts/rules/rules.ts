/** The rules of a device. A rule follows the nouns that it waits for while it is enabled. */

import type { Feed } from "../../core/feeds/feed.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import type { OnFailure } from "../../core/noun/failure.ts";
import type { KeptText } from "../../core/noun/kept-text.ts";
import { byItself, traitsOf } from "../../core/noun/noun-traits.ts";
import type { Answer } from "../../core/operations/answer.ts";
import type { Part } from "../../core/server/part.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { At, ClockOrSun } from "./at.ts";
import type { Attempt } from "./attempt.ts";
import { DayTimes, dayOf } from "./day-times.ts";
import type { Days } from "./days.ts";
import { mistakesIn, type RuleMistake, scheduleMistakes } from "./mistakes.ts";
import { perform } from "./perform.ts";
import type { Action, Rule, RuleOptions, ScheduleOptions } from "./rule.ts";
import { RuleNoun } from "./rule-noun.ts";
import type { WallClock } from "./schedule.ts";
import { ScheduleNoun } from "./schedule-noun.ts";
import { scheduleText, sentenceOf } from "./sentence.ts";
import type { Location } from "./sun.ts";

/** ms after an action in which a change of its noun may come of it. */
const answerTime = 2_000;

/** The dependencies of rules. */
export interface RulesContext {
  readonly clock: Clock;
  readonly wall: WallClock;
  /** Where the device is; undefined if its configuration does not say. */
  location?: Location | undefined;
  /** Called at the start if rules follow the clock. */
  readonly prepareClock?: () => void;
  /** Another day has begun: what rules say of the times of today is outdated. */
  readonly onNewDay?: () => void;
  readonly nouns: NounDirectory;
  readonly feeds: Feeds;
  /** Receives each failure of a rule. */
  readonly report: OnFailure;
  /** Receives what came of each action, for the debug log. */
  readonly log: (rule: string, action: Action, answer: Pick<Answer, "status" | "note">) => void;
}

export class Rules implements Part {
  readonly context: RulesContext;
  private readonly all: RuleNoun[] = [];
  private readonly schedules: ScheduleNoun[] = [];
  /** When a rule has acted last on each noun. */
  private readonly acted = new Map<string, number>();
  private readonly alarm: Alarm;
  private isStarted = false;
  private times: DayTimes | undefined;

  constructor(context: RulesContext) {
    this.context = context;
    this.alarm = new Alarm(context.clock, () => {
      for (const rule of this.all) this.look(rule);
    });
  }

  /** Those that all schedules share. */
  get dayTimes(): DayTimes {
    const { wall, location } = this.context;
    this.times ??= new DayTimes(wall, location, 2_048);
    return this.times;
  }

  /** @param location where the device is, for times of the sun; undefined if its configuration does not say. */
  locate(location: Location | undefined): void {
    this.context.location = location;
    this.times = undefined;
  }

  /** @param kept as for `RuleNoun`. @returns the rule, to be registered under this name. */
  add(name: string, options: RuleOptions, kept?: KeptText): RuleNoun {
    const rule = new RuleNoun(this, name, options, kept);
    this.all.push(rule);
    return rule;
  }

  /** @returns the schedule, to be registered under this name. */
  addSchedule(name: string, options: ScheduleOptions): ScheduleNoun {
    const schedule = new ScheduleNoun(this, name, options);
    this.schedules.push(schedule);
    return schedule;
  }

  /**
   * @param isKnown whether the shape of a noun is known; of others, only their names are checked.
   * @returns what is wrong with the rules, once all nouns are registered.
   */
  mistakes(isKnown?: (noun: string) => boolean): readonly (RuleMistake & { readonly rule: string })[] {
    const all: (RuleMistake & { readonly rule: string })[] = [];
    const add = ({ name: rule }: { readonly name: string }, mistakes: readonly RuleMistake[]) => {
      for (const mistake of mistakes) all.push({ rule, ...mistake });
    };
    for (const rule of this.all) add(rule, mistakesIn(rule, this.context, isKnown));
    for (const schedule of this.schedules) add(schedule, scheduleMistakes(schedule, this.context, isKnown));
    return all;
  }

  /** Whether a rule runs at times of day, or a schedule is one of them. */
  get followClock(): boolean {
    return this.schedules.length > 0 || this.all.some(({ options }) => options.at !== undefined);
  }

  /** Begins in another turn, once all nouns are registered. */
  start(): void {
    this.isStarted = true;
    if (this.followClock) this.context.prepareClock?.();
    for (const schedule of this.schedules) {
      for (const name of schedule.sources) this.context.feeds.of(name).follow(schedule);
    }
    this.changed();
  }

  /** A rule was enabled or disabled. This takes effect in another turn, because it is a call of a noun. */
  changed(): void {
    if (this.isStarted) this.alarm.set(this.context.clock.now());
  }

  /** Whether a new state may come of a rule's action: of one here a moment ago, or of another device's. */
  mayBeAnswer({ name, noun }: Feed): boolean {
    if (noun !== undefined && traitsOf(noun.original)[byItself] === "mirror") return true;
    const acted = this.acted.get(name);
    return acted !== undefined && this.context.clock.now() - acted < answerTime;
  }

  /** @param attempt is told once what came of it. */
  perform(attempt: Attempt): void {
    const { context } = this;
    const { rule, action } = attempt;
    this.acted.set(action.noun, context.clock.now());
    perform(context.nouns, action, `rule ${rule.name}`, attempt);
  }

  sentenceOf(rule: Rule): string {
    return sentenceOf(rule, this.context.nouns, this.today);
  }

  /** @returns when a schedule is active, in words. */
  scheduleText(from: At, to: At, days: Days | undefined): string {
    return scheduleText(from, to, days, this.context.nouns, this.today);
  }

  /** @returns the local minute of today at which a time is; undefined if it is not today. */
  private readonly today = (time: ClockOrSun): number | undefined => {
    const { wall } = this.context;
    const times = this.dayTimes;
    const due = times.on(dayOf(times.localMinute(wall.now())), time)?.minute;
    if (due === undefined) return undefined;
    const local = times.localMinute(due * 60_000);
    return local - dayOf(local) * 1_440;
  };

  /** Begins an enabled rule with what its nouns are now, or ends a disabled one. */
  private look(rule: RuleNoun): void {
    if (rule.isEnabled && rule.isActive) return;
    const { feeds } = this.context;
    const names = rule.sources;
    for (const name of names) feeds.followed(name)?.unfollow(rule);
    if (!rule.isEnabled) return;
    rule.start();
    for (const name of names) feeds.of(name).follow(rule);
  }
}
