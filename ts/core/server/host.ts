/** What a server lends to its sources of routes, and to what follows its nouns. */

import type { Hash } from "../../native/hash.ts";
import type { Interruption } from "../../native/interruption.ts";
import type { Clock } from "../../native/loop.ts";
import type { Memory } from "../../native/memory.ts";
import type { Net } from "../../native/net.ts";
import type { Scope } from "../access/admission.ts";
import type { Feeds } from "../feeds/feeds.ts";
import type { NounDirectory } from "../feeds/noun-directory.ts";
import type { RequestHead } from "../http/request-head.ts";
import type { OnFailure } from "../noun/failure.ts";
import type { RegisteredNoun } from "../operations/noun-route.ts";
import type { Turns } from "../time/turns.ts";
import type { ServerLimits } from "./options.ts";
import type { Parts } from "./part.ts";

/** The C modules that a server uses (`clock` is `nound:loop`), or simulated ones. */
export interface Platform {
  readonly net: Net;
  readonly clock: Clock;
  readonly interruption: Interruption;
  readonly memory: Memory;
  /** A server with tokens or documents needs it. Without it, heads with cookies are parsed each time. */
  readonly hash?: Hash;
  /** @returns bytes that states may take in addition to what they take now. Without it they may take any. */
  readonly roomForStates?: () => number;
}

/** The counts of a server since its start. */
export interface Counts {
  /** Answers by status code. */
  readonly requests: { readonly [status: number]: number };
  readonly connections: number;
  readonly streams: number;
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

export interface Host extends Platform {
  readonly limits: ServerLimits;
  readonly turns: Turns;
  readonly nouns: NounDirectory & {
    /**
     * @param head of a GET or HEAD. @param scope what its token allows.
     * @returns the nouns that it is for. @throws HttpError 400, 404 or 412.
     */
    followed(head: RequestHead, scope: Scope | undefined): FollowedNouns;
  };
  /** Whether requests need a token. Each token may then get different documents. */
  readonly asksForTokens: boolean;
  readonly counts: () => Counts;
  /** The feeds of its nouns, which `openFeeds` opens. */
  readonly feeds: { opened: Feeds | undefined };
  /** What the server has besides the states of its nouns. */
  readonly parts: Parts;
  /** Frees memory that is held for clients, if memory is scarce. @returns whether there is enough now. */
  readonly relieve: () => boolean;
  /** Called for each failure of a noun; undefined if nobody listens. */
  readonly onFailure: OnFailure | undefined;
  /** Receives the lines of the debug log; undefined if nothing is logged. */
  readonly log: ((line: string) => void) | undefined;
}
