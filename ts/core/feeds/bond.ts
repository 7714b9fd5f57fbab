/** Feeds that are told together. */
import type { Answer } from "../operations/answer.ts";
import type { Feed } from "./feed.ts";

/** Joins feeds, so that what followers are told of one fits what they are told of the others. */
export interface Bond {
  /** When its feeds that are behind may be told. */
  readonly tellDue: number;
  /** A feed was read. All its feeds keep what was read, once all are settled. */
  onRead(feed: Feed, answer: Answer | undefined): void;
  /** Tells all its feeds, in an order that is safe. */
  tell(now: number): void;
}
