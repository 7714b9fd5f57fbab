/**
 * Requests seen lately, with all that was made of them up to the noun's door. This saves 77,000 instructions of a GET by a small client, and
 * 113,000 of one by a browser.
 *
 * A request is kept the second time it is seen, so that a client that never repeats itself costs next to nothing.
 */
import type { RequestLimits } from "../http/limits.ts";
import type { Hash } from "../native/hash.ts";
import type { Request } from "./request.ts";
import { SimilarRequests } from "./similar-requests.ts";

/** Bytes of the longest request that is kept. A browser's has about 650. */
const longestRequest = 1024;

/** Bytes of the longest request that is looked for by all of its bytes, and bytes of both ends by which a longer one is. */
const longestKey = 128;
const sampleBytes = 24;

/** How many there are at most. Beyond, all are forgotten: that is the cheapest. */
const capacity = 64;

/** A request that was seen twice. */
export interface KnownRequest {
  /** Its bytes; or, where requests hold tokens and in the memory itself, their hash. */
  readonly key: string;
  readonly request: Request;
  /** That of the memory when the request was kept. */
  readonly generation: number;
}

/** What a server remembers of the requests it has read. */
export class RequestMemory {
  /** Another one whenever requests are forgotten. */
  generation = 0;
  /** Requests that differ from others in one place. */
  readonly similar: SimilarRequests;
  /**
   * Each by its sample: to look for one of 900 bytes by all of them costs 5,000 instructions. Of one that was seen once, the key: an object
   * costs 3,000.
   */
  private readonly seen = new Map<string, KnownRequest | string>();
  private readonly hash: Hash["sha256"] | undefined;
  /** What was looked for last, its sample, and what was found by that. */
  private key = "";
  private sample = "";
  private found: KnownRequest | string | undefined;

  /**
   * @param hash given where requests hold tokens. They are found by their hash then, as a table of the requests themselves would
   *   compare a guess with them byte by byte, and take the longer the more of it is right.
   */
  constructor(limits: RequestLimits, hash?: Hash["sha256"]) {
    this.similar = new SimilarRequests(limits, longestRequest);
    this.hash = hash;
  }

  /** @param bytes a read's bytes. @returns the request, with the bytes as its key, when they are exactly one that is known. */
  find(bytes: string): KnownRequest | undefined {
    // Not taken apart: to get a text's length that way makes an object of it.
    const length = bytes.length;
    if (length > longestRequest) return undefined;
    // Often another connection has asked the same just before. Texts that hold tokens are not compared with those of others.
    if (this.hash !== undefined || bytes !== this.key)
      this.look(this.hash === undefined ? bytes : this.hash(bytes), length);
    const found = this.found as KnownRequest | undefined; // or a text, which has no key
    if (found?.key !== this.key) return undefined;
    return this.hash === undefined ? found : { key: bytes, request: found.request, generation: found.generation };
  }

  /** @param key that of a request of so many bytes. */
  private look(key: string, length: number): void {
    const sample =
      key.length <= longestKey ? key : `${length}${key.slice(0, sampleBytes)}${key.slice(length - sampleBytes)}`;
    this.key = key;
    this.sample = sample;
    this.found = this.seen.get(sample);
  }

  /** Keeps a request, and what is similar to it. @param bytes all of its bytes. @param headLength those of its head. */
  keep(bytes: string, headLength: number, request: Request): void {
    const { expectsContinue, fields, contentLength, chunked } = request.head;
    if (bytes.length > longestRequest || expectsContinue) return;
    if (this.hash !== undefined) {
      this.keepAgain(bytes, request);
    } else if (fields.values["authorization"] === undefined) {
      const before = this.keepAgain(bytes, request);
      if (before !== undefined && this.similar.addValue(bytes, before, headLength, request)) return;
      if (contentLength > 0) this.similar.addBody(bytes.slice(0, headLength), request);
      // A longer request of the same noun differs in a value more often than in its noun, and would be compared in vain.
      else if (bytes.length <= longestKey && !chunked) this.similar.addTarget(bytes, request);
    }
  }

  /** Keeps a request from its second sight on. @returns the key of another one that looks like it, if one was seen lately. */
  keepAgain(bytes: string, request: Request): string | undefined {
    if (bytes !== this.key) this.find(bytes);
    const { seen, key, sample, found } = this;
    const before = typeof found === "object" ? found.key : found;
    if (before !== key && seen.size >= capacity) seen.clear();
    this.found = before === key ? { key, request, generation: this.generation } : key;
    seen.set(sample, this.found);
    return before;
  }

  /** Forgets the requests: their nouns may not be registered any more. */
  forgetRoutes(): void {
    this.seen.clear();
    this.key = "";
    this.found = undefined;
    this.similar.clear();
    this.generation += 1;
  }
}
