/**
 * The feeds of nouns that guards join. Clients are told of them together, when all are read, and in a safe order: no
 * guarded noun is shown away from its default before the nouns that its guard names.
 */
import type { Bond } from "../../core/feeds/bond.ts";
import type { Feed } from "../../core/feeds/feed.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import type { Answer } from "../../core/operations/answer.ts";
import { dueAfter } from "../../core/time/allowance.ts";
import type { GuardMember } from "./guard-member.ts";

/** Readings in a row that the noun has changed during, after which nobody waits for a better one. */
const mostUnsettled = 8;

/** What was read of a feed and is not kept yet. */
interface Reading {
  readonly answer: Answer | undefined;
  /** Readings in a row that the noun has changed during. */
  readonly unsettled: number;
}
export type Readings = WeakMap<Feed, Reading>;

export class GuardBond implements Bond {
  private readonly feeds: Feeds;
  private readonly interval: number;
  /** Each noun after those that its guard names. */
  members: readonly GuardMember[];
  private readonly readings: Readings;

  /**
   * @param interval ms between two changes that followers are told. @param member the first one.
   * @param readings those of all bonds: when guards change, feeds get other bonds.
   */
  constructor(feeds: Feeds, interval: number, member: GuardMember, readings: Readings) {
    this.feeds = feeds;
    this.interval = interval;
    this.members = [member];
    this.readings = readings;
  }

  /** Takes the members of another bond. */
  join(other: GuardBond): void {
    for (const member of other.members) {
      (this.members as GuardMember[]).push(member);
      member.bond = this;
    }
  }

  /** Whether others than close followers are told of one of its feeds. */
  private get isWatched(): boolean {
    const { members, feeds } = this;
    for (let index = 0; index < members.length; index++) {
      if (feeds.followed((members[index] as GuardMember).name)?.isWatched === true) return true;
    }
    return false;
  }

  onRead(feed: Feed, answer: Answer | undefined): void {
    const { readings } = this;
    if (!this.isWatched) {
      readings.delete(feed);
      feed.setQuietly(answer);
      return;
    }
    const { followed } = this;
    const unsettled = feed.isStale ? (readings.get(feed)?.unsettled ?? 0) + 1 : 0;
    readings.set(feed, { answer, unsettled });
    if (!followed.every((one) => this.isSettled(one))) return;
    for (const one of followed) {
      const reading = readings.get(one);
      readings.delete(one);
      if (reading !== undefined) one.setTold(reading.answer);
    }
    for (const member of this.members) member.note(this.feeds.followed(member.name)?.json);
    // Who begins is told of one noun now, and must not hear later of another one what has come before.
    const isNewToOne = followed.some(({ hasNewFollower }) => hasNewFollower);
    for (const one of this.inOrder(followed)) {
      one.tell(() => isNewToOne);
      one.schedule();
    }
  }

  get tellDue(): number {
    const behind = this.followed.filter(({ isBehind }) => isBehind);
    return Math.max(...behind.map(({ toldSpent }) => dueAfter(toldSpent, this.interval)));
  }

  tell(now: number): void {
    for (const feed of this.inOrder(this.followed)) feed.tellAll(now);
  }

  /** First what goes to its default, before the nouns that its guard names; then the others, after those. */
  private inOrder(feeds: readonly Feed[]): readonly Feed[] {
    const of = ({ name }: GuardMember) => feeds.find((feed) => feed.name === name) ?? [];
    const atDefault = this.members.filter((member) => member.wasAtDefault);
    return [...atDefault.toReversed(), ...this.members.filter((member) => !member.wasAtDefault)].flatMap(of);
  }

  /** Whether what was read last is what the noun is now. */
  private isSettled(feed: Feed): boolean {
    return !feed.isReading && (!feed.isStale || (this.readings.get(feed)?.unsettled ?? 0) >= mostUnsettled);
  }

  private get followed(): readonly Feed[] {
    return this.members.flatMap(({ name }) => this.feeds.followed(name) ?? []);
  }
}
