/**
 * A schedule as a noun: a level that is active from one time of day to another one, whenever the program starts.
 *
 *     server.register("evening", new ScheduleNoun(rules, "evening", { from: 18 * 60, to: 23 * 60 }));
 *     // {"active":true,"enabled":true,"from":"18:00","to":"23:00"}
 */
import type { Feed } from "../../core/feeds/feed.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import { leave, takeOver } from "../../core/noun/left-state.ts";
import { byItself, type Changing, foresee, mentioned } from "../../core/noun/noun-traits.ts";
import { Term } from "../../core/noun/reference.ts";
import type { RestorableNoun } from "../../core/noun/restorable.ts";
import type { Key, Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { type At, type ClockOrSun, parseTime, timeText } from "./at.ts";
import { type DayTimes, dayOf } from "./day-times.ts";
import { isDayOf } from "./days.ts";
import type { ScheduleOptions } from "./rule.ts";
import type { Rules } from "./rules.ts";
import { jumped, leastMoment } from "./schedule.ts";

const minute = 60_000;

/** Characters of the longest time: `sunset+00:30>17:00<22:00`. */
const longestTime = 26;

type End = "from" | "to";

function timeKey(time: At, description: string): Key {
  const own = { type: "string", format: "sun", maximumLength: longestTime, description } as const;
  const isSet = typeof time !== "string";
  return { ...own, ...(isSet ? { homeAssistant: { entity_category: "config" } } : { readOnly: true, nullable: true }) };
}

/** The shapes of schedules, by which of their times are fixed. */
const shapes: { [fixed: string]: Shape } = {};

/** @returns the shape of a schedule, which all have in common whose times are of the same kinds. */
function shapeOf({ from, to }: ScheduleOptions): Shape {
  shapes[`${typeof from} ${typeof to}`] ??= {
    active: {
      type: "boolean",
      nullable: true,
      readOnly: true,
      description: "Whether it is time; null before the clock is set.",
    },
    enabled: {
      type: "boolean",
      description: "Whether it becomes active.",
      homeAssistant: { entity_category: "config" },
    },
    from: timeKey(from, "When it begins."),
    to: timeKey(to, "When it ends."),
  };
  return shapes[`${typeof from} ${typeof to}`] as Shape;
}

/** Those of a schedule that takes no time from a noun. */
const noTerms: readonly Term[] = [];
const noSources: ReadonlySet<string> = new Set();

/** PUT and POST set `enabled` and the times. DELETE returns to those of the configuration. */
export class ScheduleNoun implements RestorableNoun, Follower {
  readonly name: string;
  readonly shape: Shape;
  readonly options: ScheduleOptions;
  /** It changes as time passes. */
  declare readonly [byItself]: "clock";
  /** The nouns that it takes times from. */
  readonly sources: ReadonlySet<string>;
  private readonly rules: Rules;
  private readonly times: DayTimes;
  private readonly terms: readonly Term[];
  /** Both are made for the first who watches. */
  declare private listeners: ChangeListeners | undefined;
  declare private alarm: Alarm | undefined;
  private isEnabled = true;
  declare private written: string | undefined;
  private ends: { readonly [end in End]: ClockOrSun | Term };
  /** By both clocks, when it looked last. */
  declare private last: { readonly now: number; readonly wall: number } | undefined;
  declare private told: boolean | null | undefined;

  // Of fields that most schedules never set.
  static {
    const absent = { listeners: undefined, alarm: undefined, written: undefined, last: undefined, told: undefined };
    Object.assign(ScheduleNoun.prototype, { [byItself]: "clock", ...absent });
  }

  constructor(rules: Rules, name: string, options: ScheduleOptions) {
    this.rules = rules;
    this.name = name;
    this.options = options;
    this.times = rules.dayTimes;
    this.ends = this.declared;
    const terms = Object.values(this.ends).filter((time): time is Term => time instanceof Term);
    this.terms = terms.length === 0 ? noTerms : terms;
    this.sources = terms.length === 0 ? noSources : new Set(terms.map(({ reference }) => reference.noun));
    this.shape = shapeOf(options);
  }

  /** Its times and days in words, unless its configuration has a description. */
  get description(): string {
    return this.written ?? this.rules.scheduleText(this.atOf("from"), this.atOf("to"), this.options.days);
  }

  set description(text: string) {
    this.written = text;
  }

  /** The nouns that the description names; a description that its configuration has is for all readers. */
  get [mentioned](): readonly string[] {
    return this.written === undefined ? Array.from(this.sources, (noun) => noun.toLowerCase()) : [];
  }

  getState(): State {
    return { active: this.active, enabled: this.isEnabled, from: this.textOf("from"), to: this.textOf("to") };
  }

  /** @throws StateError for a time of the sun on a device whose place is unknown. */
  setState(state: State): State {
    const changed: { [end in End]: ClockOrSun | Term } = { ...this.ends };
    for (const end of ["from", "to"] as const) {
      const time = parseTime(state[end]);
      if (time === undefined || this.ends[end] instanceof Term) continue;
      if (typeof time !== "number" && this.rules.context.location === undefined) {
        throw new StateError(
          `The value of "${end}" must be a time of day: this device does not know where it is.`,
          end,
        );
      }
      changed[end] = time;
    }
    this.ends = changed;
    this.isEnabled = state["enabled"] === true;
    this.tell();
    return this.getState();
  }

  updateState(change: State): State {
    return this.setState({ enabled: this.isEnabled, ...change });
  }

  deleteState(): State {
    this.ends = { ...this.declared, ...this.followed };
    this.isEnabled = true;
    this.tell();
    return this.getState();
  }

  [foresee](verb: Changing, change: State): State | undefined {
    return verb === "PUT" ? change : undefined;
  }

  /** Looks at the time while somebody watches. */
  watch(changed: () => void): () => void {
    this.listeners ??= new ChangeListeners();
    const { listeners } = this;
    const end = listeners.add(changed);
    this.look();
    return () => {
      end();
      if (listeners.isEmpty) this.alarm?.stop();
    };
  }

  onState({ name, state }: Feed): void {
    for (const term of this.terms) term.takeFrom(name, state);
    this.tell();
  }

  close(): void {
    this.alarm?.stop();
  }

  [leave](): State {
    return { isEnabled: this.isEnabled, from: this.textOf("from"), to: this.textOf("to"), as: this.text };
  }

  /** A schedule that says something else than before begins with that. */
  [takeOver](left: State): void {
    if (left["as"] !== this.text) return;
    this.setState({ enabled: left["isEnabled"] === true, from: left["from"] ?? "", to: left["to"] ?? "" });
  }

  private get text(): string {
    return JSON.stringify(this.options);
  }

  private get declared(): { readonly [end in End]: ClockOrSun | Term } {
    const { from, to } = this.options;
    // A text that is no reference was refused.
    return { from: Term.of(from) as ClockOrSun | Term, to: Term.of(to) as ClockOrSun | Term };
  }

  /** The times that it takes from nouns, which nobody sets. */
  private get followed(): { readonly [end in End]?: Term } {
    return Object.fromEntries(Object.entries(this.ends).filter(([, time]) => time instanceof Term));
  }

  private timeOf(end: End): ClockOrSun | undefined {
    const { [end]: time } = this.ends;
    return time instanceof Term ? parseTime(time.now) : time;
  }

  /** @returns a time as it is set, or the reference to it. */
  private atOf(end: End): At {
    const { [end]: time } = this.ends;
    return time instanceof Term ? this.options[end] : time;
  }

  private textOf(end: End): string | null {
    const time = this.timeOf(end);
    return time === undefined ? null : timeText(time);
  }

  /** Whether it is time now; null while nobody knows. */
  private get active(): boolean | null {
    const { clock, wall } = this.rules.context;
    const look = { now: clock.now(), wall: wall.now() };
    if (this.last !== undefined && jumped(this.last, look)) wall.wasSet();
    this.last = look;
    const [from, to] = [this.timeOf("from"), this.timeOf("to")];
    if (from === undefined || to === undefined) return null;
    if (look.wall < leastMoment || !wall.isCredible(look.wall)) return null;
    return this.isEnabled && this.isWithin(look.wall, from, to);
  }

  /** Whether a moment is after a beginning on one of the days, and before the end that follows it. */
  private isWithin(moment: number, from: ClockOrSun, to: ClockOrSun): boolean {
    const now = Math.floor(moment / minute);
    const today = dayOf(this.times.localMinute(moment));
    // By the sun, a beginning may be in the next day, or in the one before.
    for (let day = today + 1; day >= today - 2; day--) {
      const begin = this.times.on(day, from);
      if (begin === undefined || begin.minute > now || !isDayOf(this.options.days, begin.day)) continue;
      const end = this.endAfter(begin.minute, day, from, to);
      if (end !== undefined && now < end) return true;
    }
    return false;
  }

  /** @returns the minute at which what has begun on a day ends; undefined if the sun is not there. */
  private endAfter(begin: number, day: number, from: ClockOrSun, to: ClockOrSun): number | undefined {
    if (typeof from === "number" && typeof to === "number") {
      // Summer time may skip both: then it is not active on that day.
      return this.times.on(to > from ? day : day + 1, to)?.minute;
    }
    for (let last = day - 1; last <= day + 2; last++) {
      const end = this.times.on(last, to)?.minute;
      if (end !== undefined && end > begin) return end;
    }
    return undefined;
  }

  private tell(): void {
    if (this.listeners === undefined) return;
    this.told = undefined;
    this.look();
    this.listeners.tell();
  }

  private look(): void {
    if (this.listeners === undefined || this.listeners.isEmpty) return;
    const { clock, wall } = this.rules.context;
    this.alarm ??= new Alarm(clock, () => this.look());
    this.alarm.move(clock.now() + minute - (wall.now() % minute));
    const { active } = this;
    const isNew = this.told !== undefined && active !== this.told;
    this.told = active;
    if (isNew) this.listeners.tell();
  }
}
