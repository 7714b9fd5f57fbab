/** The settings of encrypted connections to other servers. */

import type { TlsOptions } from "../../native/tls-options.ts";
import { listOfAtMost, optional, record } from "../../settings/record.ts";
import { absolutePath, checked, converted, refuse, type Setting, textOf } from "../../settings/setting.ts";
import { tlsForms } from "./tls-forms.ts";

/** A certificate has its key in another file. */
export function bothOrNone<T extends { readonly certificate?: string; readonly key?: string }>(
  settings: Setting<T>,
): Setting<T> {
  return checked(settings, ({ certificate, key }, path, value) => {
    if ((certificate === undefined) !== (key === undefined)) refuse(value, path, "both certificate and key, or none");
  });
}

export function tlsSetting(): Setting<TlsOptions> {
  const { hostPattern, protocolPattern, hashPattern, mostProtocols, mostKeys } = tlsForms;
  const setting = bothOrNone(
    record({
      authorities: optional(absolutePath),
      certificate: optional(absolutePath),
      key: optional(absolutePath),
      server: optional(() => textOf(hostPattern, "a host's name or address, such as broker.example")),
      alpn: optional(() =>
        listOfAtMost(mostProtocols, "protocols", textOf(protocolPattern, "a protocol such as x-amzn-mqtt-ca")),
      ),
      keys: optional(() =>
        listOfAtMost(mostKeys, "keys", textOf(hashPattern, "the SHA-256 of a public key, as 64 hexadecimal digits")),
      ),
    }),
  );
  return converted(setting, ({ server, ...rest }) => ({ ...rest, ...(server !== undefined && { name: server }) }));
}
