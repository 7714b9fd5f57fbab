/** The webhooks of a server. This module is loaded by a program that has some. */

import type { TlsOptions } from "../../native/tls-options.ts";
import { logFailure } from "../../platform/log.ts";
import { loop, system } from "../../platform/platform.ts";
import { connect, numberOf } from "../client/connections.ts";
import { takeToken } from "../client/server-token.ts";
import { WebhookNoun, type WebhookOptions } from "./webhook-noun.ts";

/** What a configuration says about a webhook. */
export interface ConfiguredWebhook extends Pick<WebhookOptions, "url" | "method" | "headers" | "text"> {
  /** The path of a file; undefined for none. */
  readonly token?: string | undefined;
  /** TLS of its own; undefined for that of all. */
  readonly tls?: TlsOptions | undefined;
}

/** Names the webhook's server to the connector. @throws Error with a sentence. */
export function openWebhook(name: string, { token: path, tls, ...options }: ConfiguredWebhook): WebhookNoun {
  const token = takeToken(`webhook ${name}`, path);
  const report = (description: string) => logFailure(name, description);
  const context = { clock: loop, connector: { connect }, agent: `nound/${system.version}`, report };
  return new WebhookNoun(context, { ...options, target: numberOf(options.url.target, tls), token });
}
