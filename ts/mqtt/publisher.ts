/**
 * Publishes the states of nouns during a session. Each noun's topic keeps the latest state alone, so a broker that
 * stalls costs one state for each noun. After the first state of every noun it says that the device is online.
 */
import type { Clock, TimerId } from "../native/loop.ts";
import type { RegisteredNoun } from "../operations/noun-route.ts";
import type { ServedNouns } from "../watch/served-nouns.ts";
import { StateListener } from "../watch/state-listener.ts";
import type { Watches } from "../watch/watches.ts";
import { NounEvents } from "./noun-events.ts";
import type { Message } from "./packet-writer.ts";
import type { Topics } from "./topics.ts";

/** Nouns that are being read after a connect, or were read and are not published yet. */
const mostRead = 8;

/** ms of a turn of the loop after which the next nouns are read in the next one. */
const longestTurn = 1;

/** Events that wait for room. */
const mostEvents = 8;

/** ms after which a noun that was registered again is read. */
const rereadTime = 1_000;

/** Where messages go: a session. */
export interface Outgoing {
  readonly hasRoom: boolean;
  publish(message: Message, done?: () => void): boolean;
}

/** What a publisher uses. */
export interface PublisherContext {
  readonly clock: Clock;
  readonly session: Outgoing;
  readonly topics: Topics;
  readonly nouns: ServedNouns;
  readonly watches: Watches;
  /** Says whether the state of a noun is published. */
  readonly reaches: (noun: string) => boolean;
  /** ms between two messages of one noun. */
  readonly interval: number;
  /** Receives what could not be published. */
  readonly report: (topic: string, description: string) => void;
  /** Called when a noun is gone. */
  readonly onGone: () => void;
}

/** The topic of one noun's state. */
class NounTopic extends StateListener {
  readonly name: string;
  /** The latest state as JSON; "" for a noun that is gone, whose retained state goes too. */
  json = "";
  /** When it was last published, in ms by the clock. */
  published = Number.NEGATIVE_INFINITY;
  /** Whether the broker has still to acknowledge a message. */
  isUnderway = false;
  private readonly publisher: Publisher;
  private readonly events: NounEvents | undefined;

  constructor(publisher: Publisher, { name, noun }: RegisteredNoun) {
    super();
    this.publisher = publisher;
    this.name = name;
    this.events = NounEvents.of(noun.shape);
  }

  take(json: string): void {
    this.json = json;
    for (const event of this.events?.next(json) ?? []) this.publisher.happened(this, event);
    this.publisher.changed(this);
  }

  protected lost(): void {
    this.publisher.lost(this);
  }
}

export class Publisher {
  private readonly context: PublisherContext;
  private readonly topics = new Map<string, NounTopic>();
  /** Nouns that are not read yet. */
  private readonly unread: RegisteredNoun[] = [];
  /** How many are being read, and how many of those that were read are not published yet. */
  private reading = 0;
  private fresh = 0;
  private isInReadNext = false;
  /** Topics whose latest state is not published yet. */
  private readonly changes = new Set<NounTopic>();
  private readonly events: Message[] = [];
  private timer: TimerId | undefined;
  private isOnline = false;
  private hasEnded = false;

  constructor(context: PublisherContext) {
    this.context = context;
    this.unread.push(...Array.from(context.nouns.all()).filter(({ name }) => context.reaches(name)));
    this.publishChanges();
  }

  /** Publishes a noun that was registered during the session. One that is known already ends its watch itself. */
  registered(noun: RegisteredNoun): void {
    if (this.hasEnded || this.topics.has(noun.name) || !this.context.reaches(noun.name)) return;
    this.unread.push(noun);
    this.readNext();
  }

  /** A topic has another state. */
  changed(topic: NounTopic): void {
    this.changes.add(topic);
    this.publishChanges();
  }

  /** An event of a topic's noun. It is published at once, or never if too many wait. */
  happened({ name }: NounTopic, event: string): void {
    if (this.events.length >= mostEvents) return;
    const payload = JSON.stringify({ event_type: event });
    this.events.push({ topic: this.context.topics.event(name), payload, qos: 1, retain: false });
  }

  /** A topic's noun has to be found again. */
  lost(topic: NounTopic): void {
    if (this.hasEnded) return;
    this.context.clock.setTimer(() => {
      if (this.hasEnded) return;
      const noun = this.context.nouns.find(topic.name);
      if (noun === undefined) {
        topic.take("");
        this.context.onGone();
      } else this.unread.push(noun);
      this.readNext();
    }, rereadTime);
  }

  /** Publishes the states that have waited, as many as there is room for. */
  publishChanges(): void {
    const { clock, session, interval } = this.context;
    if (this.hasEnded) return;
    while (this.events.length > 0 && session.hasRoom) session.publish(this.events.shift() as Message);
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const topic of this.changes) {
      if (!session.hasRoom) return;
      const due = topic.published + interval;
      if (topic.isUnderway) continue;
      if (due > now) next = Math.min(next, due);
      else this.publish(topic, now);
    }
    if (this.timer !== undefined) clock.clearTimer(this.timer);
    this.timer = undefined;
    if (next !== Number.POSITIVE_INFINITY) {
      this.timer = clock.setTimer(() => {
        this.timer = undefined;
        this.publishChanges();
      }, next - now);
    }
    this.readNext();
    this.announce();
  }

  /** Publishes all states again, and `online`. */
  repeat(): void {
    for (const topic of this.topics.values()) if (topic.json !== "") this.changes.add(topic);
    this.isOnline = false;
    this.publishChanges();
  }

  /** Publishes `online` again, because somebody has said otherwise. */
  announceAgain(): void {
    if (!this.isOnline || this.hasEnded) return;
    this.isOnline = false;
    this.announce();
  }

  /** Ends all watches. Nothing is published from now on. */
  end(): void {
    this.hasEnded = true;
    if (this.timer !== undefined) this.context.clock.clearTimer(this.timer);
    for (const { watch } of this.topics.values()) watch?.end();
  }

  private publish(topic: NounTopic, now: number): void {
    const { session, topics, report } = this.context;
    this.changes.delete(topic);
    if (topic.published === Number.NEGATIVE_INFINITY) this.fresh -= 1;
    topic.published = now;
    topic.isUnderway = true;
    const message: Message = { topic: topics.state(topic.name), payload: topic.json, qos: 1, retain: true };
    const isTaken = session.publish(message, () => {
      topic.isUnderway = false;
    });
    if (topic.json === "") this.topics.delete(topic.name);
    if (isTaken) return;
    topic.isUnderway = false;
    report(message.topic, "the state is larger than the broker accepts");
  }

  /** Reads the next nouns. A noun that answers at once leads back here. */
  private readonly readNext = (): void => {
    if (this.isInReadNext || this.hasEnded) return;
    this.isInReadNext = true;
    while (this.unread.length > 0 && this.reading + this.fresh < mostRead) {
      if (this.context.clock.turnTime() > longestTurn) {
        this.context.clock.setTimer(this.readNext, 0);
        break;
      }
      const noun = this.unread.shift();
      if (noun !== undefined) this.read(noun);
    }
    this.isInReadNext = false;
  };

  private read(noun: RegisteredNoun): void {
    const topic = this.topics.get(noun.name) ?? new NounTopic(this, noun);
    this.topics.set(noun.name, topic);
    this.reading += 1;
    this.context.watches.read(noun, topic, (watch) => {
      this.reading -= 1;
      if (this.hasEnded) {
        watch.end();
        return;
      }
      if (topic.published === Number.NEGATIVE_INFINITY) this.fresh += 1;
      topic.watch = watch;
    });
  }

  /** Says that the device is online, once every noun has been read and published. */
  private announce(): void {
    const { session, topics } = this.context;
    if (this.isOnline || this.unread.length > 0 || this.reading + this.fresh > 0 || !session.hasRoom) return;
    this.isOnline = true;
    session.publish({ topic: topics.status, payload: "online", qos: 1, retain: true });
  }
}
