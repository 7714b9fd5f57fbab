/**
 * The connections of a server, and which of them is closed where there are too many or they hold too much.
 *
 * At the cap a newcomer is taken in, and the connection whose last complete request is oldest is closed for it. So slow clients,
 * silent ones and those that take no answers keep nobody out who asks at once. nginx does the same with its idle connections.
 */
import type { Connection } from "./connection.ts";

/** Bytes that a connection holds at least to be closed for them: a request and an answer of an ordinary client. */
const worthClosing = 8_192;

/** The connections of one server. */
export class Connections {
  private readonly most: number;
  private readonly open = new Set<Connection>();
  /** Newcomers on their way out with a 503; oldest first. */
  private readonly refused = new Set<Connection>();

  /** @param most how many connections there may be at once. */
  constructor(most: number) {
    this.most = most;
  }

  /** The one whose request a noun is performing at this moment, if there is one. */
  get performing(): Connection | undefined {
    for (const connection of this.open) if (connection.performing) return connection;
    return undefined;
  }

  /** How many there are, refused newcomers included. */
  get size(): number {
    return this.open.size + this.refused.size;
  }

  has(connection: Connection): boolean {
    return this.open.has(connection);
  }

  /**
   * Takes a newcomer in, at the cost of another connection where it must be.
   * @returns false where every connection has a request at a noun: the newcomer is to be refused.
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

  /** Lets each finish what has begun. */
  finishAll(): void {
    for (const connection of [...this.open]) connection.finish();
  }

  closeAll(): void {
    for (const connection of [...this.open, ...this.refused]) connection.close();
  }

  /**
   * Closes the connection that holds the most.
   * @returns false where none holds enough to be worth it.
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

  /** As many may be on their way out as may be in: the oldest has had its answer longest. */
  private addRefused(connection: Connection): void {
    this.refused.add(connection);
    const [oldest] = this.refused;
    if (this.refused.size > this.most) oldest?.close();
  }
}
