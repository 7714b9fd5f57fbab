/**
 * The echo of a device's own status: the device is subscribed to the topic on which it publishes `online`. What does
 * not come back shows a connection that delivers nothing, although the broker answers everything else: so it is in a
 * cluster whose node with the session is gone. A broker whose access control list hides the topic looks the same.
 */

/** Connections in a row that end for the lack of an echo. Then it may be the access control list after all. */
const mostDeaf = 5;

/** What is known of the echo, over all connections of a client. */
export class Echo {
  /** The topic of the device's status. */
  readonly topic: string;
  /** Since when one is awaited, in ms by the clock; `Infinity` while none is. */
  since = Number.POSITIVE_INFINITY;
  /** Whether the connection has lacked one. */
  isMissing = false;
  /** Whether the broker owes one: in this connection, it has granted the subscription with QoS 1. */
  private isOwed = false;
  /** Connections that may still end for the lack of one; 0 until one has come. */
  private left = 0;

  constructor(topic: string) {
    this.topic = topic;
  }

  /** A connection begins, in which the subscription is asked for once more, perhaps after the status was published. */
  begin(): void {
    this.isOwed = false;
    this.since = Number.POSITIVE_INFINITY;
    this.isMissing = false;
  }

  /** The broker has answered a subscription. @param reason of its SUBACK. */
  onSubscribed(filter: string, reason: number): void {
    if (filter === this.topic) this.isOwed = reason === 1;
  }

  /** A message has been published. */
  onPublished(topic: string, qos: 0 | 1, now: number): void {
    if (this.isOwed && qos === 1 && topic === this.topic) this.since = now;
  }

  /** The broker has refused a message. */
  onRefused(topic: string): void {
    if (topic === this.topic) this.since = Number.POSITIVE_INFINITY;
  }

  /** A message has arrived. Others than the echo show that the connection is not deaf: the echo may be behind them. */
  onMessage(topic: string, now: number): void {
    if (topic === this.topic) {
      this.since = Number.POSITIVE_INFINITY;
      this.left = mostDeaf;
    } else if (this.since < now) this.since = now;
  }

  /** The echo is late. @returns whether the connection is to end. */
  onLate(): boolean {
    this.since = Number.POSITIVE_INFINITY;
    if (this.left === 0) return false;
    this.left -= 1;
    this.isMissing = true;
    return true;
  }
}
