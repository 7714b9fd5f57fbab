/** The kind `webhook`: what is posted to it is sent to another server. */
import { adviceOnWebhook, openWebhook } from "../../application/webhooks.ts";
import { type HttpUrl, httpUrlPattern, parseHttpUrl } from "../../client/url.ts";
import { nounKind } from "../noun-kind.ts";
import { optional } from "../record.ts";
import { absolutePath, found, mistake, type Setting, textOf } from "../setting.ts";

const expected = "a URL such as http://192.0.2.5:1880/door; for https, a proxy on this device";

/** Where the webhook is. */
function httpUrl(): Setting<HttpUrl> {
  const text = textOf(httpUrlPattern, expected);
  return {
    ...text,
    read(value, path) {
      const url = parseHttpUrl(text.read(value, path));
      if (url === undefined) throw mistake(path, `expected ${expected}, found ${found(value)}`);
      return url;
    },
  };
}

export const webhookKind = () =>
  nounKind({
    options: { url: httpUrl(), token: optional(absolutePath) },
    build: (options, { name }) => openWebhook(name, options),
    advise: (options, name, note) => adviceOnWebhook(name, options, note),
  });
