/**
 * The connections of a server, and which of them is closed if there are too many or they hold too much.
 *
 * At the limit, a new connection is accepted, and the connection whose last complete request is oldest is closed. So
 * slow clients, silent clients and clients that read no answers do not block a client that sends its request at once.
 * nginx does the same with its idle connections.
 */

import type { Socket } from "../../native/net.ts";
import type { Deadlines } from "../time/deadlines.ts";
import type { Connection } from "./connection.ts";

/** Bytes from which a connection may be closed to free them: more than an ordinary request and its answer. */
const worthClosing = 8_192;

export class Connections {
  private readonly most: number;
  /** These know all connections, so there is no second set of them. */
  private readonly deadlines: Deadlines<Connection>;
  /** New connections that are closing with a 503, oldest first; undefined before the first one. */
  private refused: Set<Connection> | undefined;

  /** @param most the largest number of connections at once. @param deadlines those of these connections. */
  constructor(most: number, deadlines: Deadlines<Connection>) {
    this.most = most;
    this.deadlines = deadlines;
  }

  /** The number of connections, including those that are refused. */
  get size(): number {
    return this.deadlines.members.size;
  }

  /** The connection whose request is being performed at this moment. */
  get serving(): Connection | undefined {
    return Array.from(this.deadlines.members).find(({ isAdvancing }) => isAdvancing);
  }

  has(connection: Connection): boolean {
    return this.deadlines.members.has(connection);
  }

  /**
   * Adds a new connection, and closes another one if there are too many.
   * @returns false if every connection has a request at a noun, so that the new one must be refused.
   */
  add(connection: Connection): boolean {
    const { deadlines, most } = this;
    const hasRoom = this.size - (this.refused?.size ?? 0) < most || this.closeOldest(() => true);
    deadlines.add(connection);
    if (hasRoom) return true;
    this.refused ??= new Set();
    this.refused.add(connection);
    // As many may be closing as may be open. Beyond it, the oldest is closed at once: it has had the most time to read
    // its answer.
    const [oldest] = this.refused;
    if (this.refused.size > most) oldest?.close();
    return false;
  }

  delete(connection: Connection): void {
    this.refused?.delete(connection);
    this.deadlines.remove(connection);
  }

  /** Lets each connection finish the requests that have begun. @param newTime as for `Connection.finish`. */
  finishAll(newTime = 0): void {
    for (const connection of [...this.deadlines.members]) connection.finish(newTime);
  }

  closeAll(): void {
    for (const connection of [...this.deadlines.members]) connection.close();
  }

  /**
   * Closes the connection that holds the most.
   * @returns false if none holds enough.
   */
  closeLargest(): boolean {
    let largest: Connection | undefined;
    let held = worthClosing;
    for (const connection of this.deadlines.members) {
      if (connection.held <= held) continue;
      largest = connection;
      held = connection.held;
    }
    largest?.close();
    return largest !== undefined;
  }

  /**
   * Closes the connection whose last complete request is oldest, of those on sockets for which `isOne` holds.
   * @returns false if each of them has a request at a noun.
   */
  closeOldest(isOne: (socket: Socket) => boolean): boolean {
    let oldest: Connection | undefined;
    for (const connection of this.deadlines.members) {
      if (oldest !== undefined && connection.lastRequest >= oldest.lastRequest) continue;
      if (!connection.isBusy && this.refused?.has(connection) !== true && isOne(connection.socket)) oldest = connection;
    }
    oldest?.close();
    return oldest !== undefined;
  }
}
