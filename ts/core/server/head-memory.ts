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

/** Bytes of the longest text that is a key itself. The hash of a longer one costs no more than its comparison. */
const mostText = 256;

/** Bytes that everything remembered may take. When it takes more, all is forgotten, which is the simplest way. */
const mostBytes = 65_536;

/** Bytes that a request takes besides its key, about. */
const requestBytes = 1_024;

/** The head that was sought last and is not known by its bytes. */
interface Sought {
  /** By which it would be kept. */
  readonly keys: readonly string[];
  /** Whether its bytes, if they are a key themselves, have cookies. */
  readonly hasCookies: boolean;
  /** The head without cookies; undefined for too many, or if nothing has taken them out. */
  readonly kept: string | undefined;
}

export class HeadMemory {
  /** By the bytes, by a head without the values that have no effect, or by the hash of either. */
  private readonly requests = new Map<string, Request>();
  private bytes = 0;
  private readonly longest: number;
  private readonly hash: Hash["keyed"];
  /** Bytes of the longest text that is a key itself, not by its hash. */
  private readonly longestText: number;
  private sought: Sought | undefined;

  /**
   * @param headerBytes the limit of a head's field lines.
   * @param hash without it, no head with cookies is found by its bytes.
   * @param hasTokens whether requests have tokens, which needs a hash. A table of bytes would compare a guess with a
   *   token byte by byte, and take longer the more of it is right.
   */
  constructor(headerBytes: number, hash?: Hash["keyed"], hasTokens = false) {
    // A head with other values may be longer than the one that is remembered, but never over its limit.
    this.longest = Math.min(longestKey, headerBytes);
    this.hash = hash ?? String;
    this.longestText = hasTokens ? -1 : Math.min(hash === undefined ? longestKey : mostText, headerBytes);
  }

  /** @param bytes a head with its empty line, perhaps with its body. @returns the request that equal bytes have become. */
  find(bytes: string): Request | undefined {
    this.sought = undefined;
    if (bytes.length <= this.longestText) {
      return this.requests.get(bytes) ?? this.findLike(bytes, bytes);
    }
    let key: string | undefined;
    if (bytes.length <= this.longest) {
      key = this.hash(bytes);
      const known = this.requests.get(key);
      if (known !== undefined) return known;
    }
    return this.findLike(bytes, key);
  }

  /**
   * @param own by which the bytes themselves would be kept; undefined if they are too long.
   * @returns the request of a head that differs in cookies and in other values that have no effect.
   */
  private findLike(head: string, own: string | undefined): Request | undefined {
    if (!head.endsWith("\r\n\r\n")) return undefined;
    if (own !== undefined && own !== head && this.longestText >= 0) return this.findHashed(head, own);
    const kept = withoutCookies(head);
    const hasCookies = kept?.length !== head.length;
    const keys: string[] = [];
    // Of cookies, nothing but a hash is kept.
    if (own !== undefined && (own !== head || !hasCookies)) keys.push(own);
    let known: Request | undefined;
    if (kept !== undefined && kept.length <= this.longest) {
      if (hasCookies) known = this.requests.get(this.keyFor(kept, keys));
      const used = known !== undefined || this.longestText < 0 ? undefined : withoutUnusedValues(kept);
      if (used !== undefined) known = this.requests.get(this.keyFor(used, keys));
    }
    this.sought = { keys, hasCookies, kept };
    if (known !== undefined && hasCookies && own !== undefined && own !== head) this.store(own, known);
    return known;
  }

  /** The same for a head that is known by its hash. Its cookies are among the values that are not used. */
  private findHashed(head: string, own: string): Request | undefined {
    const keys = [own];
    const used = withoutUnusedValues(head);
    const known = used === undefined ? undefined : this.requests.get(this.keyFor(used, keys));
    this.sought = { keys, hasCookies: false, kept: undefined };
    if (known !== undefined) this.store(own, known);
    return known;
  }

  /** The head that was sought last, in vain, without its cookies; undefined if only its parser can tell. */
  get withoutCookies(): string | undefined {
    return this.sought?.kept;
  }

  /** Remembers a head that was sought last, in vain. */
  keep(head: string, request: Request): void {
    if (this.longestText >= 0 && request.head.fields.values["authorization"] !== undefined) return;
    for (const key of this.sought?.keys ?? [this.keyFor(head, [])]) this.store(key, request);
  }

  /** Remembers a whole request whose head was sought last. */
  keepWhole(bytes: string, request: Request): void {
    const isText = bytes.length <= this.longestText;
    if (bytes.length > this.longest || (isText && this.sought?.hasCookies)) return;
    if (this.longestText >= 0 && request.head.fields.values["authorization"] !== undefined) return;
    this.store(isText ? bytes : this.hash(bytes), request);
  }

  /** Forgets all: nouns may not be registered any more. */
  forget(): void {
    this.requests.clear();
    this.bytes = 0;
  }

  /** @returns the key of a text, which is also appended to `keys`. */
  private keyFor(text: string, keys: string[]): string {
    const key = text.length <= this.longestText ? text : this.hash(text);
    keys.push(key);
    return key;
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
