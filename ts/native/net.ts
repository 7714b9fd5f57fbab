/**
 * The types of the C module `nound:net`: stream sockets on the event loop.
 *
 * C moves the bytes and looks at none of them. Bytes come up as a string with one character a byte (0x00 to 0xFF);
 * text goes down as a string and leaves as its UTF-8 encoding. Nothing here blocks.
 */

/** What a socket reports, each call from the loop. A handler may call any method of its socket at any time, `close` included. */
export interface SocketHandler {
  /** Bytes that arrived, one character a byte; at most `mostRead`, never empty. */
  onBytes(bytes: string): void;
  /** The peer will send nothing more (FIN). The socket can still be written. Called at most once. */
  onEnd(): void;
  /** Everything that waited after a `write` that returned false has been taken by the kernel. */
  onDrain(): void;
  /**
   * The connection broke under us: reset by the peer, or the kernel gave up on it. The socket is closed already and this
   * is the last call.
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
   * Sends text as UTF-8. What the kernel does not take at once is kept and sent as it takes it.
   * @returns true when nothing waits; false when bytes wait, and `onDrain` will follow. True, without effect, on a closed socket.
   */
  write(text: string): boolean;
  /**
   * As `write`, and then as `finish`: the text and FIN leave in one packet where they can.
   * @param bytes sent as they are, behind the text.
   */
  writeLast(text: string, bytes?: ArrayBuffer): boolean;
  /** Stops or restarts reading. While stopped, the peer is held back by TCP's own window; its vanishing (RST) is still seen. */
  setReading(on: boolean): void;
  /**
   * Prepares for a connection that is silent for long: a peer that has vanished is found out within 30 s (`onGone`), and the kernel
   * keeps little of what the peer does not take.
   */
  setLongLived(): void;
  /** Sends FIN once what waits has been sent. Reading goes on, so that a lingering close (RFC 9112, 9.6) can be made of it. */
  finish(): void;
  /** Closes at once and discards what was not sent. No event follows. Calling it again has no effect. */
  close(): void;
}

/** An open listening socket. */
export interface Listener {
  /** As bound, with the port the kernel chose where 0 was asked for: `127.0.0.1:8080`, `[::1]:8080`, `unix:/run/nound.sock`. */
  readonly address: string;
  /** Stops accepting and closes; a Unix socket's path is removed. Calling it again has no effect. */
  close(): void;
}

/** The functions of `nound:net`. */
export interface Net {
  /** Bytes that are handed up at once at most. */
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
   * Sends the same text, as UTF-8, on each socket on which nothing waits.
   * @returns the indices of the sockets on which bytes wait now; `onDrain` of each will follow. Those on which bytes waited before have not
   *   been given the text.
   * @throws TypeError where something else than a socket is in the list; InternalError without memory for the text. Nothing has been sent
   *   then. A socket for which there is no memory later breaks, as after `write`.
   */
  broadcast(text: string, sockets: readonly Socket[]): readonly number[];
}
