/** The addresses of servers that this program connects to: what is connected to, and whether that is encrypted. */

/** What a server's address names. */
export interface ServerAddress {
  /** `HOST:PORT`, `[v6]:PORT` or `unix:PATH`. */
  readonly target: string;
  readonly isEncrypted: boolean;
}

const usualPortOf: Readonly<Record<string, number>> = { http: 80, https: 443, mqtt: 1883, mqtts: 8883 };

/** @param address `HOST:PORT`, or `HOST[:PORT]` behind `https://`, `http://`, `mqtts://` or `mqtt://`. */
export function serverAddress(address: string): ServerAddress {
  const [, scheme = "", host = address] = /^([a-z]+):\/\/(.*)$/.exec(address) ?? [];
  const port = usualPortOf[scheme];
  const target = port === undefined || /:[0-9]+$/.test(host) ? host : `${host}:${port}`;
  return { target, isEncrypted: scheme.endsWith("s") };
}

/** @returns whether what is sent to an address stays in this device, or is encrypted. */
export function isPrivateAddress(address: string): boolean {
  const { target, isEncrypted } = serverAddress(address);
  return isEncrypted || /^(?:unix:|127\.|\[::1\]:|localhost:)/.test(target);
}
