/**
 * The access check: which requests may pass. It comes after the check of the head's grammar and before the router, so
 * that a refused client learns nothing about nouns.
 *
 *     const access = new Access({ hosts: ["hall.example"], tokens: [{ name: "panel", ... }] }, platform, false);
 *     access.admit(head, socket, "any").verdict; // "route", or the refusal
 */

import type { Hash } from "../../native/hash.ts";
import type { Clock } from "../../native/loop.ts";
import { hostAndPort, isListedHost } from "../http/host.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestHead } from "../http/request-head.ts";
import { nameIn, targetAuthority } from "../http/request-target.ts";
import type { Admission } from "./admission.ts";
import { bearerChallenge, bearerToken } from "./bearer.ts";
import { isOrigin, isPreflight, originFields, preflightFields } from "./cross-origin.ts";
import { FailedAttempts } from "./failed-attempts.ts";
import { type OnRefused, RefusedTokens } from "./refused-tokens.ts";
import { isOfTokenLength, type KnownToken, type Token, Tokens } from "./tokens.ts";

/**
 * The requirements on a client. A missing key requires nothing.
 *
 * @example
 * const access: AccessOptions = { hosts: ["hall.example"], origins: ["https://panel.example"] };
 * const server = new Server({ access });
 */
export interface AccessOptions {
  /** A request must have one of these tokens (RFC 6750). With an empty list, every request is refused. */
  readonly tokens?: readonly Token[];
  /**
   * The hosts this server answers for, against DNS rebinding: `hall.example` on any port, `hall.example:8080` on that
   * one. Case does not matter. They are compared with the authority of an absolute target, or else with the Host field.
   */
  readonly hosts?: readonly string[];
  /** Origins whose pages may use the server: `https://panel.example`. Without it, preflights allow nothing. */
  readonly origins?: readonly string[];
}

/** The modules that the check uses: a clock for the throttle and, for tokens, `nound:hash`. */
export interface AccessPlatform {
  readonly clock: Clock;
  readonly hash?: Hash;
}

/** The peer of a connection, read only if it is needed. */
export interface Peer {
  readonly peer: string;
}

/** An encrypted connection. */
export interface Sealing {
  /** The token whose key the client has proved to have; undefined without one. */
  readonly holder: KnownToken | undefined;
}

const portOfHttp = 80;
const portOfHttps = 443;

/** @returns the host with its port, in the one form that is compared. @param usual the port that is left out. */
function withPort(host: string, port: string, usual: number): string {
  return `${host}:${port === "" ? usual : Number(port)}`;
}

/** RFC 9112, 3.2.2: the authority of an absolute target replaces the Host field. @returns it in lower case. */
function authorityOf({ target, fields }: RequestHead): string {
  return (targetAuthority(target) ?? fields.values["host"] ?? "").toLowerCase();
}

function compileHosts(hosts: readonly string[]): ReadonlySet<string> {
  for (const host of hosts) {
    if (!isListedHost(host))
      throw new TypeError(`An allowed host is a host with an optional port; ${JSON.stringify(host)} is not.`);
  }
  return new Set(
    hosts.map((written) => {
      const [host, port] = hostAndPort(written.toLowerCase());
      return port === "" ? host : withPort(host, port, portOfHttp);
    }),
  );
}

function compileOrigins(origins: readonly string[]): ReadonlyMap<string, string> {
  for (const origin of origins) {
    if (!isOrigin(origin)) {
      throw new TypeError(
        `An allowed origin has the form in which browsers write it, ` +
          `https://panel.example; ${JSON.stringify(origin)} has not.`,
      );
    }
  }
  return new Map(origins.map((origin) => [origin, originFields(origin)]));
}

function refuseUnknown(): HttpError {
  return HttpError.keeping(401, "This server does not know the token.", bearerChallenge("invalid_token"));
}

function refuseVerb(): HttpError {
  const challenge = bearerChallenge("insufficient_scope");
  return HttpError.keeping(403, "The token does not allow this verb on this noun.", challenge);
}

/** The token that a request must have: none, any known one, or one that allows the request. */
export type NeededToken = "none" | "any" | "one that allows it";

/** The access check of one server. */
export class Access {
  private readonly tokens: Tokens | undefined;
  private readonly hosts: ReadonlySet<string> | undefined;
  /** For each allowed origin, its answers' field lines, prepared so that nothing received is sent back. */
  private readonly origins: ReadonlyMap<string, string> | undefined;
  /** Whether the server's own page may use it, too. */
  private readonly admitsOwnOrigin: boolean;
  private readonly failures: FailedAttempts;
  private readonly refused: RefusedTokens;
  private readonly hash: Hash | undefined;

  /**
   * @param admitsOwnOrigin whether the server has a page, which may use it under any name by which a browser opened it.
   * @param onRefused is told of wrong tokens, once a minute at most.
   * @throws TypeError naming the option that is malformed.
   */
  constructor(
    { tokens, hosts, origins }: AccessOptions,
    { clock, hash }: AccessPlatform,
    admitsOwnOrigin: boolean,
    onRefused: OnRefused,
  ) {
    this.admitsOwnOrigin = admitsOwnOrigin;
    if (tokens !== undefined && hash === undefined) throw new TypeError("A server with tokens needs the module hash.");
    this.tokens = tokens && new Tokens(tokens);
    this.hash = tokens && hash;
    this.hosts = hosts && compileHosts(hosts);
    this.origins = origins && compileOrigins(origins);
    this.failures = new FailedAttempts(clock);
    this.refused = new RefusedTokens(clock, onRefused);
  }

  /** Whether the server requires tokens. */
  get hasTokens(): boolean {
    return this.tokens !== undefined;
  }

  /** @param key SHA-256 of a client's public key, in hexadecimal. @returns the token that this key stands for. */
  holderOf(key: string): KnownToken | undefined {
    return this.tokens?.findKey(key);
  }

  /** Whether a client's key may be a token, so that clients are asked for a certificate. */
  get asksForKeys(): boolean {
    return this.tokens?.haveKeys ?? false;
  }

  /** Replaces the tokens, if the server requires some. @throws TypeError naming the one that is malformed. */
  setTokens(tokens: readonly Token[]): void {
    this.tokens?.replaceBy(new Tokens(tokens));
  }

  /** The server closes: tells of the wrong tokens that nobody was told of yet. */
  closed(): void {
    this.refused.end();
  }

  /**
   * Lets a request pass, or refuses it.
   * @param peer the client's address.
   * @param needed which token is needed, if the server requires tokens.
   * @param sealing of an encrypted connection.
   * @returns the admission. Its verdict may be a refusal, in this order: 421 for the host, 403 for the origin, 400, 401
   *   or 429 for the token, 400 for the target's form, 403 for what the token may not do.
   */
  admit(head: RequestHead, peer: Peer, needed: NeededToken, sealing?: Sealing): Admission {
    let fields = "";
    try {
      if (this.hosts !== undefined) this.checkHost(head, this.hosts, sealing);
      if (this.origins !== undefined && head.fields.count("origin") > 0) {
        fields = this.checkOrigin(head, this.origins);
        // A browser sends preflights without a token (Fetch, 4.8). The answer names methods, and no noun.
        if (isPreflight(head.method, head.fields)) {
          return { verdict: "preflight", fields: fields + preflightFields(head.fields), token: "" };
        }
      }
      if (this.tokens === undefined || needed === "none") return { verdict: "route", fields, token: "" };
      const token = this.checkToken(head, peer, this.tokens, needed === "any", sealing?.holder);
      return { verdict: "route", fields, token: token.name, scope: token };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { verdict: error, fields, token: "" };
    }
  }

  /**
   * Asks again when the body of an admitted request is complete: its token may have been withdrawn meanwhile.
   * @throws HttpError 401 or 403.
   */
  confirm({ method, target }: RequestHead, { scope }: Admission): void {
    if (scope?.allows(method, nameIn(target)) !== false) return;
    throw this.tokens?.has(scope) ? refuseVerb() : refuseUnknown();
  }

  private checkHost(head: RequestHead, hosts: ReadonlySet<string>, sealing: Sealing | undefined): void {
    const [host, port] = hostAndPort(authorityOf(head));
    const usual = sealing === undefined ? portOfHttp : portOfHttps;
    if (hosts.has(host) || hosts.has(withPort(host, port, usual))) return;
    throw HttpError.keeping(
      421,
      "This server does not answer for the request's host; its configuration lists the allowed hosts.",
    );
  }

  private checkOrigin(head: RequestHead, origins: ReadonlyMap<string, string>): string {
    const origin = head.fields.values["origin"] ?? "";
    const answer = origins.get(origin);
    if (answer !== undefined) return answer;
    // Behind a proxy the scheme differs and the host is the same. So only the host is compared.
    if (this.admitsOwnOrigin && /^https?:\/\/(.*)$/.exec(origin)?.[1] === authorityOf(head)) return "";
    throw HttpError.keeping(403, "Pages of the request's origin may not use this server.");
  }

  private checkToken(
    head: RequestHead,
    peer: Peer,
    tokens: Tokens,
    takesAnyToken: boolean,
    holder: KnownToken | undefined,
  ): KnownToken {
    const { fields, method, target } = head;
    if (fields.count("authorization") > 1) {
      const challenge = bearerChallenge("invalid_request");
      throw HttpError.closing(400, "The request has more than one Authorization field.", challenge);
    }
    const isHolder = holder !== undefined && fields.count("authorization") === 0;
    if (isHolder && (takesAnyToken || holder.allows(method, nameIn(target)))) return holder;
    if (isHolder) throw tokens.has(holder) ? refuseVerb() : refuseUnknown();
    const given = bearerToken(fields.values["authorization"] ?? "");
    if (given === undefined) {
      throw HttpError.keeping(
        401,
        "This server requires a token, in the field Authorization: Bearer TOKEN.",
        bearerChallenge(),
      );
    }
    const token = isOfTokenLength(given) && this.hash ? tokens.find(this.hash.sha256(given)) : undefined;
    if (token === undefined) throw this.refuseToken(peer);
    if (takesAnyToken || token.allows(method, nameIn(target))) return token;
    throw refuseVerb();
  }

  private refuseToken({ peer }: Peer): HttpError {
    this.refused.add(peer);
    const seconds = this.failures.add(peer);
    if (seconds === 0) return refuseUnknown();
    // After the close, the sender needs a new connection for each further try. That costs other clients nothing.
    const detail = `Too many wrong tokens have come from this address; try again in ${seconds} s.`;
    return HttpError.closing(429, detail, `Retry-After: ${seconds}\r\n`);
  }
}
