/** The settings of access: the token file, the allowed hosts and the allowed origins. */
import { isOrigin } from "../../core/access/cross-origin.ts";
import { isListedHost } from "../../core/http/host.ts";
import { oneOrMore, optional, record, withDefault } from "../../settings/record.ts";
import { absolutePath, boolean, textThat } from "../../settings/setting.ts";

/** Access: the tokens, hosts and origins of the configuration. `tokens` is the path of the token file. */
export type AccessPlan = ReturnType<ReturnType<typeof accessPlan>["read"]>;

const host = () =>
  textThat(isListedHost, "a host such as hall.example, 192.0.2.7 or [2001:db8::7]:8080", /^[^\s/@,*]+$/);

const origin = () =>
  textThat(
    isOrigin,
    "an origin as browsers write it, such as https://panel.example or http://a:3000",
    /^[a-z][a-z0-9+.-]*:\/\/[^A-Z/?#\s]+$/,
  );

export const accessPlan = () =>
  record({
    tokens: optional(absolutePath),
    required: optional(boolean),
    pairs: withDefault(boolean, false),
    hosts: optional(() => oneOrMore(host())),
    origins: optional(() => oneOrMore(origin())),
  });
