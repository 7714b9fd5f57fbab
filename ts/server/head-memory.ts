/**
 * The requests that were seen lately, by their bytes: heads, each with the request that it has become, admitted and
 * with its route, and short requests with their bodies. What is known is not parsed again.
 *
 *     heads.find(head); // undefined: "GET /led HTTP/1.1\r\nHost: a\r\nCookie: a\r\n\r\n"
 *     heads.keep(head, request);
 *     heads.find(head); // the request; also for a head with another cookie
 */
import { withoutCookies } from "../http/cookies.ts";
import { withoutUnusedValues } from "../http/used-values.ts";
import type { Hash } from "../native/hash.ts";
import type { Request } from "./admitted-request.ts";

/** Bytes of the longest head or request that is remembered. A browser's head has about 650. */
const longestKey = 1_024;

/** Bytes that everything remembered may take. When it takes more, all is forgotten, which is the simplest way. */
const mostBytes = 65_536;

/** Bytes that a request takes besides its key, about. */
const requestBytes = 1_024;

export class HeadMemory {
  /** By the bytes, by a head without the values that have no effect, or by the bytes' hash. */
  private readonly requests = new Map<string, Request>();
  private bytes = 0;
  private readonly longest: number;
  private readonly hash: Hash["sha256"] | undefined;
  /** What was sought last, if it is an unknown head: the head without the values that have no effect. */
  private used: string | undefined;
  /** Whether what was sought last has cookies, which are not kept. */
  private hasCookies = false;

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
    this.hasCookies = false;
    const known = this.findKept(bytes);
    if (known !== undefined || !bytes.endsWith("\r\n\r\n")) return known;
    const kept = withoutCookies(bytes);
    if (kept === undefined || kept.length === bytes.length) return undefined;
    this.hasCookies = true;
    return this.findKept(kept);
  }

  private findKept(bytes: string): Request | undefined {
    this.used = undefined;
    if (bytes.length > this.longest) return undefined;
    const hash = this.hash;
    if (hash !== undefined) return this.requests.get(hash(bytes));
    const known = this.requests.get(bytes);
    if (known !== undefined || !bytes.endsWith("\r\n\r\n")) return known;
    const used = withoutUnusedValues(bytes);
    const similar = used === undefined ? undefined : this.requests.get(used);
    if (similar === undefined) this.used = used;
    return similar;
  }

  /** Remembers what was sought last, in vain. @param request what the bytes have become: a head, one without its body. */
  keep(sent: string, request: Request): void {
    const bytes = this.hasCookies ? withoutCookies(sent) : sent;
    if (bytes === undefined || bytes.length > this.longest) return;
    if (this.hash !== undefined) {
      this.store(this.hash(bytes), request);
    } else if (request.head.fields.values["authorization"] === undefined) {
      this.store(bytes, request);
      const used = this.used;
      this.used = undefined;
      if (used !== undefined && used !== bytes) this.store(used, request);
    }
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
