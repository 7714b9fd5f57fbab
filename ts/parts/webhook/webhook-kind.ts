/** The kind `webhook`: what is posted to it is sent to another server. */

import { nounKind } from "../../settings/noun-kind.ts";
import { optional } from "../../settings/record.ts";
import { absolutePath, converted, refuse, type Setting, textOf } from "../../settings/setting.ts";
import { adviceOnToken } from "../client/server-token.ts";
import { tlsSetting } from "../client/tls-setting.ts";
import { type HttpUrl, httpUrlPattern, parseHttpUrl } from "../client/url.ts";
import { openWebhook } from "./webhooks.ts";

const expected = "a URL such as http://192.0.2.5:1880/door or https://alarm.example/door";

/** Where the webhook is. */
function httpUrl(): Setting<HttpUrl> {
  return converted(
    textOf(httpUrlPattern, expected),
    (text, path) => parseHttpUrl(text) ?? refuse(text, path, expected),
  );
}

export const webhookKind = () =>
  nounKind({
    options: { url: httpUrl(), token: optional(absolutePath), tls: optional(tlsSetting) },
    build: (options, { name }) => openWebhook(name, options),
    advise: ({ url, token }, name, note) => adviceOnToken(`webhook ${name}`, token, url.target, "server", note),
  });
