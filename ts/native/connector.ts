/**
 * The types of the C module `nound:connector`: connections that this program opens. Another process resolves the names
 * and connects, because this one may not. It knows the targets from the start, and is told a number alone.
 */
import type { Socket } from "./net.ts";

/** How connections are encrypted. An empty text stands for a part that is left out. */
export interface ConnectorTls {
  /** Paths of files in PEM, at most 255 bytes each. */
  readonly authorities: string;
  readonly certificate: string;
  readonly key: string;
  /** The host's name to verify and to send; the target's if it is empty. */
  readonly name: string;
  /** Names of protocols, with commas between them; at most 126 bytes. */
  readonly alpn: string;
  /** SHA-256 of accepted keys, in lower-case hexadecimal, one after another; at most 8. */
  readonly keys: string;
}

export interface Connector {
  /**
   * Starts the connector. It gives up all rights but these: to read the files of the resolver, and to connect to the
   * targets. To be called before `restrict` of `nound:privileges` and after `chooseAccount`.
   * @param targets at most 32 of `HOST:PORT`, `[v6]:PORT` or `unix:PATH`.
   * @param onEnd called if it ends before this process; with true if another one will be started within a minute.
   * @param tls for each target, how its connection is encrypted; undefined for one that is not. Undefined for none.
   * @param earliest a date that has passed, in s since 1970, with `tls`.
   * @throws Error with a sentence for people.
   */
  start(
    targets: readonly string[],
    onEnd: (isReplaced: boolean) => void,
    tls?: readonly (ConnectorTls | undefined)[],
    earliest?: number,
  ): void;
  /**
   * Checks the files of settings. Nothing is started.
   * @returns two numbers for each of them, in s since 1970: the end of its own certificate, and the next end of an
   *   authority in the file that it names; 0 for none.
   * @throws Error with a sentence for people.
   */
  check(tls: readonly ConnectorTls[]): readonly number[];
  /**
   * Connects. The addresses of a name are tried in turn.
   * @param target its number among the targets of `start`. It must not be asked for already.
   * @param time ms for the name and all its addresses together; 10 s at most.
   * @param done called once, from the loop: with the connection, which is then the callee's to close, or with the
   *   reason why there is no connection, as the end of a sentence. Set the socket's handler inside; reading begins
   *   after it returns.
   * @throws Error with a sentence if the connector has ended, is asked for this target already, or has eight questions
   *   to answer.
   */
  connect(target: number, time: number, done: (socket: Socket | undefined, reason: string) => void): void;
}
