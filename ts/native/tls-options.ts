/** How the program encrypts its connections to other servers. */

/**
 * TLS of connections to other servers: `https://`, `mqtts://`. The server's certificate is always verified: its chain,
 * name, dates and usage.
 *
 * @example
 * const tls: TlsOptions = { authorities: "/etc/my-device/authority.pem" };
 * restrict({ connect: ["https://192.0.2.10:8443"], tls });
 */
export interface TlsOptions {
  /**
   * The path of a file with the certificates of authorities, in PEM. If left out, that of the system:
   * `/etc/ssl/certs/ca-certificates.crt` or `/etc/ssl/cert.pem`.
   */
  readonly authorities?: string;
  /** The path of a file with the device's own certificate, and those between it and its authority, in PEM. */
  readonly certificate?: string;
  /** The path of a file with the key of `certificate`, in PEM. */
  readonly key?: string;
  /** The name that the server's certificate must have, and that is sent to the server. The address's if left out. */
  readonly name?: string;
  /** Names of protocols that are offered to the server (ALPN), such as `x-amzn-mqtt-ca`. */
  readonly alpn?: readonly string[];
  /**
   * SHA-256 of the public keys that a server may have, in hexadecimal. They are accepted instead of `authorities`. Name
   * two, so that one can be replaced.
   */
  readonly keys?: readonly string[];
}
