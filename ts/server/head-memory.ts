/**
 * The heads that were seen lately, each with the request that it has become: admitted, and with its route. A head that
 * is known is not parsed again. A body is always read.
 *
 *     heads.keep(head, request); // "GET /led HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n"
 *     heads.find(head); // the request; also for a head with another cookie
 */
import { withoutUnusedValues } from "../http/used-values.ts";
import type { Hash } from "../native/hash.ts";
import type { Request } from "./admitted-request.ts";

/** Bytes of the longest head that is remembered. A browser's has about 650. */
const longestHead = 1_024;

/** Bytes that all remembered heads may take. When they take more, all are forgotten, which is the simplest way. */
const mostBytes = 65_536;

/** Bytes that the request of a head takes, about. */
const requestBytes = 1_024;

export class HeadMemory {
  /** By the head, by the head without the values that have no effect, or by the head's hash. */
  private readonly requests = new Map<string, Request>();
  private bytes = 0;
  private readonly longest: number;
  private readonly hash: Hash["sha256"] | undefined;

  /**
   * @param headerBytes the limit of a head's field lines.
   * @param hash given if requests have tokens. Heads are then found by their hash: a table of the bytes would compare a
   *   guess with a token byte by byte, and take longer the more of it is right.
   */
  constructor(headerBytes: number, hash?: Hash["sha256"]) {
    // A head with other values may be longer than the one that is remembered, but never over its limit.
    this.longest = Math.min(longestHead, headerBytes);
    this.hash = hash;
  }

  /** @param head with its empty line. @returns the request of an equal head. */
  find(head: string): Request | undefined {
    if (head.length > this.longest) return undefined;
    const { requests, hash } = this;
    if (hash !== undefined) return requests.get(hash(head));
    const known = requests.get(head);
    if (known !== undefined || requests.size === 0) return known;
    const used = withoutUnusedValues(head);
    return used === undefined ? undefined : requests.get(used);
  }

  /** Remembers a head. @param request an admitted one, without a body. */
  keep(head: string, request: Request): void {
    if (head.length > this.longest) return;
    if (this.hash !== undefined) {
      this.store(this.hash(head), request);
    } else if (request.head.fields.values["authorization"] === undefined) {
      this.store(head, request);
      const used = withoutUnusedValues(head);
      if (used !== undefined) this.store(used, request);
    }
  }

  /** Forgets all heads: their nouns may not be registered any more. */
  forget(): void {
    this.requests.clear();
    this.bytes = 0;
  }

  private store(key: string, request: Request): void {
    this.bytes += key.length + requestBytes;
    if (this.bytes > mostBytes) {
      this.forget();
      this.bytes = key.length + requestBytes;
    }
    this.requests.set(key, request);
  }
}
