/**
 * Publishes the states of nouns during a session. Each noun's topic keeps the latest state alone, so a broker that
 * stalls costs one state for each noun. After the first state of every noun it says that the device is online.
 */
import type { Feed } from "../../core/feeds/feed.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import type { StateAnswer } from "../../core/operations/answer.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { dueAfter, spentAt } from "../../core/time/allowance.ts";
import type { MqttContext } from "./mqtt-settings.ts";
import { NounEvents } from "./noun-events.ts";
import type { Message } from "./packet-writer.ts";
import type { Session } from "./session.ts";
import type { Topics } from "./topics.ts";

/** Events that wait for room. */
const mostEvents = 8;

/** The dependencies of a publisher. */
export interface PublisherContext extends Pick<MqttContext, "clock" | "nouns" | "feeds" | "report"> {
  readonly session: Session;
  readonly topics: Topics;
  /** Says whether the state of a noun is published. */
  readonly reaches: (noun: string) => boolean;
  /** ms in which a noun that changes by itself earns one message. */
  readonly interval: number;
  /** Called when a noun is gone. */
  readonly onGone: () => void;
}

/** The topic of one noun's state. */
interface NounTopic extends Follower {
  readonly feed: Feed;
  /** Until when it has spent its messages (ts/core/time/allowance.ts). */
  spent: number;
  /** The broker has still to acknowledge the last message. */
  isUnacknowledged: boolean;
  /** The next message answers a command of the broker, and waits for no interval. */
  isAnswer: boolean;
  /** The noun whose shape its events have; undefined if that is to be looked at again. */
  described: Feed["noun"];
}

export class Publisher {
  private readonly context: PublisherContext;
  private readonly topics = new Map<string, NounTopic>();
  /** Topics that have not been published yet. */
  private readonly unpublished = new Set<NounTopic>();
  /** Topics whose latest state is not published yet, in the order of their changes. */
  private readonly changes = new Set<NounTopic>();
  private readonly events: Message[] = [];
  private readonly alarm: Alarm;
  private isOnline = false;

  constructor(context: PublisherContext) {
    this.context = context;
    this.alarm = new Alarm(context.clock, () => this.publishChanges());
    for (const topic of Array.from(context.nouns.all(), ({ name }) => this.addTopic(name)))
      topic?.feed.followNow(topic);
    this.announce();
  }

  /**
   * Publishes a noun that was registered during the session, or has another shape. A name that is known already is
   * followed anyway.
   */
  registered(name: string): void {
    const known = this.topics.get(name);
    if (known !== undefined) known.described = undefined;
    const topic = this.addTopic(name);
    topic?.feed.followNow(topic);
  }

  /** @returns the topic of a noun; undefined if the name has one, or its state is not published. */
  private addTopic(name: string): NounTopic | undefined {
    if (this.topics.has(name) || !this.context.reaches(name)) return undefined;
    const feed = this.context.feeds.of(name);
    let events: NounEvents | undefined;
    const topic: NounTopic = {
      feed,
      spent: Number.NEGATIVE_INFINITY,
      isUnacknowledged: false,
      isAnswer: false,
      described: undefined,
      onState: () => {
        if (feed.noun !== topic.described) events = NounEvents.of(feed.noun?.face.shape);
        topic.described = feed.noun;
        for (const event of events?.next(feed.json) ?? []) this.happened(name, event);
        this.changes.add(topic);
        this.publishChanges();
      },
    };
    this.topics.set(name, topic);
    this.unpublished.add(topic);
    return topic;
  }

  /** A command of the broker has been performed. @param noun in lower case. @param answer the noun's new state. */
  answered(noun: string, answer: StateAnswer): void {
    const topic = this.topics.get(noun);
    if (topic === undefined) return;
    topic.isAnswer = true;
    topic.feed.setFromCommand(answer, topic);
    // A command that has changed nothing makes no later change urgent.
    topic.isAnswer = this.changes.has(topic);
  }

  /** Publishes the states that have waited, as many as there is room for. */
  publishChanges(): void {
    const { clock, session, interval } = this.context;
    while (this.events.length > 0 && session.hasRoom) session.publish(this.events.shift() as Message);
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const topic of this.changes) {
      if (!session.hasRoom) return;
      if (topic.isUnacknowledged) continue;
      const due = topic.isAnswer ? now : dueAfter(topic.spent, interval);
      if (due <= now) this.publish(topic);
      else next = Math.min(next, due);
    }
    this.alarm.set(next);
    this.announce();
  }

  /** Publishes all states again, and `online`. */
  repeat(): void {
    for (const topic of this.topics.values()) if (topic.feed.version > 0) this.changes.add(topic);
    this.isOnline = false;
    this.publishChanges();
  }

  /** Publishes a noun's state again. @param topic its topic, or any other one. */
  publishAgain(topic: string): void {
    const { topics } = this.context;
    const found = Array.from(this.topics.values()).find(({ feed }) => topics.state(feed.name) === topic);
    // One that has still to be read for the first time is published then.
    if (found === undefined || found.feed.version === 0) return;
    this.changes.add(found);
    this.publishChanges();
  }

  /** Publishes `online` again, because somebody has said otherwise. */
  announceAgain(): void {
    if (!this.isOnline) return;
    this.isOnline = false;
    this.announce();
  }

  /** The last call: follows nothing more. */
  end(): void {
    this.alarm.stop();
    for (const topic of this.topics.values()) topic.feed.unfollow(topic);
  }

  /** An event of a noun. It is published at once, or never if too many wait. */
  private happened(noun: string, event: string): void {
    if (this.events.length >= mostEvents) return;
    const payload = JSON.stringify({ event_type: event });
    this.events.push({ topic: this.context.topics.event(noun), payload, qos: 1, retain: false });
  }

  private publish(topic: NounTopic): void {
    const { clock, session, topics, interval, report, onGone } = this.context;
    const { feed } = topic;
    this.changes.delete(topic);
    this.unpublished.delete(topic);
    // The retained state of a noun that is gone goes too.
    const payload = feed.isGone ? "" : (feed.json ?? "null");
    const message: Message = { topic: topics.state(feed.name), payload, qos: 1, retain: true };
    if (!topic.isAnswer) topic.spent = spentAt(clock.now(), topic.spent, interval);
    topic.isAnswer = false;
    topic.isUnacknowledged = true;
    const isTaken = session.publish(message, () => {
      topic.isUnacknowledged = false;
    });
    if (feed.isGone) {
      this.topics.delete(feed.name);
      feed.unfollow(topic);
      onGone();
    }
    if (isTaken) return;
    topic.isUnacknowledged = false;
    report(message.topic, "the state is larger than the broker accepts");
  }

  /** Says that the device is online, once every noun has been read and published. */
  private announce(): void {
    const { session, topics } = this.context;
    if (this.isOnline || this.unpublished.size > 0 || !session.hasRoom) return;
    this.isOnline = true;
    session.publish({ topic: topics.status, payload: "online", qos: 1, retain: true });
  }
}
