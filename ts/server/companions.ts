/**
 * What a server may have besides the states of its nouns. The program that makes the server provides the
 * implementations; the server knows only these interfaces.
 */
import type { NeededToken } from "../access/access.ts";
import type { Scope } from "../access/admission.ts";
import type { FeedContext } from "../feeds/feed.ts";
import type { Feeds } from "../feeds/feeds.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { Guard } from "../native/guard.ts";
import type { Hash } from "../native/hash.ts";
import type { Clock } from "../native/loop.ts";
import type { Net } from "../native/net.ts";
import type { OnFailure } from "../noun/failure.ts";
import type { RegisteredNoun, Route } from "../operations/noun-route.ts";
import type { Turns } from "../time/turns.ts";
import type { ServerLimits } from "./options.ts";

/** A document or the page, which was found for a request instead of a noun. */
export interface Found {
  /** The token that the request needs, if the server requires tokens. */
  readonly needed: NeededToken;
  /**
   * @param scope what the request's token allows.
   * @returns the route of the admitted request.
   * @throws HttpError 501, 405 or 412.
   */
  route(scope: Scope | undefined): Route;
}

/** What the server says about itself: the documents and the page. */
export interface Documents {
  /** Whether there is a page. Its own origin may then use the server. */
  readonly hasPage: boolean;
  /** The field line of `/` that names them (RFC 8288, 3); "" for none. */
  readonly link: string;
  /** @returns the document or page that a request is for; undefined for a request to nouns. */
  find(head: RequestHead): Found | undefined;
  /** @throws Error with a sentence when a noun cannot have this name. */
  checkName(name: string): void;
  /** Forgets the texts that are kept: nouns have changed, or memory is short. @returns whether there was any. */
  forget(): boolean;
}

/** The counts of a server since its start. */
export interface Counts {
  /** Answers by status code. */
  readonly requests: { readonly [status: number]: number };
  readonly connections: number;
  readonly streams: number;
}

/** What documents need of their server. */
export interface DocumentsContext {
  readonly clock: Clock;
  readonly guard: Guard;
  readonly hash: Hash | undefined;
  /** The nouns in the order of their registration. */
  readonly nouns: { all(): Iterable<RegisteredNoun> };
  /** Whether requests need a token. Each token may then get different documents. */
  readonly asksForTokens: boolean;
  readonly counts: () => Counts;
  /** Frees memory that is held for clients, if memory is scarce. */
  readonly relieve: () => void;
}

/** The nouns of a stream. */
export interface FollowedNouns {
  /** Whether the stream is of one noun alone, whose name is not in its events. */
  readonly isOfOne: boolean;
  /** @returns the nouns that are registered now, in their order. */
  all(): readonly RegisteredNoun[];
  /** Says whether the client may read the noun of a name. */
  readonly reaches: (name: string) => boolean;
}

export interface Streams {
  readonly size: number;
  /** @returns the route to a stream of these nouns; undefined if the client prefers their states. */
  route(nouns: FollowedNouns, accept: string): Route | undefined;
  /** A noun was registered or removed. Streams end whose clients may read it. */
  replaced(name: string): void;
  /** Ends the streams with a noun that their clients may not read any more. */
  endUnreached(): void;
  /** Ends all streams, and no other can begin after that. */
  close(): void;
  /** Ends the stream that holds the most for its client. @returns false if none holds anything. */
  closeLargest(): boolean;
}

/** What is used of a server by those who follow its nouns. */
export interface FeedsContext extends Pick<FeedContext, "clock" | "turns" | "find"> {
  readonly limits: ServerLimits;
  readonly guard: Guard;
  /** Called for each failure of a noun's `watch`; undefined if nobody listens. */
  readonly onFailure: OnFailure | undefined;
  /** Receives the lines of the debug log; undefined if nothing is logged. */
  readonly log: ((line: string) => void) | undefined;
}

/** What streams use of their server. */
export interface StreamsContext {
  readonly clock: Clock;
  readonly net: Net;
  readonly limits: ServerLimits;
  readonly turns: Turns;
  /** The feeds of its nouns. @param open opens them for the first one who follows a noun. */
  readonly feeds: (open: (context: FeedsContext) => Feeds) => Feeds;
  /** Frees memory that is held for clients, if memory is scarce. */
  readonly relieve: () => void;
}

/** Makes what a server has besides nouns. Each function may be left out. */
export interface Companions {
  readonly documents?: (context: DocumentsContext) => Documents;
  /** Called when the first client requests a stream. */
  readonly streams?: (context: StreamsContext) => Streams;
}
