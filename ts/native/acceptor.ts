/**
 * The types of the C module `nound:acceptor`: encrypted connections that clients open. Another process has the
 * listening sockets, the certificate and its key. It forks a process for each connection, which does the handshake and
 * copies, unless the kernel encrypts.
 */
import type { Socket } from "./net.ts";

/** The certificate of the acceptor, and its bounds. An empty text stands for a part that is left out. */
export interface AcceptorSettings {
  /** Paths of files in PEM, at most 255 bytes each; both are empty for a certificate that the acceptor makes itself. */
  readonly certificate: string;
  readonly key: string;
  /** The folder that keeps a certificate of its own. */
  readonly folder: string;
  /** Hosts and addresses of a certificate of its own, with commas between them; at most 4,094 bytes. */
  readonly names: string;
  /** Connections at once; 256 at most. */
  readonly most: number;
  /** 1: clients are asked for a certificate; otherwise 0. */
  readonly asks: 0 | 1;
  /** 1: a handshake that fails is reported; otherwise 0. */
  readonly tells: 0 | 1;
}

/** The certificate in use. */
export interface AcceptorCertificate {
  /** SHA-256 of the certificate, in lower-case hexadecimal. */
  readonly certificate: string;
  /** SHA-256 of its public key (SPKI). */
  readonly key: string;
  /** Whether the acceptor has made it just now. */
  readonly isNew: boolean;
  /** The end of its validity, in s since 1970. */
  readonly end: number;
}

/** What the acceptor reports, each call from the loop. */
export interface AcceptorHandler {
  /**
   * A connection after its handshake. It is the callee's to close; its handler is to be set before this returns.
   * @param listener the number of the address, from 0 in the order of `listen`.
   * @param key SHA-256 of the public key that the client has proved to have, in lower-case hexadecimal.
   */
  onConnection(listener: number, socket: Socket, key: string | undefined): void;
  /** The handshake of a client has failed. @param from the client. @param reason for people, without a full stop. */
  onRefusal(from: string, reason: string): void;
  /** A client waits, and all connections are taken. */
  onFull(): void;
  /** A new certificate is due, which another acceptor makes. It is said again each hour. */
  onDue(): void;
  /** No other connection comes from an address that was closed. */
  onClosed(listener: number): void;
  /** The acceptor has ended: no other connection will come. It ends by itself once all addresses are closed. */
  onEnd(): void;
}

export interface Acceptor {
  /**
   * Starts the acceptor. It reads the certificate, or makes it, and gives up its rights. To be called once, before
   * `restrict` of `nound:privileges` and after `chooseAccount`.
   * @throws Error with a sentence for people.
   */
  start(settings: AcceptorSettings, handler: AcceptorHandler): AcceptorCertificate;
  /** Reads the certificate, and starts nothing. @throws Error with a sentence for people. */
  inspect(settings: AcceptorSettings): AcceptorCertificate;
  /**
   * Has it accept connections on `ADDRESS:PORT` or `[v6]:PORT`.
   * @returns the address as bound.
   * @throws Error with a sentence for people.
   */
  listen(address: string): string;
  /**
   * Closes the address of a number. At a reload, handshakes that are under way go on; `onClosed` comes after the last
   * one.
   * @throws Error with a sentence if the acceptor cannot be told.
   */
  close(listener: number): void;
  /** Sets whether clients are asked for a certificate. @throws as `close`. */
  ask(asks: boolean): void;
  /** @throws Error with a sentence for people if this program was built without TLS. */
  confirm(): void;
}
