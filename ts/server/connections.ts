/**
 * The connections of a server, and which of them is closed if there are too many or they hold too much.
 *
 * At the limit, a new connection is accepted, and the connection whose last complete request is oldest is closed. So slow clients,
 * silent clients and clients that read no answers do not block a client that sends its request at once. nginx does the same with its
 * idle connections.
 */
import type { Connection } from "./connection.ts";

/** The number of bytes from which a connection may be closed to free them: more than a request and an answer of an ordinary client. */
const worthClosing = 8_192;

/** The connections of one server. */
export class Connections {
  private readonly most: number;
  private readonly open = new Set<Connection>();
  /** New connections that are closing with a 503, oldest first. */
  private readonly refused = new Set<Connection>();

  /** @param most the largest number of connections at once. */
  constructor(most: number) {
    this.most = most;
  }

  /** The number of connections, including those that are refused. */
  get size(): number {
    return this.open.size + this.refused.size;
  }

  has(connection: Connection): boolean {
    return this.open.has(connection);
  }

  /**
   * Adds a new connection, and closes another one if there are too many.
   * @returns false if every connection has a request at a noun, so that the new one must be refused.
   */
  add(connection: Connection): boolean {
    if (this.open.size >= this.most) {
      const oldest = this.longestWithoutRequest();
      if (oldest === undefined) {
        this.addRefused(connection);
        return false;
      }
      oldest.close();
    }
    this.open.add(connection);
    return true;
  }

  delete(connection: Connection): void {
    if (!this.open.delete(connection)) this.refused.delete(connection);
  }

  /** Lets each connection finish the requests that have begun. */
  finishAll(): void {
    for (const connection of [...this.open]) connection.finish();
  }

  closeAll(): void {
    for (const connection of [...this.open, ...this.refused]) connection.close();
  }

  /**
   * Closes the connection that holds the most.
   * @returns false if none holds enough.
   */
  closeLargest(): boolean {
    let largest: Connection | undefined;
    let held = worthClosing;
    for (const connection of this.open) {
      if (connection.held <= held) continue;
      largest = connection;
      held = connection.held;
    }
    largest?.close();
    return largest !== undefined;
  }

  private longestWithoutRequest(): Connection | undefined {
    let oldest: Connection | undefined;
    for (const connection of this.open) {
      if (oldest !== undefined && connection.lastRequest >= oldest.lastRequest) continue;
      if (!connection.isBusy) oldest = connection;
    }
    return oldest;
  }

  /** As many connections may be closing as may be open. Beyond it, the oldest is closed at once: it has had the most time to read its answer. */
  private addRefused(connection: Connection): void {
    this.refused.add(connection);
    const [oldest] = this.refused;
    if (this.refused.size > this.most) oldest?.close();
  }
}
