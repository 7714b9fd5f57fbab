/** Whole requests seen lately, byte for byte, with all that was made of them up to the noun's door. */
import { Recent } from "../http/recent.ts";
import type { RequestHead } from "../http/request.ts";
import { ParserMemory } from "../http/request-parser.ts";
import type { Hash } from "../native/hash.ts";
import type { State } from "../noun/state.ts";
import type { Route } from "./router.ts";

/** Bytes of the longest request that is kept. */
const longestRequest = 1024;

/** A request that was accepted. */
export interface KnownRequest {
  readonly head: RequestHead;
  readonly route: Route;
  readonly state: State;
}

/** One of a row of equal requests. */
export interface RepeatedRequest extends KnownRequest {
  /** All of its bytes. */
  readonly bytes: string;
  /** The value of `KnownRequests.era` it belongs to. */
  readonly era: number;
}

/** What a server remembers of the requests it has answered. */
export class KnownRequests {
  /** What the connections' parsers share. */
  readonly parsed = new ParserMemory();
  /** Another number as soon as routes are not to be used any more. */
  era = 0;
  private readonly requests = new Recent<KnownRequest>(32, longestRequest);
  private readonly hash: Hash["sha256"] | undefined;

  /**
   * @param hash given where requests hold tokens. They are found by their hash then, as a table of the requests themselves would
   *   compare a guess with them byte by byte, and take the longer the more of it is right.
   */
  constructor(hash?: Hash["sha256"]) {
    this.hash = hash;
  }

  /** @param bytes a read's bytes. @returns the request, when they are exactly one that is known. */
  find(bytes: string): KnownRequest | undefined {
    if (this.hash === undefined) return this.requests.get(bytes);
    return bytes.length > longestRequest ? undefined : this.requests.get(this.hash(bytes));
  }

  /** Keeps a request whose head has been seen before. @param bytes all of its bytes. */
  keep(bytes: string, request: KnownRequest): void {
    if (request.head.expectsContinue) return;
    if (this.hash !== undefined && bytes.length <= longestRequest) this.requests.add(this.hash(bytes), request);
    else if (!request.head.fields.secret) this.requests.add(bytes, request);
  }

  /** Forgets the requests: their nouns may not be registered any more. */
  forgetRoutes(): void {
    this.era += 1;
    this.requests.clear();
  }
}
