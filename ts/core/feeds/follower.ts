/** Who is told of a noun. */
import type { Answer } from "../operations/answer.ts";
import type { Feed } from "./feed.ts";

/** Follows nouns: a group of streams, the client of a broker, a rule. */
export interface Follower {
  /**
   * Of a close follower, which must know at once: the feed reads the noun in the turn of the loop in which it changes,
   * and calls this with each reading. The allowance of readings is not for it.
   */
  onReading?(answer: Answer | undefined): void;
  /**
   * Whether it is told in the turn of the loop in which the noun changes, as far as the allowance goes and that turn
   * has time. All others are told the same state in a later turn, after the answer to the request that has changed the
   * noun.
   */
  readonly isPrompt?: boolean;
  /** Of a close follower: the noun has told of a change, and its reading waits. Until it ends, `isOutdated` is true. */
  onOutdated?(): void;
  /**
   * The follower's first state of this feed is here, or another one. If it throws, it is called again after the next
   * reading.
   */
  onState(feed: Feed): void;
}
