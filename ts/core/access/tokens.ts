/**
 * The tokens of a server and what each of them allows. The server keeps only the SHA-256 of a token. A slow hash, as
 * for passwords, would gain nothing: a token is random and long, so nobody can try all of them.
 */
import type { Verb } from "../noun/verb.ts";
import type { Scope } from "./admission.ts";
import { Grant } from "./grant.ts";

/**
 * The rights of one token. Entries with the same name and hash add up: the token allows what any of them allows.
 *
 * @example
 * const token: Token = { name: "panel", sha256: environment("PANEL_SHA256") ?? "", verbs: ["GET"], nouns: ["*"] };
 * const server = new Server({ access: { tokens: [token] } });
 */
export interface Token {
  /** For people and the debug log: 1 to 64 of `a-z A-Z 0-9 . _ ~ -`. */
  readonly name: string;
  /**
   * The token's SHA-256: 64 hexadecimal digits. Or `key:` and the SHA-256 of a client's public key (SPKI): a client on
   * an encrypted connection that proves to have this key has the token.
   */
  readonly sha256: string;
  /** The methods that it allows. */
  readonly verbs: readonly Verb[];
  /** Names of nouns. A `*` at the end of a name, or alone, matches any text. */
  readonly nouns: readonly string[];
}

/** Random bytes of a token that nound makes: 160 bits. */
export const tokenBytes = 20;

/**
 * @returns whether a text has the length of a token, 32 to 128 characters: few passwords are
 *   that long, and a longer text need not be hashed.
 */
export function isOfTokenLength(text: string): boolean {
  return text.length >= 32 && text.length <= 128;
}

const hashPattern = /^(key:)?([0-9A-Fa-f]{64})$/;
const namePattern = /^[A-Za-z0-9._~-]{1,64}$/;

export function isTokenName(text: string): boolean {
  return namePattern.test(text);
}

/** A known token, with everything that it allows. */
export class KnownToken {
  readonly name: string;
  readonly hash: Int32Array;
  /** Whether the hash is one of a client's public key. */
  readonly isKey: boolean;
  grants: Grant[] = [];

  constructor(name: string, hash: Int32Array, isKey: boolean) {
    this.name = name;
    this.hash = hash;
    this.isKey = isKey;
  }

  /** Allows what another one does from now on, or nothing more: it has been withdrawn. */
  become(other: KnownToken | undefined): void {
    this.grants = other?.grants ?? [];
  }

  allows(method: string, noun: string): boolean {
    return this.grants.some((grant) => grant.allows(method, noun));
  }
}

/** @returns a hash as eight words of 32 bits. */
function wordsOf(hash: string): Int32Array {
  const words = new Int32Array(8);
  for (let word = 0; word < 8; word++) words[word] = Number.parseInt(hash.slice(8 * word, 8 * word + 8), 16);
  return words;
}

export class Tokens {
  private known: KnownToken[] = [];

  /** @throws TypeError naming the token that is malformed, or two of one name with different hashes. */
  constructor(tokens: readonly Token[]) {
    for (const token of tokens) this.add(token);
  }

  /** @throws TypeError saying what is malformed, or that another of this name has another hash. */
  add({ name, sha256, verbs, nouns }: Token): void {
    if (!isTokenName(name)) {
      throw new TypeError(
        `A token's name has 1 to 64 characters of a-z A-Z 0-9 . _ ~ -; ${JSON.stringify(name)} is not such a name.`,
      );
    }
    const [, key, hash = ""] = hashPattern.exec(sha256) ?? [];
    if (hash === "") throw new TypeError(`The sha256 of the token ${name} must be 64 hexadecimal digits.`);
    const grant = new Grant(`The token ${name}`, verbs, nouns);
    this.take(name, wordsOf(hash), key !== undefined).grants.push(grant);
  }

  /**
   * @param hash the SHA-256 of the text that was sent, 64 hexadecimal digits.
   * @returns the token; undefined for an unknown one. Takes equally long for both.
   */
  find(hash: string): KnownToken | undefined {
    return this.withHash(wordsOf(hash), false);
  }

  /** @param hash the SHA-256 of a client's public key. @returns the token of this key; undefined for an unknown one. */
  findKey(hash: string): KnownToken | undefined {
    return this.withHash(wordsOf(hash), true);
  }

  /** Whether a token has a client's key in place of a secret. */
  get haveKeys(): boolean {
    return this.known.some(({ isKey }) => isKey);
  }

  /** @returns whether it is one of these tokens. */
  has(token: Scope): boolean {
    return this.known.some((known) => known === token);
  }

  /** Takes the place of these tokens. Those who hold one of these ask the same object what it allows now. */
  replaceBy(others: Tokens): void {
    const known = others.known.map((other) => {
      const own = this.withHash(other.hash, other.isKey);
      return own?.name === other.name ? own : other;
    });
    for (const token of this.known)
      token.become(known.includes(token) ? others.withHash(token.hash, token.isKey) : undefined);
    this.known = known;
  }

  /** Compares every hash completely, so that the time does not show where they differ. */
  private withHash(hash: Int32Array, isKey: boolean): KnownToken | undefined {
    let found: KnownToken | undefined;
    for (const token of this.known) {
      let difference = 0;
      for (let word = 0; word < 8; word++) difference |= (token.hash[word] as number) ^ (hash[word] as number);
      found = difference === 0 && token.isKey === isKey ? token : found;
    }
    return found;
  }

  private take(name: string, hash: Int32Array, isKey: boolean): KnownToken {
    const known = this.withHash(hash, isKey);
    if (known !== undefined && known.name !== name) {
      throw new TypeError(`The tokens ${known.name} and ${name} have the same hash; each token has one name.`);
    }
    if (known !== undefined) return known;
    if (this.known.some((other) => other.name === name)) {
      throw new TypeError(`The token ${name} occurs twice with different hashes; give each token its own name.`);
    }
    const token = new KnownToken(name, hash, isKey);
    this.known.push(token);
    return token;
  }
}
