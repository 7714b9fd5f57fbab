/**
 * The clients whose connections are encrypted. Their requests are read apart from those of the others, because the same
 * bytes mean something else there: the device's address begins with `https`, and a client's key may be its token. This
 * module is loaded by a server that listens on https.
 */
import type { KnownToken } from "../access/tokens.ts";
import type { Socket } from "../native/net.ts";
import { Connection } from "./connection.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { HeadMemory } from "./head-memory.ts";
import { Service, type ServiceParts } from "./service.ts";

/** What a server gives its encrypted connections. */
export interface SealedParts {
  /** That of its other connections, of which these count some things together. */
  readonly context: ConnectionContext;
  readonly service: ServiceParts;
  /** Takes a new connection. */
  readonly add: (connection: Connection) => void;
  /** Closes the connection whose last request is oldest, or the oldest stream, of the sockets for which this holds. */
  readonly makeRoom: (isOne: (socket: Socket) => boolean) => void;
}

export class SealedClients {
  private readonly parts: SealedParts;
  /** The context of clients without a known key, and that of each known key. */
  private readonly contexts = new Map<KnownToken | undefined, ConnectionContext & { readonly heads: HeadMemory }>();
  private readonly sockets = new WeakSet<Socket>();

  constructor(parts: SealedParts) {
    this.parts = parts;
  }

  /** Takes a connection after its handshake. @param key SHA-256 of the key that the client has, in hexadecimal. */
  accept(socket: Socket, key: string | undefined): void {
    const holder = key === undefined ? undefined : this.parts.service.access?.holderOf(key);
    this.sockets.add(socket);
    this.parts.add(new Connection(this.contextOf(holder), socket));
  }

  /** Closes one of these connections for another one, or ends a stream if there is no other. */
  makeRoom(): void {
    this.parts.makeRoom((socket) => this.sockets.has(socket));
  }

  /** Forgets the requests that were read: nouns or tokens are others. */
  forget(): void {
    for (const { heads } of this.contexts.values()) heads.forget();
  }

  private contextOf(holder: KnownToken | undefined): ConnectionContext {
    const known = this.contexts.get(holder);
    if (known !== undefined) return known;
    const { context, service } = this.parts;
    const heads = new HeadMemory(context.limits.headerBytes, service.access?.requestHash);
    const own = { ...context, heads, service: new Service({ ...service, sealing: { holder } }) };
    this.contexts.set(holder, own);
    return own;
  }
}
