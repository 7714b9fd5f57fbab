/** The URLs that this program connects to: `http://HOST[:PORT][/PATH]`. */

/** Where a request goes. */
export interface HttpUrl {
  /** `HOST:PORT`, for the connector. */
  readonly target: string;
  /** The Host field: as written, without the port of HTTP. */
  readonly host: string;
  /** The request-target: the path with its query. */
  readonly path: string;
}

const usualPort = 80;

/** The form of such a URL; the range of its port apart. */
export const httpUrlPattern =
  /^http:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?)(?::([0-9]{1,5}))?(\/[!-"$-~]*)?$/;

/** @returns the parts of a URL; undefined if it is none of this form. */
export function parseHttpUrl(url: string): HttpUrl | undefined {
  const [, host, port = String(usualPort), path = "/"] = httpUrlPattern.exec(url) ?? [];
  const number = Number(port);
  if (host === undefined || number < 1 || number > 65_535) return undefined;
  return { target: `${host}:${number}`, host: number === usualPort ? host : `${host}:${number}`, path };
}

/** @returns whether what is sent to an address stays in this device. */
export function isLocalAddress(address: string): boolean {
  return /^(?:unix:|127\.|\[::1\]:|localhost:)/.test(address);
}
