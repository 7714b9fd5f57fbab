/**
 * The types of the C module `nound:net`: stream sockets on the event loop.
 *
 * C moves the bytes and interprets none of them. Received bytes are a string with one character a byte (0x00 to 0xFF).
 * Sent text is a string, and leaves in UTF-8. Nothing here blocks.
 */

/** What a socket reports, each call from the loop. A handler may call any method of its socket, also `close`. */
export interface SocketHandler {
  /** Bytes that arrived, one character a byte; at most `mostRead`, never empty. */
  onBytes(bytes: string): void;
  /** The peer will send nothing more (FIN). The socket can still be written. Called at most once. */
  onEnd(): void;
  /** The kernel did not accept all of a text of `writeSoon`: so many bytes wait now. `onDrain` follows. */
  onBlocked?(bytes: number): void;
  /** The kernel has accepted everything that waited after a `write` returned false, or since `onBlocked`. */
  onDrain(): void;
  /**
   * The connection broke: the peer reset it, or the kernel dropped it. The socket is already closed, and this is the
   * last call.
   */
  onGone(): void;
}

/** An accepted connection. */
export interface Socket {
  /** The peer for a log line: `192.0.2.7:51234`, `[2001:db8::7]:51234`, or `unix`. */
  readonly peer: string;
  /** The receiver of events. Set it inside the accept callback; reading begins after that callback returns. */
  handler: SocketHandler | null;
  /**
   * Sends text as UTF-8. The socket keeps what the kernel does not accept at once, and sends it later.
   * @returns true when nothing waits; false when bytes wait, and `onDrain` will follow. True, without effect, on a
   * closed socket.
   */
  write(text: string): boolean;
  /** Like `write`, of bytes: one character for each, from 0x00 to 0xFF. @throws RangeError for another character. */
  writeBytes(bytes: string): boolean;
  /**
   * Like `write`. A short text may leave at the end of the turn of the loop only: to send the answers of a turn one
   * after the other takes less time than to send each by itself.
   * @returns true when nothing waits, or when the text is sent at the end of the turn; should the kernel not accept it
   *   then, `onBlocked` follows.
   */
  writeSoon(text: string): boolean;
  /**
   * Like `write` and then `finish`: the text and FIN leave in one packet if possible.
   * @param bytes sent as they are, behind the text.
   */
  writeLast(text: string, bytes?: ArrayBuffer): boolean;
  /**
   * Stops or restarts reading. While reading is stopped, TCP's window stops the peer. An RST of the peer is still
   * noticed.
   */
  setReading(on: boolean): void;
  /**
   * Prepares for a connection that is silent for long: a vanished peer is noticed within 30 s (`onGone`), and the
   * kernel buffers little that the peer does not read.
   */
  setLongLived(): void;
  /**
   * Sends FIN once the waiting bytes have been sent. Reading goes on, so that the caller can close with a delay (RFC
   * 9112, 9.6).
   */
  finish(): void;
  /** Closes at once and discards what was not sent. No event follows. Calling it again has no effect. */
  close(): void;
}

/** An open listening socket. */
export interface Listener {
  /**
   * As bound; for port 0, with the port that the kernel chose: `127.0.0.1:8080`, `[::1]:8080`, `unix:/run/nound.sock`.
   */
  readonly address: string;
  /** Stops accepting and closes; a Unix socket's path is removed. Calling it again has no effect. */
  close(): void;
}

export interface Net {
  /** The largest number of bytes passed to a handler at once. */
  readonly mostRead: number;
  /**
   * Listens on `ADDRESS:PORT`, `[v6]:PORT` (numeric addresses; port 0 lets the kernel choose) or `unix:PATH`, behind
   * which `,mode=0660` and `,group=NAME` may stand. Without a mode, a Unix socket is its user's alone (0600).
   * A stale Unix socket that nobody answers on is replaced; a live one, or another kind of file, is refused.
   * @param onAccept called once for each connection, which is then the callee's to close.
   * @throws Error with a sentence for people: what was asked for and what is wrong with it.
   */
  listen(address: string, onAccept: (socket: Socket) => void): Listener;
  /**
   * Sends the same text, as UTF-8, on each socket that has no waiting bytes.
   * @returns the indices of the sockets on which bytes wait now; `onDrain` of each will follow. Those on which bytes
   *   waited before have not been given the text.
   * @throws TypeError where something else than a socket is in the list; InternalError without memory for the text.
   *   Nothing has been sent then. A socket for which there is no memory later breaks, as after `write`.
   */
  broadcast(text: string, sockets: readonly Socket[]): readonly number[];
}
