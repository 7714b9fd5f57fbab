/** The kind `mirror`: another device's noun, as if it were here. */

import { nounKind } from "../../settings/noun-kind.ts";
import { optional } from "../../settings/record.ts";
import { absolutePath, converted, integer, refuse, type Setting, textOf } from "../../settings/setting.ts";
import { adviceOnToken } from "../client/server-token.ts";
import { tlsSetting } from "../client/tls-setting.ts";
import { httpUrlPattern, parseHttpUrl } from "../client/url.ts";
import { mirroredNoun, openMirror } from "./mirrors.ts";

const expected = "the URL of another device's noun, such as https://porch.local:8443/bell";

/** The URL of a noun. */
function nounUrl(): Setting<string> {
  return converted(textOf(httpUrlPattern, expected), (text, path) => {
    const url = parseHttpUrl(text);
    return url === undefined || mirroredNoun(url) === undefined ? refuse(text, path, expected) : text;
  });
}

export const mirrorKind = () =>
  nounKind({
    options: {
      url: nounUrl(),
      token: optional(absolutePath),
      tls: optional(tlsSetting),
      keepAlive: optional(() => integer({ minimum: 100, maximum: 86_400_000 })),
    },
    hasShapeOfDevice: () => true,
    verify(options, refuseOption) {
      const { keys } = options as { keys?: object };
      if (keys === undefined) return;
      refuseOption(["keys" as "url"], "expected nothing: the other device describes the keys");
    },
    build: (options) => openMirror(options),
    advise: ({ url, token }, _name, note) =>
      adviceOnToken(`mirror ${url}`, token, parseHttpUrl(url)?.target ?? "", "other device", note),
  });
