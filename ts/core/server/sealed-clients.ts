/**
 * The clients whose connections are encrypted. The same bytes mean something else there: the device's address begins
 * with `https`, and a client's key may be its token. A server that listens on https loads this module.
 */

import type { Socket } from "../../native/net.ts";
import type { Access, Sealing } from "../access/access.ts";
import type { KnownToken } from "../access/tokens.ts";
import { Connection } from "./connection.ts";
import type { ConnectionContext } from "./connection-context.ts";

/** What a server gives its encrypted connections. */
export interface SealedParts {
  readonly access: Access | undefined;
  /** Makes a context like that of the other connections, for clients with the same key. */
  readonly contextOf: (sealing: Sealing) => ConnectionContext;
  /** Takes a new connection. */
  readonly add: (connection: Connection) => void;
  /** Closes the connection whose last request is oldest, or the oldest stream, of the sockets for which this holds. */
  readonly makeRoom: (isOne: (socket: Socket) => boolean) => void;
  /** No other connection comes. */
  readonly onClosed: () => void;
}

export class SealedClients {
  private readonly parts: SealedParts;
  /** The context of clients without a known key, and that of each known key. */
  private readonly contexts = new Map<KnownToken | undefined, ConnectionContext>();
  private readonly sockets = new WeakSet<Socket>();
  private addresses = 0;

  constructor(parts: SealedParts) {
    this.parts = parts;
  }

  /** Whether connections may still come: also from an address that is closed, until the last handshake there ends. */
  get areExpected(): boolean {
    return this.addresses > 0;
  }

  /** One more address is listened on. */
  opened(): void {
    this.addresses += 1;
  }

  /** No other connection comes from one of the addresses. */
  closed(): void {
    this.addresses -= 1;
    if (this.addresses === 0) this.parts.onClosed();
  }

  /** Takes a connection after its handshake. @param key SHA-256 of the key that the client has, in hexadecimal. */
  accept(socket: Socket, key: string | undefined): void {
    const { access, contextOf, add } = this.parts;
    const holder = key === undefined ? undefined : access?.holderOf(key);
    const context = this.contexts.get(holder) ?? contextOf({ holder });
    this.contexts.set(holder, context);
    this.sockets.add(socket);
    add(new Connection(context, socket));
  }

  /** Closes one of these connections for another one, or ends a stream if there is no other. */
  makeRoom(): void {
    this.parts.makeRoom((socket) => this.sockets.has(socket));
  }
}
