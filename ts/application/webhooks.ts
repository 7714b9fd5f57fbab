/** The webhooks of a server. This module is loaded by a program that has some. */
import * as connector from "nound:connector";
import type { HttpUrl } from "../client/url.ts";
import { WebhookNoun } from "../client/webhook-noun.ts";
import { numberOf } from "./connections.ts";
import { loop, system } from "./platform.ts";

/** Bytes of a file with a token: people write a line. */
const tokenFileBytes = 4_096;

/** RFC 6750, 2.1. */
const tokenPattern = /^[A-Za-z0-9._~+/-]+=*$/;

/** @throws Error with a sentence if the file cannot be trusted, or holds no token. */
function readToken(path: string): string {
  const token = system.readTextFile(path, tokenFileBytes, "always").replace(/\r?\n$/, "");
  if (!tokenPattern.test(token)) throw new Error(`${path} has no token: one line of A-Z a-z 0-9 . _ ~ + / - =`);
  return token;
}

/**
 * Names the webhook's server to the connector.
 * @param tokenFile the path of a file; undefined for none.
 * @throws Error with a sentence.
 */
export function openWebhook(
  url: HttpUrl,
  tokenFile: string | undefined,
  report: (description: string) => void,
): WebhookNoun {
  const token = tokenFile === undefined ? undefined : readToken(tokenFile);
  const context = { clock: loop, connector, agent: `nound/${system.version}`, report };
  return new WebhookNoun(context, { url, target: numberOf(url.target), token });
}
