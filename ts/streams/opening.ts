/**
 * A request for a stream, until the stream begins. It follows its nouns from the beginning, so the stream begins with
 * what they are when it opens, and nothing that happens meanwhile is missed.
 */
import type { Feed, Follower } from "../feeds/feed.ts";
import { type Answer, noAnswer } from "../operations/answer.ts";
import type { Asker, PendingAnswer } from "../operations/operation.ts";
import type { FollowedNouns } from "../server/companions.ts";
import type { Form } from "./group.ts";

/** What openings use of the streams. */
export interface OpeningContext {
  /** @returns the feed of a name. */
  readonly feed: (name: string) => Feed;
  /** @returns the answer to a request, once all nouns were read. */
  readonly answer: (opening: Opening) => Answer;
  /** Openings that are under way. */
  readonly openings: Set<Opening>;
}

export class Opening implements PendingAnswer, Follower {
  declare readonly status?: undefined;
  answer: Answer | undefined;
  readonly nouns: FollowedNouns;
  readonly form: Form;
  feeds: readonly Feed[] = [];
  /** Whether the stream ends as soon as it has begun, because its nouns are others now. */
  isOutdated = false;
  private readonly context: OpeningContext;
  private readonly asker: Asker;
  private readonly unread = new Set<Feed>();
  private isBeginning = false;

  constructor(context: OpeningContext, nouns: FollowedNouns, form: Form, asker: Asker) {
    this.context = context;
    this.nouns = nouns;
    this.form = form;
    this.asker = asker;
  }

  /** Follows the nouns. @returns the answer, if all nouns were read at once. */
  begin(): Answer | undefined {
    const { context, nouns, unread } = this;
    this.isBeginning = true;
    try {
      context.openings.add(this);
      this.feeds = nouns.all().map(({ name }) => context.feed(name));
      for (const feed of this.feeds) unread.add(feed);
      for (const feed of this.feeds) feed.followNow(this);
    } catch (error) {
      this.abandon();
      throw error;
    } finally {
      this.isBeginning = false;
    }
    if (unread.size === 0) this.complete();
    return this.answer;
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
    this.abandon();
    if (this.begin() !== undefined) this.asker.onAnswer();
  }

  abandon(): void {
    const { feeds } = this;
    this.feeds = [];
    this.unread.clear();
    this.context.openings.delete(this);
    for (const feed of feeds) feed.unfollow(this);
  }

  private complete(): void {
    try {
      this.answer = this.context.answer(this);
    } catch {
      this.answer = noAnswer;
      this.abandon();
    }
  }
}
