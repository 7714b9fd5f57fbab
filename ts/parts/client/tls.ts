/** The settings of encrypted connections. This module is loaded by a program that has some. */
import * as connector from "nound:connector";
import { serverAddress } from "../../core/grammar/server-address.ts";
import type { ConnectorTls } from "../../native/connector.ts";
import type { TlsOptions } from "../../native/tls-options.ts";
import { tlsForms } from "./tls-forms.ts";

function check(isRight: boolean, sentence: string): void {
  if (!isRight) throw new TypeError(sentence);
}

/** A server, as the connector is told of it. */
export interface NamedServer {
  readonly target: string;
  /** Undefined if it is not encrypted. */
  readonly sealing?: ConnectorTls | undefined;
  /** Whether it is named as the broker. */
  readonly isBroker?: true;
}

/** @param server as in `serverAddress`. @throws TypeError with a sentence if the settings are malformed. */
export function namedServer(server: string, tls: TlsOptions): NamedServer {
  const { target, isEncrypted } = serverAddress(server);
  const sealing = isEncrypted ? connectorTls(tls) : undefined;
  return { target, sealing };
}

/** @returns the settings as the connector takes them. @throws TypeError naming an option that is malformed. */
function connectorTls(options: TlsOptions): ConnectorTls {
  const { authorities = "", certificate = "", key = "", name = "", alpn = [], keys = [] } = options;
  const { longestPath } = tlsForms;
  for (const path of [authorities, certificate, key]) {
    check(path.length <= longestPath, `A path of a file of TLS has at most ${longestPath} bytes: ${path}`);
  }
  check((certificate === "") === (key === ""), "tls has both certificate and key, or none of them.");
  check(name === "" || tlsForms.hostPattern.test(name), "The name of tls is one of a host, or an address.");
  check(
    alpn.length <= tlsForms.mostProtocols && alpn.every((one) => tlsForms.protocolPattern.test(one)),
    `alpn has at most ${tlsForms.mostProtocols} names of protocols, of printable characters without commas.`,
  );
  check(
    keys.length <= tlsForms.mostKeys && keys.every((one) => tlsForms.hashPattern.test(one)),
    `keys has at most ${tlsForms.mostKeys} SHA-256 hashes, of 64 hexadecimal digits each.`,
  );
  return { authorities, certificate, key, name, alpn: alpn.join(","), keys: keys.join("").toLowerCase() };
}

/** @returns as `Connector.check` does. @throws Error with a sentence if the files of the settings cannot be used. */
export function checkTls(settings: readonly ConnectorTls[]): readonly number[] {
  return connector.check(settings);
}
