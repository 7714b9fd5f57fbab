/**
 * What happens under one name while somebody follows it. A feed listens to the noun, then reads it, and reads it again
 * when the noun may have changed. It holds the latest state and a version, and no queue: a slow follower looks at the
 * state later, and has missed nothing that still matters.
 */
import type { Clock } from "../../native/loop.ts";
import { comparedPart, timeDependentKeys } from "../noun/compared-state.ts";
import { usualPoll } from "../noun/noun.ts";
import { readsItself } from "../noun/noun-face.ts";
import { emptyState, type State } from "../noun/state.ts";
import { type Answer, jsonOf, noAnswer, type StateAnswer } from "../operations/answer.ts";
import type { DeviceAsker } from "../operations/device-asker.ts";
import { knownState } from "../operations/known-state.ts";
import type { RegisteredNoun } from "../operations/noun-route.ts";
import type { PendingAnswer } from "../operations/operation.ts";
import { Alarm } from "../time/alarm.ts";
import { dueAfter, spentAt } from "../time/allowance.ts";
import type { Following, Postponed, Turns } from "../time/turns.ts";
import type { Bond } from "./bond.ts";
import type { Follower } from "./follower.ts";

/** The parts that the feeds of a server share. */
export interface FeedContext {
  readonly clock: Clock;
  readonly turns: Turns;
  /** ms from the end of a reading to the next one, and between two changes that followers are told, but for a burst. */
  readonly interval: number;
  /** @returns the noun that has a name now. */
  readonly find: (name: string) => RegisteredNoun | undefined;
  /** Calls a function of a noun, which may never return. @throws the function's error, or its interruption. */
  readonly call: <Result>(step: () => Result) => Result;
  /** Calls a function of the core, which is not interrupted, from where a noun's code may be running. */
  readonly exempt: <Args extends readonly unknown[]>(step: (...args: Args) => void, ...args: Args) => void;
  /** Receives an error that a noun's `watch` or a follower has thrown. */
  readonly report: (name: string, error: unknown) => void;
}

const nobody: readonly Follower[] = [];

/** Which followers are told that know an earlier state. */
const isNobody = () => false;
const isAnybody = () => true;
const isPrompt = (follower: Follower) => follower.isPrompt === true;

export class Feed implements Postponed, Following, DeviceAsker {
  readonly name: string;
  declare readonly hasNoPlace: true;
  /** The latest state; undefined if the noun has failed, or none has the name. */
  json: string | undefined;
  /** The answer of a noun that has failed. */
  failure: Answer | undefined;
  /** The noun that has the name now. */
  noun: RegisteredNoun | undefined;
  /** Grows with each state to tell that differs from the one before; 0 before the first one. */
  version = 0;
  /** Joins it to other feeds; undefined for a noun without a guard. */
  bond: Bond | undefined;
  private compared: string | undefined;
  private readonly context: FeedContext;
  private readonly onUnfollowed: (feed: Feed) => void;
  /** With the version that each has been told; 0 for none. */
  private readonly followers = new Map<Follower, number>();
  /** Those of them that are close. */
  private closeFollowers: readonly Follower[] = nobody;
  /** How many of them are prompt. */
  declare private promptFollowers: number;
  /** A reading for close or prompt followers begins at the end of this turn. */
  declare private isHurried: boolean;
  /** The version that prompt followers were told before the others. */
  declare private promptVersion: number;
  /** Whether the reading is one of those that are allowed. */
  declare private isPaced: boolean;
  private ignored: readonly string[] = [];
  /** ms between two readings of a noun that reports no changes. */
  private poll: number | undefined;
  private stopListening: (() => void) | undefined;
  isReading = false;
  /** The reading, while it waits for the noun. */
  private pending: PendingAnswer | undefined;
  /** The noun may have changed since the last reading began. */
  isStale = false;
  /** The noun itself has told of a change, and no reading has begun since. */
  private isTold = false;
  /** The noun has told of a change, and what it is now takes time to read. */
  isOutdated = false;
  /** A follower has not been told the latest version. */
  isBehind = false;
  /** When the last reading began, and when the next one does if nothing changes. */
  private began = Number.NEGATIVE_INFINITY;
  private next = Number.POSITIVE_INFINITY;
  /** Until when paced readings, and changes that followers were told, have spent their turns (ts/core/time/allowance.ts). */
  private readSpent = Number.NEGATIVE_INFINITY;
  toldSpent = Number.NEGATIVE_INFINITY;
  private readonly alarm: Alarm;

  // Of fields that most feeds never set.
  static {
    const absent = { isPaced: false, isHurried: false, promptFollowers: 0, promptVersion: 0 };
    Object.assign(Feed.prototype, { hasNoPlace: true, ...absent });
  }

  /** @param onUnfollowed called when the last follower has left. */
  constructor(name: string, context: FeedContext, onUnfollowed: (feed: Feed) => void) {
    this.name = name;
    this.context = context;
    this.onUnfollowed = onUnfollowed;
    this.alarm = new Alarm(context.clock, () => this.look());
  }

  /** The latest state, for those who do not keep or change it. */
  get state(): State | undefined {
    return knownState(this.json);
  }

  /** Whether no noun had the name at the last reading. */
  get isGone(): boolean {
    return this.json === undefined && this.failure === undefined;
  }

  /** Whether others than close followers are told. */
  get isWatched(): boolean {
    return this.followers.size > this.closeFollowers.length;
  }

  /** Whether a follower has been told nothing yet. */
  get hasNewFollower(): boolean {
    for (const known of this.followers.values()) if (known === 0) return true;
    return false;
  }

  /** Begins to tell a follower: first the state that is read in one of the next turns, for all who begin until then. */
  follow(follower: Follower): void {
    this.join(follower, 0);
    this.readSoon();
  }

  /**
   * The same, but the noun is read now, while this turn has time. If a reading is under way, no client has had a later
   * state than that.
   */
  followNow(follower: Follower): void {
    this.join(follower, 0);
    if (!this.isOwed && this.context.turns.hasTime()) this.read();
    else this.readSoon();
  }

  /** Begins to tell a follower that has a state already. @param version of that state; the latest if left out. */
  join(follower: Follower, version?: number): void {
    if (!this.followers.has(follower)) {
      if (follower.onReading) this.closeFollowers = [...this.closeFollowers, follower];
      if (follower.isPrompt) this.promptFollowers += 1;
    }
    this.followers.set(follower, version ?? this.version);
    if (this.followers.size === 1) this.begin();
  }

  unfollow(follower: Follower): void {
    if (!this.followers.delete(follower)) return;
    if (follower.onReading) this.closeFollowers = this.closeFollowers.filter((other) => other !== follower);
    if (follower.isPrompt) this.promptFollowers -= 1;
    if (this.followers.size > 0) return;
    this.end();
    this.onUnfollowed(this);
  }

  /** The state may have changed. It is read in another turn, because the noun may be changing it still. */
  readonly changed: () => void = () => {
    this.isStale = true;
    if (this.closeFollowers.length > 0 || this.promptFollowers > 0) this.hurry();
    else this.schedule();
  };

  /** The noun itself tells of a change. */
  private readonly told: () => void = () => {
    if (this.isReading) this.isOutdated = true;
    else this.isTold = true;
    this.changed();
  };

  /** The noun has read itself. No request waits for an answer that comes before the event. */
  hasRead(json: string | undefined): void {
    const now = this.context.clock.now();
    const isFree = !this.isReading && !this.isStale && !this.isOwed && this.noun?.queue.running === undefined;
    const mayRead = isFree && dueAfter(this.readSpent, this.context.interval) <= now;
    if (json === undefined || !mayRead || this.closeFollowers.length > 0 || this.bond !== undefined) this.told();
    else {
      this.began = now;
      this.readSpent = spentAt(now, this.readSpent, this.context.interval);
      this.setTold(undefined, json);
      this.isBehind = true;
      if (dueAfter(this.toldSpent, this.context.interval) <= now) this.tellAll(now);
      this.schedule();
    }
  }

  /** An operation of the noun has ended: what the noun has told before is in its result, unless it is being read. */
  settled(): void {
    const { isReading, noun } = this;
    // A reading that waits for its turn gives a later state; one that has begun may give an earlier one.
    if (!isReading || noun?.queue.running?.route.mayChange !== false) this.forgetNews();
  }

  private forgetNews(): void {
    this.isTold = false;
    this.isOutdated = false;
  }

  /**
   * A follower's own operation has changed the noun. That follower is told now, the others as of any change. The noun
   * is read again all the same: it may have changed since. If others are still to be told an earlier state, all learn
   * of this one by that reading.
   */
  setFromCommand(answer: StateAnswer, follower: Follower): void {
    if (this.noun === undefined || !this.followers.has(follower) || this.bond !== undefined || this.isOwed) return;
    this.setTold(answer);
    this.tell((one) => one === follower);
    this.schedule();
  }

  /** Another noun has the name, or none. All are told the last state of the one before that prompt followers know. */
  replace(): void {
    if (this.isOwed) this.tellAll(this.context.clock.now());
    this.end();
    this.begin();
    this.readSoon();
  }

  /** Listens no more, unless somebody must know at once. A reading under way ends as usual. */
  close(): void {
    if (this.closeFollowers.length > 0) return;
    this.silence();
    this.poll = Number.POSITIVE_INFINITY;
    this.next = Number.POSITIVE_INFINITY;
  }

  onTurn(): boolean {
    if (!this.isStale || this.followers.size === 0) return true;
    if (this.isOwed) this.tellAll(this.context.clock.now());
    this.read();
    return true;
  }

  /** The noun may be changing its state still. So it is read at the end of this turn. */
  private hurry(): void {
    if (this.isHurried) return;
    this.context.turns.follow(this);
    this.isHurried = true;
  }

  onTurnEnd(): void {
    this.isHurried = false;
    if (!this.isStale) return;
    if (this.closeFollowers.length > 0) this.context.exempt(Feed.readNow, this);
    else if (this.mayReadPromptly) this.context.exempt(Feed.readPaced, this);
    else this.schedule();
  }

  /** Whether some are still to be told what prompt followers know: that comes before the next reading. */
  private get isOwed(): boolean {
    return this.isBehind && this.promptVersion === this.version;
  }

  private get mayReadPromptly(): boolean {
    if (this.promptFollowers === 0 || this.isReading || this.isBehind || this.bond !== undefined) return false;
    const { clock, interval, turns } = this.context;
    return dueAfter(this.readSpent, interval) <= clock.now() && turns.hasTime();
  }

  /** Reads the noun for close followers, which hear if that takes time. */
  private static readNow(feed: Feed): void {
    feed.read();
    if (!feed.isOutdated) return;
    for (const follower of feed.closeFollowers) follower.onOutdated?.();
  }

  private static readPaced(feed: Feed): void {
    feed.read(true);
  }

  private readSoon(): void {
    this.isStale = true;
    this.context.turns.add(this);
  }

  private begin(): void {
    const noun = this.context.find(this.name);
    this.noun = noun;
    this.poll = undefined;
    this.ignored = [];
    if (noun === undefined) return;
    noun.feed = this;
    this.attempt(() => this.listen(noun));
  }

  private listen({ face: noun }: RegisteredNoun): void {
    this.ignored = timeDependentKeys(noun.shape);
    const stop: unknown = noun[readsItself]?.(this) ?? noun.watch?.(this.told);
    // An input knows only now whether it can tell.
    this.poll = noun[readsItself] === undefined ? noun.poll : undefined;
    if (typeof stop === "function") this.stopListening = stop as () => void;
    else if (noun.watch !== undefined) throw new TypeError("watch must return the function that ends it.");
  }

  private end(): void {
    this.silence();
    this.pending?.abandon();
    this.pending = undefined;
    this.isReading = false;
    this.forgetNews();
    this.isStale = false;
    this.next = Number.POSITIVE_INFINITY;
    if (this.noun !== undefined) this.noun.feed = undefined;
    this.noun = undefined;
  }

  private silence(): void {
    this.alarm.stop();
    const { stopListening } = this;
    this.stopListening = undefined;
    if (stopListening !== undefined) this.attempt(stopListening);
  }

  private attempt(step: () => void): void {
    try {
      this.context.call(step);
    } catch (error) {
      this.context.report(this.name, error);
    }
  }

  /** When the next reading is due. */
  private get readDue(): number {
    if (this.isReading) return Number.POSITIVE_INFINITY;
    const soonest = dueAfter(this.readSpent, this.context.interval);
    return this.isStale ? soonest : Math.max(this.next, soonest);
  }

  /** When followers are told. */
  private get tellDue(): number {
    if (!this.isBehind) return Number.POSITIVE_INFINITY;
    if (this.bond !== undefined) return this.bond.tellDue;
    return this.isOwed ? 0 : dueAfter(this.toldSpent, this.context.interval);
  }

  /**
   * What is read in one turn is told in a later one. So the answer to the request that has changed the noun is sent
   * before the event.
   */
  private look(): void {
    const now = this.context.clock.now();
    try {
      if (this.tellDue <= now) {
        if (this.bond === undefined) this.tellAll(now);
        else this.bond.tell(now);
      }
      if (this.readDue <= now) this.read(true);
    } finally {
      this.schedule();
    }
  }

  /** @param isPaced whether it is one of the readings that are allowed. The first one of a follower always is. */
  private read(isPaced = false): void {
    if (this.isReading) return;
    const { noun, context } = this;
    this.isReading = true;
    this.isStale = false;
    this.isOutdated ||= this.isTold;
    this.isTold = false;
    this.began = context.clock.now();
    this.next = Number.POSITIVE_INFINITY;
    if (this.isPaced !== isPaced) this.isPaced = isPaced;
    try {
      if (noun === undefined) this.onAnswer(undefined);
      else {
        const pending = noun.askAs(this, "GET", emptyState);
        if (this.isReading) this.pending = pending;
      }
    } catch (error) {
      context.report(this.name, error);
      this.onAnswer(noAnswer);
    }
  }

  /** The noun has answered. */
  onAnswer(answer: Answer | undefined): void {
    const { bond, noun, context } = this;
    this.pending = undefined;
    this.isReading = false;
    if (!this.isStale) this.isOutdated = false;
    if (this.isPaced) this.readSpent = spentAt(context.clock.now(), this.readSpent, context.interval);
    if (this.poll !== undefined) this.next = this.began + this.poll;
    else if (noun !== undefined && (this.stopListening === undefined || jsonOf(answer) === undefined)) this.readAgain();
    if (this.closeFollowers.length > 0) this.tellClose(answer);
    if (bond !== undefined) bond.onRead(this, answer);
    else if (!this.isWatched) this.setQuietly(answer);
    else {
      const { version, isBehind } = this;
      this.setTold(answer);
      // What is still to be told comes first.
      if (this.promptFollowers > 0 && !isBehind && this.version !== version) this.tellPromptly();
      else this.tell(isNobody);
    }
    this.schedule();
    if (this.isStale && this.closeFollowers.length > 0) this.hurry();
  }

  /** Has the noun read once more, because it may change untold, or because a follower has failed. */
  private readAgain(): void {
    this.next = this.began + (this.poll ?? usualPoll);
  }

  private tellClose(answer: Answer | undefined): void {
    const { closeFollowers } = this;
    for (let index = 0; index < closeFollowers.length; index++) {
      try {
        closeFollowers[index]?.onReading?.(answer);
      } catch (error) {
        this.readAgain();
        this.context.report(this.name, error);
      }
    }
  }

  /** Tells the followers that know another state. */
  tellAll(now: number): void {
    if (!this.isBehind) return;
    if (!this.isOwed) this.toldSpent = spentAt(now, this.toldSpent, this.context.interval);
    this.tell(isAnybody);
  }

  /** Tells prompt followers another state in the turn in which it was read. */
  private tellPromptly(): void {
    const { context, version } = this;
    const now = context.clock.now();
    if (dueAfter(this.toldSpent, context.interval) > now) {
      this.tell(isNobody);
      return;
    }
    this.promptVersion = version;
    this.toldSpent = spentAt(now, this.toldSpent, context.interval);
    this.tell(isPrompt);
  }

  /** Sets the alarm for what is due next. */
  schedule(): void {
    // Most feeds of nouns that tell of their changes are at rest after each reading.
    const isAtRest = this.next === Number.POSITIVE_INFINITY && !this.isStale && !this.isBehind;
    if (isAtRest) this.alarm.stop();
    else this.alarm.set(Math.min(this.readDue, this.tellDue));
  }

  /** Takes an answer as what the noun is now, while nobody is told. */
  setQuietly(answer: Answer | undefined): void {
    this.json = jsonOf(answer);
    this.failure = this.json === undefined ? answer : undefined;
  }

  /** Takes an answer as what the noun is now, and as a new version if it differs from what was told last. */
  setTold(answer: Answer | undefined, json = jsonOf(answer)): void {
    this.json = json;
    this.failure = json === undefined ? answer : undefined;
    let compared = json === undefined && this.failure === undefined ? "" : "null";
    try {
      if (json !== undefined) compared = comparedPart(json, this.ignored);
    } catch (error) {
      this.setQuietly(noAnswer); // there is no memory for the state
      this.readAgain();
      this.context.report(this.name, error);
    }
    if (compared !== this.compared) this.version += 1;
    this.compared = compared;
  }

  /** @param isDue says whether a follower is told that knows an earlier version, besides those that know none. */
  tell(isDue: (follower: Follower) => boolean): void {
    const { version, followers } = this;
    this.isBehind = false;
    for (const follower of followers.keys()) {
      const known = followers.get(follower) ?? version;
      if (known === version) continue;
      if (known > 0 && !isDue(follower)) {
        this.isBehind = true;
        continue;
      }
      followers.set(follower, version);
      try {
        follower.onState(this);
      } catch (error) {
        this.readAgain();
        if (followers.has(follower)) followers.set(follower, 0);
        this.context.report(this.name, error);
      }
    }
  }
}
