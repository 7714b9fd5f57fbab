/** The webhooks of a server. This module is loaded by a program that has some. */

import type { HttpUrl } from "../client/url.ts";
import { WebhookNoun } from "../client/webhook-noun.ts";
import { isPrivateAddress } from "../grammar/server-address.ts";
import type { TlsOptions } from "../native/tls-options.ts";
import { connect, numberOf } from "./connections.ts";
import { logFailure } from "./log.ts";
import { loop, system } from "./platform.ts";
import { isSame } from "./read-text.ts";

/** What a configuration says about a webhook. */
export interface ConfiguredWebhook {
  readonly url: HttpUrl;
  /** The path of a file; undefined for none. */
  readonly token?: string | undefined;
  /** TLS of its own; undefined for that of all. */
  readonly tls?: TlsOptions | undefined;
}

/** Bytes of a file with a token: people write a line. */
const tokenFileBytes = 4_096;

/** RFC 6750, 2.1. */
const tokenPattern = /^[A-Za-z0-9._~+/-]+=*$/;

/** @throws Error with a sentence if the file cannot be trusted, or holds no token. */
export function readToken(path: string): string {
  const token = system.readTextFile(path, tokenFileBytes, "always").replace(/\r?\n$/, "");
  if (!tokenPattern.test(token)) throw new Error(`${path} has no token: one line of A-Z a-z 0-9 . _ ~ + / - =`);
  return token;
}

/** Names the webhook's server to the connector. @throws Error with a sentence. */
export function openWebhook(name: string, { url, token: path, tls }: ConfiguredWebhook): WebhookNoun {
  const token = path === undefined ? undefined : readToken(path);
  if (token !== undefined) isSame(`webhook ${name}`, token);
  const report = (description: string) => logFailure(name, description);
  const context = { clock: loop, connector: { connect }, agent: `nound/${system.version}`, report };
  return new WebhookNoun(context, { url, target: numberOf(url.target, tls), token });
}

/**
 * @param note as in `NounPlan.advise`.
 * @returns what a person should know about the webhook; undefined if all is well.
 * @throws Error with a sentence if its token cannot be used.
 */
export function adviceOnWebhook(
  name: string,
  { url, token: path }: ConfiguredWebhook,
  note: (file: string, text: string) => void,
): string | undefined {
  if (path === undefined) return undefined;
  note(`webhook ${name}`, readToken(path));
  if (isPrivateAddress(url.target)) return undefined;
  return `the token for ${url.target} leaves this device unencrypted: write https:// if the server has TLS`;
}
