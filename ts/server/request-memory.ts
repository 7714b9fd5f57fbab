/**
 * Requests seen lately, with all that was made of them up to the noun's door. A read that is one of them, byte for
 * byte, is not parsed again; nor is one that differs only in its body or in a value that no part of the server uses.
 */
import type { RequestLimits } from "../http/limits.ts";
import type { Hash } from "../native/hash.ts";
import type { Refusal, Request } from "./admitted-request.ts";
import { RequestTemplates } from "./request-templates.ts";
import type { Service } from "./service.ts";

/** Bytes of the longest request that is stored. A browser's has about 650. */
export const longestRequest = 1024;

/** The largest number of stored requests. Beyond it, all are forgotten, which is the cheapest way. */
const capacity = 32;

export class RequestMemory {
  /** By their bytes, or by their hash. */
  private readonly requests = new Map<string, Request>();
  private readonly templates: RequestTemplates;
  private readonly hash: Hash["sha256"] | undefined;

  /**
   * @param hash given if requests have tokens. Requests are then found by their hash: a table of the bytes would
   *   compare a guess with a token byte by byte, and take longer the more of it is right.
   */
  constructor(limits: RequestLimits, service: Pick<Service, "readBody">, hash?: Hash["sha256"]) {
    this.templates = new RequestTemplates(limits, service, longestRequest);
    this.hash = hash;
  }

  /** @param bytes all that was received. @returns the request, if the bytes are exactly one that is known. */
  find(bytes: string): Request | Refusal | undefined {
    if (bytes.length > longestRequest) return undefined;
    if (this.hash !== undefined) return this.requests.get(this.hash(bytes));
    const known = this.requests.get(bytes);
    if (known !== undefined) return known;
    const similar = this.templates.find(bytes);
    // A repeated body is found by all bytes from then on, and its state is not read again.
    if (similar?.route?.takesBody) this.store(bytes, similar);
    return similar;
  }

  /** Stores a request that was parsed. @param bytes all of its bytes. */
  keep(bytes: string, request: Request): void {
    if (bytes.length > longestRequest || request.head.expectsContinue) return;
    if (this.hash !== undefined) {
      this.store(this.hash(bytes), request);
    } else if (request.head.fields.values["authorization"] === undefined) {
      this.store(bytes, request);
      this.templates.add(bytes, request);
    }
  }

  /** Forgets the requests: their nouns may not be registered any more. */
  forgetRoutes(): void {
    this.requests.clear();
    this.templates.clear();
  }

  private store(key: string, request: Request): void {
    if (this.requests.size >= capacity) this.requests.clear();
    this.requests.set(key, request);
  }
}
