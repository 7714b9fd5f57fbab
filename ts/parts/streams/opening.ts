/**
 * A request for a stream, until the stream begins. It follows its nouns from the beginning, so the stream begins with
 * what they are when it opens, and nothing that happens meanwhile is missed.
 */
import type { Feed } from "../../core/feeds/feed.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import { type Answer, noAnswer } from "../../core/operations/answer.ts";
import type { Asker, PendingAnswer } from "../../core/operations/operation.ts";
import type { FollowedNouns } from "../../core/server/host.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Form } from "./group.ts";

/** How often a request begins anew. A noun whose reading replaces nouns would have it begin for ever. */
const mostTimes = 16;

export class Opening implements PendingAnswer, Follower {
  declare readonly status?: undefined;
  answer: Answer | undefined;
  readonly nouns: FollowedNouns;
  readonly form: Form;
  feeds: readonly Feed[] = [];
  /** Whether the stream ends as soon as it has begun, because its nouns are others now. */
  isOutdated = false;
  private readonly streams: EventStreams;
  private readonly asker: Asker;
  private readonly unread = new Set<Feed>();
  private isBeginning = false;
  /** Whether its nouns have become others while it began. */
  private isLate = false;
  private times = 0;

  constructor(streams: EventStreams, nouns: FollowedNouns, form: Form, asker: Asker) {
    this.streams = streams;
    this.nouns = nouns;
    this.form = form;
    this.asker = asker;
  }

  /** Follows the nouns. @returns the answer, if all nouns were read at once. */
  begin(): Answer | undefined {
    this.isBeginning = true;
    try {
      this.followAll();
      while (this.isLate && this.isOnceMore()) {
        this.abandon();
        this.followAll();
      }
    } catch (error) {
      this.abandon();
      throw error;
    } finally {
      this.isBeginning = false;
    }
    if (this.unread.size === 0) this.complete();
    return this.answer;
  }

  private followAll(): void {
    const { streams, nouns, unread } = this;
    this.isLate = false;
    streams.openings.add(this);
    this.feeds = nouns.all().map(({ name }) => streams.feeds.of(name));
    for (const feed of this.feeds) unread.add(feed);
    for (const feed of this.feeds) feed.followNow(this);
  }

  /** @returns whether it begins anew. If not, the nouns that it has are told, and the stream ends. */
  private isOnceMore(): boolean {
    this.times += 1;
    this.isOutdated ||= this.times > mostTimes;
    return !this.isOutdated;
  }

  onState(feed: Feed): void {
    this.unread.delete(feed);
    if (this.unread.size > 0 || this.isBeginning || this.answer !== undefined) return;
    this.complete();
    this.asker.onAnswer();
  }

  /** A noun of this name was registered or removed, which the client may read. */
  replaced(): void {
    if (this.answer !== undefined) this.isOutdated = true;
    // What became of the only noun is told by its feed.
    if (this.answer !== undefined || this.nouns.isOfOne) return;
    if (this.isBeginning) this.isLate = true;
    else if (this.isOnceMore()) {
      this.abandon();
      if (this.begin() !== undefined) this.asker.onAnswer();
    }
  }

  abandon(): void {
    const { feeds } = this;
    this.feeds = [];
    this.answer = undefined; // which refers to this: nothing waits for the garbage collector
    this.unread.clear();
    this.streams.openings.delete(this);
    for (const feed of feeds) feed.unfollow(this);
  }

  private complete(): void {
    try {
      this.answer = this.streams.answer(this);
    } catch {
      this.abandon();
      this.answer = noAnswer;
    }
  }
}
