/** The URLs that this program connects to: `http://HOST[:PORT][/PATH]`, and the same with https. */

/** Where a request goes. */
export interface HttpUrl {
  /** `HOST:PORT`, or `https://HOST:PORT`. */
  readonly target: string;
  /** The Host field: as written, without the scheme's usual port. */
  readonly host: string;
  /** The request-target: the path with its query. */
  readonly path: string;
}

const usualPorts = { http: 80, https: 443 };

/** The form of such a URL; the range of its port apart. */
export const httpUrlPattern =
  /^(https?):\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?)(?::([0-9]{1,5}))?(\/[!-"$-~]*)?$/;

/** @returns the parts of a URL; undefined if it is none of this form. */
export function parseHttpUrl(url: string): HttpUrl | undefined {
  const [, scheme, host, written, path = "/"] = httpUrlPattern.exec(url) ?? [];
  const isEncrypted = scheme === "https";
  const usual = isEncrypted ? usualPorts.https : usualPorts.http;
  const port = written === undefined ? usual : Number(written);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  const target = `${isEncrypted ? "https://" : ""}${host}:${port}`;
  return { target, host: port === usual ? host : `${host}:${port}`, path };
}
