/**
 * One connection to a broker, from CONNECT to its end: packets, acknowledgements and time limits. It knows no nouns.
 *
 * Each answer that the broker owes has a time limit, also while reading pauses, and so have bytes that it does not
 * take. Nothing else is held for it than what waits for these.
 */
import type { Clock } from "../native/loop.ts";
import type { Socket, SocketHandler } from "../native/net.ts";
import { Alarm } from "../time/alarm.ts";
import { turnTime } from "../time/turns.ts";
import { PacketError, reasons } from "./data-types.ts";
import type { Echo } from "./echo.ts";
import {
  type Connack,
  type Packet,
  PacketReader,
  type Publish,
  type ReaderLimits,
  type Suback,
} from "./packet-reader.ts";
import {
  type ConnectOptions,
  type Message,
  pingreq,
  writeConnect,
  writeDisconnect,
  writePuback,
  writePublish,
  writeSubscribe,
} from "./packet-writer.ts";
import type { Properties } from "./properties.ts";
import { connackText, isLasting, reasonText, refusalText, silenceText, wildcardText } from "./reason-texts.ts";

/** ms to wait for a CONNACK. */
const connackTime = 5_000;

/** ms to wait for any other answer, and until the broker takes bytes. */
const answerTime = 20_000;

/** Filters in one SUBSCRIBE, and messages that wait for their acknowledgements. */
const mostFilters = 8;
const mostUnacknowledged = 8;

/** How a session has ended. */
export interface SessionEnd {
  /** What has happened, for the log: `it shuts down`. */
  readonly sentence: string;
  /** The broker's reason code; undefined without one. */
  readonly reason: number | undefined;
  /** Whether it had answered CONNECT. */
  readonly wasAnswered: boolean;
  /** Whether the broker has closed or reset the connection, without a DISCONNECT. */
  readonly hasClosed: boolean;
}

/** The owner of a session. */
export interface SessionEvents {
  /** The broker has accepted the client and answered its subscriptions. */
  onReady(session: Session): void;
  /** A message has arrived. One of QoS 1 is to be acknowledged by `acknowledge`. */
  onMessage(message: Publish): void;
  /** An acknowledgement has arrived, or the broker takes bytes again: more may be published. */
  onRoom(): void;
  /** @returns whether no further packet is to be read before `resume` is called. */
  isBusy(): boolean;
  /** The broker has refused a message or a filter. @param description for the log. */
  onRefused(topic: string, description: string): void;
  /** The last call. */
  onEnd(end: SessionEnd): void;
}

/** A session's fixed contents. */
export interface SessionOptions {
  readonly connect: ConnectOptions;
  readonly reader: ReaderLimits;
  readonly filters: readonly string[];
  /** The filter whose stored messages are wanted; undefined for none. */
  readonly stored?: string | undefined;
  readonly echo: Echo;
  /** Counts the messages that go each way, over all connections. */
  readonly messages: { received: number; sent: number };
}

export class Session implements SocketHandler {
  /** What the broker allows; nothing is known before its CONNACK. */
  properties: Properties = {};
  private readonly clock: Clock;
  private readonly socket: Socket;
  private readonly options: SessionOptions;
  private readonly events: SessionEvents;
  private readonly reader: PacketReader;
  private phase: "connecting" | "subscribing" | "ready" | "ended" = "connecting";
  /** Messages that wait for their acknowledgements, by their identifiers. */
  private readonly unacknowledged = new Map<number, { topic: string; sent: number; done: (() => void) | undefined }>();
  /** Subscriptions that do. */
  private readonly subscriptions = new Map<number, readonly string[]>();
  private lastId = 0;
  /** Since when the broker has taken no bytes. */
  private blockedSince: number | undefined;
  private isReading = true;
  private isAdvancing = false;
  /** Reads on in the next turn what this one had no time for. */
  private readonly turn: Alarm;
  /** Since when the last phase has lasted. */
  private phaseSince: number;
  private lastSent = 0;
  private lastReceived: number;
  private pinged: number | undefined;
  private readonly alarm: Alarm;

  /** @param socket belongs to the session from now on. Its handler is to be the session. */
  constructor(clock: Clock, socket: Socket, options: SessionOptions, events: SessionEvents) {
    this.clock = clock;
    this.socket = socket;
    this.options = options;
    this.events = events;
    this.reader = new PacketReader(options.reader);
    this.turn = new Alarm(clock, this.resume);
    this.alarm = new Alarm(clock, this.onAlarm);
    this.phaseSince = this.lastReceived = clock.now();
    options.echo.begin();
    socket.handler = this;
    socket.setLongLived();
    this.send(writeConnect(options.connect));
  }

  get isReady(): boolean {
    return this.phase === "ready";
  }

  /** Whether a message may be published now. */
  get hasRoom(): boolean {
    const most = Math.min(mostUnacknowledged, this.properties.receiveMaximum ?? mostUnacknowledged);
    return this.isReady && this.blockedSince === undefined && this.unacknowledged.size < most;
  }

  /** The topics of messages that the broker has not acknowledged. */
  get unacknowledgedTopics(): readonly string[] {
    return Array.from(this.unacknowledged.values(), ({ topic }) => topic);
  }

  /**
   * Publishes a message, with as much of QoS and retain as the broker has. To be called while `hasRoom`.
   * @param done called when the broker has it, or at once if it does not acknowledge messages.
   * @returns whether the broker takes messages of this length.
   */
  publish(message: Message, done?: () => void): boolean {
    const { maximumQoS = 1, retainAvailable = 1, maximumPacketSize = Number.POSITIVE_INFINITY } = this.properties;
    const qos = maximumQoS === 0 ? 0 : message.qos;
    const id = qos === 0 ? 0 : this.nextId();
    const bytes = writePublish({ ...message, qos, retain: message.retain && retainAvailable === 1 }, id);
    if (bytes.length > maximumPacketSize) return false;
    const sent = this.clock.now();
    if (qos === 1) this.unacknowledged.set(id, { topic: message.topic, sent, done });
    this.options.echo.onPublished(message.topic, qos, sent);
    this.options.messages.sent += 1;
    this.send(bytes);
    if (qos === 0) done?.();
    return true;
  }

  /** Acknowledges a message of QoS 1. */
  acknowledge({ qos, id }: Publish): void {
    if (qos === 1 && this.phase !== "ended") this.send(writePuback(id));
  }

  /** Reads further packets, as the owner is no longer busy. */
  readonly resume = (): void => {
    if (this.phase !== "ended") this.advance();
  };

  /** Ends the session in order: the broker drops it, and publishes no will. */
  disconnect(): void {
    if (this.phase === "ended") return;
    this.socket.writeBytes(writeDisconnect(0, 0));
    this.socket.finish();
    this.stop();
  }

  /** Ends the session without a word. */
  close(): void {
    if (this.phase === "ended") return;
    this.socket.close();
    this.stop();
  }

  /** Ends the session, because what the broker has sent is stale. @param time s that the device stood still. */
  onStandstill(time: number): void {
    this.fail(`the device stood still for ${Math.round(time)} s`);
  }

  onBytes(bytes: string): void {
    this.lastReceived = this.clock.now();
    this.reader.feed(bytes);
    this.advance();
  }

  onEnd(): void {
    this.fail("it has closed the connection", undefined, true);
  }

  onDrain(): void {
    this.blockedSince = undefined;
    this.advance();
    if (this.isReady) this.events.onRoom();
  }

  onGone(): void {
    this.fail("the connection is broken", undefined, true);
  }

  /**
   * Handles the packets that have arrived, as many as this turn has time for. Does nothing when called from within
   * itself, as by a command that is performed at once: the outer call goes on.
   */
  private advance(): void {
    if (this.isAdvancing) return;
    this.isAdvancing = true;
    try {
      while (this.phase !== "ended") {
        const isLate = this.clock.turnTime() > turnTime;
        if (isLate) this.turn.set(this.clock.now());
        this.setReading(!isLate && this.blockedSince === undefined && !this.events.isBusy());
        const packet = this.isReading ? this.reader.next() : undefined;
        if (packet === undefined) break;
        this.handle(packet);
      }
    } catch (error) {
      if (!(error instanceof PacketError)) throw error;
      this.socket.writeBytes(writeDisconnect(error.reason));
      this.fail(error.message);
    } finally {
      this.isAdvancing = false;
    }
  }

  private setReading(on: boolean): void {
    if (this.isReading === on) return;
    this.isReading = on;
    this.socket.setReading(on);
  }

  private handle(packet: Packet): void {
    if ((packet.type === "connack") !== (this.phase === "connecting") && packet.type !== "disconnect") {
      throw new PacketError("A packet comes at the wrong time.", reasons.protocolError);
    }
    switch (packet.type) {
      case "connack":
        this.handleConnack(packet);
        return;
      case "suback":
        this.handleSuback(packet);
        return;
      case "publish":
        this.options.messages.received += 1;
        this.options.echo.onMessage(packet.topic, this.lastReceived);
        this.events.onMessage(packet);
        return;
      case "puback": {
        const message = this.unacknowledged.get(packet.id);
        if (message === undefined) throw new PacketError("A PUBACK is for no message.", reasons.protocolError);
        this.unacknowledged.delete(packet.id);
        const { reason, properties } = packet;
        if (reason >= 0x80) this.events.onRefused(message.topic, refusalText(reason, properties.reasonString));
        message.done?.();
        this.events.onRoom();
        return;
      }
      case "pingresp":
        this.pinged = undefined;
        this.schedule();
        return;
      case "disconnect":
        this.fail(reasonText(packet.reason, packet.properties.reasonString), packet.reason);
    }
  }

  private handleConnack({ reason, sessionPresent, properties }: Connack): void {
    if (reason !== 0) {
      this.fail(connackText(reason, properties.reasonString), reason);
      return;
    }
    // MQTT-3.2.2-4
    if (sessionPresent && this.options.connect.cleanStart) {
      throw new PacketError("The broker has a session that was to be dropped.", reasons.protocolError);
    }
    this.properties = properties;
    this.enter("subscribing");
    const { filters, stored } = this.options;
    const allowed = filters.filter((filter) => {
      const isAllowed = properties.wildcardSubscriptionAvailable !== 0 || !filter.includes("+");
      if (!isAllowed) this.events.onRefused(filter, wildcardText());
      return isAllowed;
    });
    for (let first = 0; first < allowed.length; first += mostFilters) {
      const some = allowed.slice(first, first + mostFilters);
      const id = this.nextId();
      this.subscriptions.set(id, some);
      this.send(writeSubscribe(id, some, stored));
    }
  }

  private handleSuback({ id, reasons: granted, properties }: Suback): void {
    const filters = this.subscriptions.get(id);
    if (filters?.length !== granted.length) {
      throw new PacketError("A SUBACK does not fit its SUBSCRIBE.", reasons.protocolError);
    }
    this.subscriptions.delete(id);
    for (const [index, filter] of filters.entries()) {
      const reason = granted[index] ?? 0;
      this.options.echo.onSubscribed(filter, reason);
      // The texts are not even loaded for what is granted.
      if (reason < 0x80) continue;
      const text = refusalText(reason, properties.reasonString);
      if (isLasting(reason)) this.events.onRefused(filter, text);
      else this.fail(`it refuses the subscription to ${filter}: ${text}`);
    }
    if (this.phase === "ended" || this.subscriptions.size > 0) return;
    this.enter("ready");
    this.events.onReady(this);
  }

  private enter(phase: "subscribing" | "ready"): void {
    this.phase = phase;
    this.phaseSince = this.clock.now();
    this.schedule();
  }

  private nextId(): number {
    do this.lastId = this.lastId === 65_535 ? 1 : this.lastId + 1;
    while (this.unacknowledged.has(this.lastId));
    return this.lastId;
  }

  private send(bytes: string): void {
    this.lastSent = this.clock.now();
    if (!this.socket.writeBytes(bytes)) this.blockedSince ??= this.lastSent;
    this.schedule();
  }

  /** When an answer is late, or the broker has not taken bytes for too long. */
  private get answerMoment(): number {
    if (this.phase === "connecting") return this.phaseSince + connackTime;
    const [oldest] = this.unacknowledged.values();
    const subscribed = this.phase === "subscribing" ? this.phaseSince : undefined;
    const owed = [subscribed, oldest?.sent, this.pinged, this.blockedSince];
    return Math.min(...owed.map((since = Number.POSITIVE_INFINITY) => since)) + answerTime;
  }

  /** When the next PINGREQ is due. */
  private get pingMoment(): number {
    const keepAlive = this.properties.serverKeepAlive ?? this.options.connect.keepAlive;
    if (this.pinged !== undefined || keepAlive === 0 || this.phase === "connecting") return Number.POSITIVE_INFINITY;
    // Also if only this side sends: a broker that is gone answers nothing.
    return Math.min(this.lastSent, this.lastReceived) + keepAlive * 1_000;
  }

  private schedule(): void {
    if (this.phase === "ended") return;
    this.alarm.set(Math.min(this.answerMoment, this.options.echo.since + answerTime, this.pingMoment));
  }

  private readonly onAlarm = (): void => {
    const now = this.clock.now();
    if (this.answerMoment <= now) {
      this.fail("it does not answer");
      return;
    }
    const { echo } = this.options;
    if (echo.since + answerTime <= now) {
      if (echo.onLate()) {
        this.fail("it delivers nothing: the device's own status does not come back");
        return;
      }
      this.events.onRefused(echo.topic, silenceText());
    }
    if (this.pingMoment <= now) {
      this.pinged = now;
      this.send(pingreq);
    }
    this.schedule();
  };

  private fail(sentence: string, reason?: number, hasClosed = false): void {
    if (this.phase === "ended") return;
    const wasAnswered = this.phase !== "connecting";
    this.socket.close();
    this.stop();
    this.events.onEnd({ sentence, reason, wasAnswered, hasClosed });
  }

  private stop(): void {
    this.phase = "ended";
    for (const alarm of [this.alarm, this.turn]) alarm.stop();
  }
}
