/**
 * Whole requests seen lately, byte for byte, with all that was made of them up to the noun's door: 60,000 instructions of a GET by a
 * small client.
 */
import { Recent } from "../http/recent.ts";
import { ParserMemory } from "../http/request-parser.ts";
import type { Hash } from "../native/hash.ts";
import type { Request } from "./request.ts";

/** Bytes of the longest request that is kept. */
const longestRequest = 1024;

/** What a server remembers of the requests it has read. */
export class RequestMemory {
  /** What the connections' parsers share. */
  readonly parsed = new ParserMemory();
  /** Another one whenever requests are forgotten. */
  generation = 0;
  /** @param bytes a read's bytes. @returns the request, when they are exactly one that is known. */
  readonly find: (bytes: string) => Request | undefined;
  private readonly requests = new Recent<Request>(32, longestRequest);
  private readonly hash: Hash["sha256"] | undefined;

  /**
   * @param hash given where requests hold tokens. They are found by their hash then, as a table of the requests themselves would
   *   compare a guess with them byte by byte, and take the longer the more of it is right.
   */
  constructor(hash?: Hash["sha256"]) {
    const { requests } = this;
    this.hash = hash;
    this.find =
      hash === undefined
        ? requests.get.bind(requests)
        : (bytes) => (bytes.length > longestRequest ? undefined : requests.get(hash(bytes)));
  }

  /** Keeps a request whose head has been seen before. @param bytes all of its bytes. */
  keep(bytes: string, request: Request): void {
    if (request.head.expectsContinue) return;
    if (this.hash !== undefined && bytes.length <= longestRequest) this.requests.add(this.hash(bytes), request);
    else if (!request.head.fields.secret) this.requests.add(bytes, request);
  }

  /** Forgets the requests: their nouns may not be registered any more. */
  forgetRoutes(): void {
    this.requests.clear();
    this.generation += 1;
  }
}
