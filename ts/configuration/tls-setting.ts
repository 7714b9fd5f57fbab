/** The setting of encrypted connections to other servers. */
import { tlsForms } from "../client/tls-forms.ts";
import type { TlsOptions } from "../native/tls-options.ts";
import { listOf, optional, record } from "./record.ts";
import { absolutePath, checked, refuse, type Setting, textOf } from "./setting.ts";

function listOfAtMost(most: number, what: string, one: Setting<string>): Setting<readonly string[]> {
  const list = listOf(one);
  const bounded = checked(list, (read, path, value) => {
    if (read.length > most) refuse(value, path, `at most ${most} ${what}`);
  });
  return { ...bounded, schema: () => ({ ...list.schema(), maxItems: most }) };
}

export function tlsSetting(): Setting<TlsOptions> {
  const { hostPattern, protocolPattern, hashPattern, mostProtocols, mostKeys } = tlsForms;
  const settings = record({
    authorities: optional(absolutePath),
    certificate: optional(absolutePath),
    key: optional(absolutePath),
    name: optional(() => textOf(hostPattern, "a host's name or address, such as broker.example")),
    alpn: optional(() =>
      listOfAtMost(mostProtocols, "protocols", textOf(protocolPattern, "a protocol such as x-amzn-mqtt-ca")),
    ),
    keys: optional(() =>
      listOfAtMost(mostKeys, "keys", textOf(hashPattern, "the SHA-256 of a public key, as 64 hexadecimal digits")),
    ),
  });
  return checked(settings, ({ certificate, key }, path, value) => {
    if ((certificate === undefined) !== (key === undefined)) refuse(value, path, "both certificate and key, or none");
  });
}
