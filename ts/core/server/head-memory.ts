/**
 * The requests that were seen lately, by their bytes: heads, each with the request that it has become, admitted and
 * with its route, and short requests with their bodies. What is known is not parsed again.
 *
 *     heads.find(head); // undefined: "GET /led HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n"
 *     heads.keep(head, request);
 *     heads.find(head); // the request; also for a head with another cookie
 */

import type { Hash } from "../../native/hash.ts";
import { withoutCookies } from "../http/cookies.ts";
import { withoutUnusedValues } from "../http/used-values.ts";
import type { Request } from "./admitted-request.ts";

/** Bytes of the longest head or request that is remembered. A browser's head has about 650. */
const longestKey = 1_024;

/** Bytes that everything remembered may take. When it takes more, all is forgotten, which is the simplest way. */
const mostBytes = 65_536;

/** Bytes that a request takes besides its key, about. */
const requestBytes = 1_024;

/** What was sought last and is not known by its bytes: by which keys it is kept, and whether it has cookies. */
interface Sought {
  readonly keys: readonly (string | undefined)[];
  readonly hasCookies: boolean;
}

export class HeadMemory {
  /** By the bytes, by a head without the values that have no effect, or by the bytes' hash. */
  private readonly requests = new Map<string, Request>();
  private bytes = 0;
  private readonly longest: number;
  private readonly hash: Hash["sha256"] | undefined;
  private sought: Sought | undefined;

  /**
   * @param headerBytes the limit of a head's field lines.
   * @param hash given if requests have tokens. A table of bytes would compare a guess with a token byte by byte, and
   *   take longer the more of it is right.
   */
  constructor(headerBytes: number, hash?: Hash["sha256"]) {
    // A head with other values may be longer than the one that is remembered, but never over its limit.
    this.longest = Math.min(longestKey, headerBytes);
    this.hash = hash;
  }

  /** @param bytes a head with its empty line, perhaps with its body. @returns the request that equal bytes have become. */
  find(bytes: string): Request | undefined {
    this.sought = undefined;
    if (bytes.length <= this.longest) {
      const hash = this.hash;
      const known = this.requests.get(hash === undefined ? bytes : hash(bytes));
      if (known !== undefined) return known;
    }
    return bytes.endsWith("\r\n\r\n") ? this.findSimilar(bytes) : undefined;
  }

  /** @returns the request of a head that differs in cookies and in other values that have no effect. */
  private findSimilar(head: string): Request | undefined {
    const kept = withoutCookies(head);
    const { hash, longest } = this;
    const hasCookies = kept?.length !== head.length;
    let known: Request | undefined;
    let used: string | undefined;
    if (kept !== undefined && kept.length <= longest) {
      if (hasCookies) known = this.requests.get(hash === undefined ? kept : hash(kept));
      if (known === undefined && hash === undefined) {
        used = withoutUnusedValues(kept);
        known = used === undefined ? undefined : this.requests.get(used);
      }
    }
    // Of cookies, nothing but a hash is kept.
    this.sought = { keys: hash === undefined ? [kept, used] : [kept, head], hasCookies };
    if (known !== undefined && hash !== undefined && head.length <= longest) this.store(hash(head), known);
    return known;
  }

  /** Remembers a head that was sought last, in vain. */
  keep(head: string, request: Request): void {
    const { hash, sought, longest } = this;
    if (hash === undefined && request.head.fields.values["authorization"] !== undefined) return;
    const [first, second] = sought === undefined ? [head] : sought.keys;
    if (first !== undefined && first.length <= longest) this.store(hash === undefined ? first : hash(first), request);
    if (second === undefined || second === first || second.length > longest) return;
    this.store(hash === undefined ? second : hash(second), request);
  }

  /** Remembers a whole request whose head was sought last, unless it has cookies. */
  keepWhole(bytes: string, request: Request): void {
    if (bytes.length > this.longest) return;
    const { hash, sought } = this;
    if (hash !== undefined) this.store(hash(bytes), request);
    else if (sought?.hasCookies) return;
    else if (request.head.fields.values["authorization"] === undefined) this.store(bytes, request);
  }

  /** Forgets all: nouns may not be registered any more. */
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
