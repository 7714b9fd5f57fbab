/** The kind `webhook`: what is posted to it is sent to another server. */

import { nounKind } from "../../settings/noun-kind.ts";
import { objectOf, optional } from "../../settings/record.ts";
import {
  absolutePath,
  converted,
  found,
  keyPath,
  Mistakes,
  nonEmptyText,
  refuse,
  type Setting,
  textOf,
  withKeywords,
} from "../../settings/setting.ts";
import { adviceOnToken } from "../client/server-token.ts";
import { tlsSetting } from "../client/tls-setting.ts";
import { type HttpUrl, httpUrlPattern, parseHttpUrl } from "../client/url.ts";
import { type WebhookMethod, webhookMethods } from "./webhook-noun.ts";
import { openWebhook } from "./webhooks.ts";

const expected = "a URL such as http://192.0.2.5:1880/door, or one behind a method: PUT https://alarm.example/door";

/** Where the webhook is, after the method unless that is POST. */
function httpUrl(): Setting<HttpUrl & { readonly method: WebhookMethod }> {
  return converted(
    textOf(new RegExp(`^(?:(?:${webhookMethods.join("|")}) )?(?:${httpUrlPattern.source.slice(1, -1)})$`), expected),
    (text, path) => {
      const [, method, address] = /^(?:([A-Z]+) )?(.*)$/.exec(text) ?? [];
      const url = parseHttpUrl(address ?? "") ?? refuse(text, path, expected);
      return { ...url, method: (method ?? "POST") as WebhookMethod };
    },
  );
}

/** The fields that say where a message ends, and whom it is for. */
const reserved = ["connection", "content-length", "host", "transfer-encoding", "upgrade", "user-agent"];

/** The name of a field (RFC 9110, 5.6.2). */
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;

/** Fields of the request, by their names. */
function headers(): Setting<{ readonly [name: string]: string }> {
  const value = textOf(/^[ -~]*$/, "a text of printable ASCII characters");
  const named = withKeywords(objectOf(value), () => ({ propertyNames: { pattern: headerName.source } }));
  return converted(named, (read, path) => {
    const mistakes = new Mistakes();
    for (const name of Object.keys(read)) {
      if (!headerName.test(name)) {
        mistakes.add(keyPath(path, name), `expected the name of a header, such as Title, found ${found(name)}`);
      } else if (reserved.includes(name.toLowerCase())) {
        mistakes.add(keyPath(path, name), "expected another header, because nound sets this one itself");
      }
    }
    return mistakes.finish(read);
  });
}

export const webhookKind = () =>
  nounKind({
    options: {
      url: httpUrl(),
      headers: optional(headers),
      key: optional(nonEmptyText),
      token: optional(absolutePath),
      tls: optional(tlsSetting),
    },
    verify({ url, headers = {}, key, token }, refuse) {
      if (url.method === "GET" && key !== undefined) refuse(["key"], 'expected nothing with "GET", which has no body');
      const credential = Object.keys(headers).find((name) => name.toLowerCase() === "authorization");
      if (credential !== undefined && token !== undefined) {
        refuse(["headers", credential], 'expected nothing together with "token", which is sent so');
      }
    },
    build: ({ url: { method, ...url }, headers, key, token, tls }, { name }) =>
      openWebhook(name, { url, method, headers, text: key, token, tls }),
    advise: ({ url, token }, name, note) => adviceOnToken(`webhook ${name}`, token, url.target, "server", note),
  });
