/** What a server may have beside the states of its nouns. The program that makes the server gives it these; the server knows no more of them than this. */
import type { NeededToken, Reach } from "../access/access.ts";
import type { RequestHead } from "../http/request.ts";
import type { Guard } from "../native/guard.ts";
import type { Hash } from "../native/hash.ts";
import type { Clock } from "../native/loop.ts";
import type { Net } from "../native/net.ts";
import type { Deadlines } from "./deadlines.ts";
import type { RegisteredNoun, Route } from "./noun-route.ts";
import type { ServerLimits } from "./options.ts";

/** What has been found for a request instead of a noun. */
export interface Found {
  /** The token that the request needs, where tokens are asked for. */
  readonly needed: NeededToken;
  /**
   * @param reach what the request's token extends to.
   * @returns the route of the admitted request.
   * @throws HttpError 501 or 405.
   */
  route(reach: Reach | undefined): Route;
}

/** What the server tells of itself: the documents and the page. */
export interface Documents {
  /** Whether there is a page: then its own origin may use the server. */
  readonly hasPage: boolean;
  /** The field line of `/` that tells of them (RFC 8288, 3); "" for none. */
  readonly link: string;
  /** @returns what a request gets instead of a noun's state; undefined for a request to nouns. */
  find(head: RequestHead): Found | undefined;
  /** @throws Error with a sentence when a noun cannot have this name. */
  checkName(name: string): void;
}

/** What a server has counted since its start. */
export interface Counts {
  /** Answers by status code. */
  readonly requests: ReadonlyMap<number, number>;
  /** Connections that are open. */
  readonly connections: number;
  /** Streams of events that are open. */
  readonly streams: number;
}

/** What documents need of their server. */
export interface DocumentsContext {
  readonly guard: Guard;
  readonly hash: Hash | undefined;
  /** The nouns in the order of their registration. */
  readonly nouns: { all(): Iterable<RegisteredNoun> };
  /** Whether requests need a token: then no two readers' documents are the same. */
  readonly asksForTokens: boolean;
  readonly counts: () => Counts;
}

/** The streams of events. */
export interface Streams {
  /** How many are open. */
  readonly size: number;
  /** @returns the route to a noun's stream; undefined where the client prefers the state itself. */
  route(registered: RegisteredNoun, accept: string): Route | undefined;
  /**
   * @param nouns gives those that are registered, in their order.
   * @param reaches says whether the client may read the noun of a name.
   * @returns the route to the stream of all nouns; undefined where the client prefers their states.
   */
  routeToAll(
    nouns: () => readonly RegisteredNoun[],
    reaches: (name: string) => boolean,
    accept: string,
  ): Route | undefined;
  /** Says that a request may have changed a noun. */
  changed(name: string): void;
  /** Ends the streams that are affected when a noun is registered or removed. */
  endFor(name: string): void;
  /** Ends all streams; no other can begin. */
  close(): void;
  /** Ends the stream that holds the most for its client. @returns false where none holds anything. */
  closeLargest(): boolean;
}

/** What streams share with the rest of their server. */
export interface StreamsContext {
  readonly clock: Clock;
  readonly net: Net;
  readonly deadlines: Deadlines;
  readonly limits: ServerLimits;
  /** Calls what a noun gave, under guard. @throws what that throws, or its interruption. */
  readonly call: (step: () => unknown) => unknown;
  /** Receives an error that a noun's `watch`, or its end, threw. */
  readonly report: (name: string, error: unknown) => void;
  /** Frees memory that is held for clients, where memory is scarce. */
  readonly relieve: () => void;
}

/** Makes what a server has beside nouns; without one of them it does without. */
export interface Companions {
  readonly documents?: (context: DocumentsContext) => Documents;
  /** Called when the first client wants a stream. */
  readonly streams?: (context: StreamsContext) => Streams;
}
