/**
 * One connection to a broker, from CONNECT to its end: packets, acknowledgements and time limits. It knows no nouns.
 *
 * Each answer that the broker owes has a time limit, also while reading pauses, and so have bytes that it does not
 * take. Nothing else is held for it than what waits for these.
 */

import { Alarm } from "../../core/time/alarm.ts";
import { turnTime } from "../../core/time/turns.ts";
import type { Clock } from "../../native/loop.ts";
import type { Socket, SocketHandler } from "../../native/net.ts";
import { PacketError, reasons } from "./data-types.ts";
import type { Echo } from "./echo.ts";
import { acknowledgement, type LeftOut, ping, type Suspect, subscriptionTo } from "./left-out.ts";
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

/** ms in which messages go out one by one after a connection that the broker has ended. */
const carefulTime = 60_000;

/** ms after an acknowledgement of a command in which it may be why the broker ends the connection. */
const blameTime = 1_000;

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
  /** What the broker may have ended it for: what it has not answered, in its order. Nothing before its CONNACK. */
  readonly suspects: readonly Suspect[];
  /** Whether it has answered everything but that. */
  readonly isIgnored: boolean;
}

/** A message that waits for its acknowledgement. */
interface Unacknowledged {
  readonly message: Message;
  readonly sent: number;
  readonly done: (() => void) | undefined;
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
  /** What was left out of a topic is to be published now. */
  onDue(topic: string): void;
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
  readonly leftOut: LeftOut;
  /** Whether the broker has ended the last connection: then messages go out one by one, so that the next end names one. */
  readonly isCareful: boolean;
  /** Whether another address can be tried, if this broker refuses a subscription for now. */
  readonly hasOther: boolean;
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
  private readonly unacknowledged = new Map<number, Unacknowledged>();
  /** The identifier of one that the broker has answered a later one before. */
  private passed: number | undefined;
  /** Subscriptions that do. */
  private readonly subscriptions = new Map<number, readonly string[]>();
  private lastId = 0;
  /** Since when the broker has taken no bytes. */
  private blockedSince: number | undefined;
  private isReading = true;
  private isAdvancing = false;
  /** Reads on in the next turn what this one had no time for. */
  private readonly turn: Alarm;
  /** When the last SUBSCRIBE was sent. */
  private subscribed = 0;
  /** Since when the last phase has lasted. */
  private phaseSince: number;
  private lastSent = 0;
  private lastReceived: number;
  private pinged: number | undefined;
  /** When a command was acknowledged last. */
  private acknowledged = Number.NEGATIVE_INFINITY;
  /** What the broker has refused last, and when. */
  private refused: Suspect | undefined;
  private refusedAt = Number.NEGATIVE_INFINITY;
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
    options.leftOut.begin();
    socket.handler = this;
    socket.setLongLived();
    // A broker that has ended a connection for a PINGREQ is not to expect one.
    const keepAlive = options.leftOut.skips({ name: ping }, this.phaseSince) ? 0 : options.connect.keepAlive;
    this.send(writeConnect({ ...options.connect, keepAlive }));
  }

  get isReady(): boolean {
    return this.phase === "ready";
  }

  /** Whether a message may be published now. */
  get hasRoom(): boolean {
    const isCareful = this.options.isCareful && this.clock.now() < this.phaseSince + carefulTime;
    const most = isCareful ? 1 : Math.min(mostUnacknowledged, this.properties.receiveMaximum ?? mostUnacknowledged);
    return this.isReady && this.blockedSince === undefined && this.unacknowledged.size < most;
  }

  /**
   * What the broker may end the connection for: what it has just refused, as HiveMQ does before it ends one; otherwise
   * what it has not answered: a SUBSCRIBE before all messages.
   */
  private get suspects(): readonly Suspect[] {
    if (this.phase === "connecting") return [];
    if (this.refused !== undefined && this.clock.now() < this.refusedAt + blameTime) return [this.refused];
    const [filters] = this.subscriptions.values();
    if (filters !== undefined) return filters.map((filter) => ({ name: subscriptionTo(filter) }));
    const sent = Array.from(this.unacknowledged.values(), ({ message }) => message);
    if (sent.length > 0) return sent.map(({ topic: name, payload }) => ({ name, payload }));
    if (this.pinged !== undefined) return [{ name: ping }];
    return this.clock.now() < this.acknowledged + blameTime ? [{ name: acknowledgement }] : [];
  }

  /**
   * Publishes a message, with as much of QoS and retain as the broker has, if it is not left out. To be called while
   * `hasRoom`.
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
    const { leftOut, isCareful, echo, messages } = this.options;
    if (leftOut.skips({ name: message.topic, payload: message.payload }, sent)) {
      done?.();
      this.schedule();
      return true;
    }
    // The answer to a PINGREQ behind it shows that the broker has taken a message of QoS 0.
    const isProved = qos === 0 && isCareful && !leftOut.skips({ name: ping }, sent);
    if (qos === 1 || isProved) this.unacknowledged.set(id, { message, sent, done });
    echo.onPublished(message.topic, qos, sent);
    messages.sent += 1;
    this.send(bytes);
    if (isProved) this.ping();
    else if (qos === 0) done?.();
    return true;
  }

  /** Acknowledges a message of QoS 1. */
  acknowledge({ qos, id }: Publish): void {
    if (qos !== 1 || this.phase === "ended") return;
    this.acknowledged = this.clock.now();
    this.send(writePuback(id));
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
    this.fail("it has closed the connection", { hasClosed: true });
  }

  onDrain(): void {
    this.blockedSince = undefined;
    this.advance();
    if (this.isReady) this.events.onRoom();
  }

  onGone(): void {
    this.fail("the connection is broken", { hasClosed: true });
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
        const { reason, properties } = packet;
        if (reason >= 0x80) {
          const { topic: name, payload } = message.message;
          this.refused = { name, payload, wasRefused: true };
          this.refusedAt = this.lastReceived;
          this.events.onRefused(message.message.topic, refusalText(reason, properties.reasonString));
          this.options.echo.onRefused(message.message.topic);
        }
        this.settle(packet.id, message, reason >= 0x80);
        return;
      }
      case "pingresp": {
        this.pinged = undefined;
        this.options.leftOut.remove(ping);
        const message = this.unacknowledged.get(0);
        if (message === undefined) this.schedule();
        else this.settle(0, message);
        return;
      }
      case "disconnect":
        this.fail(reasonText(packet.reason, packet.properties.reasonString), { reason: packet.reason });
    }
  }

  /** The broker has answered a message. */
  private settle(id: number, { message, done }: Unacknowledged, wasRefused = false): void {
    const [first] = this.unacknowledged.keys();
    if (first !== id) this.passed = first;
    this.unacknowledged.delete(id);
    if (!wasRefused) this.options.leftOut.remove(message.topic);
    done?.();
    this.events.onRoom();
    this.schedule();
  }

  private handleConnack({ reason, sessionPresent, properties }: Connack): void {
    if (reason !== 0) {
      this.fail(connackText(reason, properties.reasonString), { reason });
      return;
    }
    // MQTT-3.2.2-4
    if (sessionPresent && this.options.connect.cleanStart) {
      throw new PacketError("The broker has a session that was to be dropped.", reasons.protocolError);
    }
    this.properties = properties;
    this.enter("subscribing");
    const { filters, leftOut } = this.options;
    const allowed = filters.filter((filter) => {
      const isAllowed = properties.wildcardSubscriptionAvailable !== 0 || !filter.includes("+");
      if (!isAllowed) this.events.onRefused(filter, wildcardText());
      // One that has ended a connection is asked for alone, and later.
      return isAllowed && !leftOut.has(subscriptionTo(filter));
    });
    for (let first = 0; first < allowed.length; first += mostFilters) {
      this.subscribe(allowed.slice(first, first + mostFilters));
    }
    this.begin();
  }

  private subscribe(filters: readonly string[]): void {
    const { stored, leftOut } = this.options;
    const id = this.nextId();
    const qos = leftOut.skips({ name: acknowledgement }, this.clock.now()) ? 0 : 1;
    this.subscriptions.set(id, filters);
    this.subscribed = this.clock.now();
    this.send(writeSubscribe(id, filters, stored, qos));
  }

  private handleSuback({ id, reasons: granted, properties }: Suback): void {
    const filters = this.subscriptions.get(id);
    if (filters?.length !== granted.length) {
      throw new PacketError("A SUBACK does not fit its SUBSCRIBE.", reasons.protocolError);
    }
    this.subscriptions.delete(id);
    const { echo, leftOut, hasOther } = this.options;
    for (const [index, filter] of filters.entries()) {
      const reason = granted[index] ?? 0;
      echo.onSubscribed(filter, reason);
      // The texts are not even loaded for what is granted.
      if (reason < 0x80) {
        leftOut.remove(subscriptionTo(filter));
        continue;
      }
      const text = refusalText(reason, properties.reasonString);
      if (hasOther && !this.isReady && !isLasting(reason)) {
        this.fail(`it refuses the subscription to ${filter}: ${text}`);
        return;
      }
      this.events.onRefused(filter, text);
      leftOut.add({ name: subscriptionTo(filter) }, this.clock.now());
    }
    this.begin();
  }

  /** Is ready once the subscriptions are answered. */
  private begin(): void {
    if (this.phase === "ended" || this.subscriptions.size > 0) return;
    if (this.isReady) {
      this.schedule();
      return;
    }
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
    while (this.unacknowledged.has(this.lastId) || this.subscriptions.has(this.lastId));
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
    const subscribed = this.subscriptions.size > 0 ? this.subscribed : undefined;
    const owed = [subscribed, oldest?.sent, this.pinged, this.blockedSince];
    return Math.min(...owed.map((since = Number.POSITIVE_INFINITY) => since)) + answerTime;
  }

  /** Whether the broker answers, but not the oldest message. */
  private get isIgnored(): boolean {
    const [oldest] = this.unacknowledged;
    if (oldest === undefined) return false;
    const [id, { message, sent }] = oldest;
    const isProved = id === this.passed || sent < this.lastReceived || this.options.leftOut.wasLeftOut(message.topic);
    return isProved && sent + answerTime <= this.clock.now();
  }

  /** When the next PINGREQ is due. */
  private get pingMoment(): number {
    const keepAlive = this.properties.serverKeepAlive ?? this.options.connect.keepAlive;
    if (this.pinged !== undefined || keepAlive === 0 || this.phase === "connecting") return Number.POSITIVE_INFINITY;
    if (this.options.leftOut.skips({ name: ping }, this.clock.now())) return Number.POSITIVE_INFINITY;
    // Also if only this side sends: a broker that is gone answers nothing.
    return Math.min(this.lastSent, this.lastReceived) + keepAlive * 1_000;
  }

  /** When something that is left out is to be tried again: alone, so that an end is its own. */
  private get trialMoment(): number {
    const isAlone = this.isReady && this.unacknowledged.size === 0 && this.subscriptions.size === 0;
    return isAlone ? this.options.leftOut.nextTrial : Number.POSITIVE_INFINITY;
  }

  private schedule(): void {
    if (this.phase === "ended") return;
    const { echo } = this.options;
    this.alarm.set(Math.min(this.answerMoment, echo.since + answerTime, this.pingMoment, this.trialMoment));
  }

  private ping(): void {
    this.pinged = this.clock.now();
    this.send(pingreq);
  }

  /** Tries again what is due. */
  private tryAgain(): void {
    const { leftOut, filters } = this.options;
    const name = leftOut.takeDue(this.clock.now());
    if (name === undefined) return;
    const filter = filters.find((one) => subscriptionTo(one) === name);
    if (filter !== undefined) this.subscribe([filter]);
    else this.events.onDue(name);
  }

  private readonly onAlarm = (): void => {
    const now = this.clock.now();
    if (this.answerMoment <= now) {
      const { isIgnored } = this;
      this.fail(isIgnored ? "it answers everything but one message" : "it does not answer", { isIgnored });
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
    if (this.pingMoment <= now) this.ping();
    if (this.trialMoment <= now) this.tryAgain();
    this.schedule();
  };

  private fail(sentence: string, how: Partial<Pick<SessionEnd, "reason" | "hasClosed" | "isIgnored">> = {}): void {
    if (this.phase === "ended") return;
    const { reason, hasClosed = false, isIgnored = false } = how;
    const wasAnswered = this.phase !== "connecting";
    const { suspects } = this;
    this.socket.close();
    this.stop();
    this.events.onEnd({ sentence, reason, wasAnswered, hasClosed, isIgnored, suspects });
  }

  private stop(): void {
    this.phase = "ended";
    for (const alarm of [this.alarm, this.turn]) alarm.stop();
  }
}
