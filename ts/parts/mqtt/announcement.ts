/**
 * Announces the device to Home Assistant by one retained message. It is compared with the message before: an entity
 * that is left out would stay there, so it is removed.
 */

import { decodeUtf8, utf8Length } from "../../core/http/utf8.ts";
import type { Verb } from "../../core/noun/verb.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { Turns } from "../../core/time/turns.ts";
import { announcedNouns } from "../documents/describe/home-assistant/announced-nouns.ts";
import {
  type Announced,
  type AnnouncedDevice,
  announcedBy,
  discovery,
} from "../documents/describe/home-assistant/discovery.ts";
import type { MqttContext } from "./mqtt-settings.ts";
import type { Publish } from "./packet-reader.ts";
import type { Session } from "./session.ts";
import type { Topics } from "./topics.ts";

/** Where Home Assistant says that it has started. */
const birthTopic = "homeassistant/status";

/** ms between Home Assistant's start and the answer, at most, and between two answers, at least. */
const answerTime = 10_000;
const answerInterval = 60_000;

/** ms after which a noun that comes or goes is announced: others may come or go with it. */
const changeTime = 1_000;

/** Entities of the broker's stored message that are removed, if this device no longer has them. */
const mostRemoved = 1_000;

/** What Home Assistant is told of the device as a whole. */
export interface HomeAssistantSettings
  extends Omit<AnnouncedDevice, "status" | "topic" | "nouns" | "keyOf" | "refuse"> {
  /** The first levels of the topics of its discovery. */
  readonly prefix: string;
  /** Keeps the topic of the last message over a restart; undefined without a folder for it. */
  readonly kept?: KeptTopic | undefined;
}

/** A topic that survives the process. */
export interface KeptTopic {
  /** Undefined if none was kept. */
  readonly topic: string | undefined;
  /** Never throws. */
  keep(topic: string): void;
}

/** The dependencies of an announcement. `forget` frees the code that has written the message. */
export interface AnnouncementContext extends Pick<MqttContext, "clock" | "nouns" | "random" | "forget" | "report"> {
  readonly topics: Topics;
  readonly allows: (verb: Verb, noun: string) => boolean;
  /** Publishes everything else again. */
  readonly repeat: () => void;
}

export class Announcement {
  /** The topic of the message. */
  readonly topic: string;
  /** Topics whose messages are for `onMessage`. */
  readonly filters: readonly string[];
  private readonly settings: HomeAssistantSettings;
  private readonly context: AnnouncementContext;
  /** bytes of the message when it was last written. */
  length = 0;
  /** What Home Assistant knows. */
  private known: Announced = new Map();
  private session: Session | undefined;
  /** The topic of an earlier message that has to go first, because its entities have the ids of these. */
  private former: string | undefined;
  /** Whether the broker's stored message has come in this session. */
  private hasLast = false;
  /** Whether the message is being written, and whether something has changed since that began. */
  private isWriting = false;
  private isStale = false;
  /** The message, while it waits to be published, and what is to be done then. */
  private waiting: string | undefined;
  private done: (() => void)[] = [];
  /** Answers Home Assistant's start, and announces a change. */
  private readonly answer: Alarm;
  private readonly change: Alarm;
  private nextAnswer = Number.NEGATIVE_INFINITY;
  private readonly turns: Turns;
  private readonly refused = new Set<string>();

  constructor(settings: HomeAssistantSettings, context: AnnouncementContext) {
    this.settings = settings;
    this.context = context;
    this.answer = new Alarm(context.clock, () => {
      this.nextAnswer = context.clock.now() + answerInterval;
      this.publish(context.repeat);
    });
    this.change = new Alarm(context.clock, () => this.publish());
    this.turns = new Turns(context.clock);
    this.topic = `${settings.prefix}/device/${settings.id}/config`;
    this.filters = [this.topic, birthTopic];
    const last = settings.kept?.topic;
    if (last !== this.topic) this.former = last;
  }

  /** Finds out how long the message is. */
  measure(done: () => void): void {
    this.write(
      () => {},
      (text) => {
        if (text !== undefined) this.length = utf8Length(text);
        done();
      },
    );
  }

  /**
   * A message that this connection did not send: Home Assistant's start, or one of the device's topic. The broker has
   * kept that; or another device has sent it now, or a person has deleted the device in Home Assistant.
   */
  onMessage({ topic, payload, retain: isStored }: Publish): void {
    if (topic === birthTopic) this.onBirth(payload);
    else if (isStored) this.onLast(payload);
    else if (payload !== "") {
      const { id } = this.settings;
      this.context.report(this.topic, `another device announces itself by the id ${id}: give each device its own`);
    }
  }

  /**
   * The broker has its last message: it may come before `begin` or after it. There is one in a session; a broker that
   * sends more may mean to fill the memory. @param payload in bytes.
   */
  private onLast(payload: string | undefined): void {
    if (this.hasLast) return;
    this.hasLast = true;
    const last = Array.from(announcedBy(decodeUtf8(payload ?? "") ?? "")).slice(0, mostRemoved);
    const isGone = last.some(([id]) => !this.known.has(id));
    this.known = new Map([...last, ...this.known]);
    if (isGone && this.session !== undefined) this.publish();
    else if (!this.isWriting) this.context.forget();
  }

  /** A session has begun. @param done called when the message has been published. */
  begin(session: Session, done: () => void): void {
    this.session = session;
    this.publish(done);
  }

  /** The session has ended. */
  end(): void {
    this.session = undefined;
    this.hasLast = false;
    this.waiting = undefined;
    this.done = [];
    for (const alarm of [this.answer, this.change]) alarm.stop();
  }

  /** Home Assistant may have lost retained messages when it starts, because it subscribes with QoS 0. */
  private onBirth(payload: string | undefined): void {
    const { clock, random } = this.context;
    if (this.session === undefined || payload !== "online") return;
    this.answer.set(Math.max(clock.now() + random() * answerTime, this.nextAnswer));
  }

  /** A noun has come or gone. */
  onChange(): void {
    if (this.session === undefined) return;
    this.change.set(this.context.clock.now() + changeTime);
  }

  /** More may be published. */
  onRoom(): void {
    const { session, waiting } = this;
    if (waiting === undefined || session?.hasRoom !== true) return;
    const { topic, former } = this;
    if (former !== undefined) {
      // Home Assistant frees the ids of entities when it hears of their end.
      this.former = undefined;
      session.publish({ topic: former, payload: "", qos: 1, retain: true });
      this.onRoom();
      return;
    }
    this.waiting = undefined;
    const isTaken = session.publish({ topic, payload: waiting, qos: 1, retain: true });
    if (isTaken) this.settings.kept?.keep(topic);
    else this.context.report(topic, "the message for Home Assistant is larger than the broker accepts");
    this.finish();
  }

  /**
   * Publishes as soon as the message has been written. One is written at a time: what changes meanwhile is in the next.
   * @param done called when it has been published, or cannot be.
   */
  private publish(done?: () => void): void {
    if (done !== undefined) this.done.push(done);
    this.isStale = this.isWriting;
    if (this.isWriting) return;
    this.isWriting = true;
    this.write(
      (sentence) => this.refuse(sentence),
      (text, known) => {
        this.isWriting = false;
        if (this.session === undefined) return;
        if (this.isStale) this.publish();
        else if (text === undefined) this.finish();
        else {
          this.known = known;
          this.waiting = text;
          this.length = utf8Length(text);
          this.onRoom();
        }
      },
    );
  }

  private finish(): void {
    const { done } = this;
    this.done = [];
    this.context.forget();
    for (const one of done) one();
  }

  /** Tells once what Home Assistant would refuse. */
  private refuse(sentence: string): void {
    if (this.refused.has(sentence)) return;
    this.refused.add(sentence);
    this.context.report(this.topic, sentence);
  }

  /**
   * Writes the message, as much in each turn of the loop as it has time for.
   * @param refuse gets what Home Assistant would refuse.
   * @param done gets the message and its entities; undefined if there is no memory for it: the states are published
   *   anyway.
   */
  private write(refuse: (sentence: string) => void, done: (text: string | undefined, known: Announced) => void): void {
    const { topics, nouns, allows } = this.context;
    const device: AnnouncedDevice = {
      ...this.settings,
      status: topics.status,
      topic: (noun) => topics.state(noun),
      keyOf: (noun, key) => nouns.find(noun)?.face.shape?.[key],
      refuse: (_, sentence) => refuse(sentence),
      nouns: announcedNouns(nouns.all(), allows),
    };
    const known = new Map<string, string>();
    const parts = discovery(device, this.known, known)[Symbol.iterator]();
    const texts: string[] = [];
    const onTurn = (): boolean => {
      try {
        for (let part = parts.next(); part.done !== true; part = parts.next()) {
          texts.push(part.value);
          if (!this.turns.hasTime()) return false;
        }
      } catch (error) {
        this.context.report(this.topic, `the message for Home Assistant cannot be written: ${String(error)}`);
        done(undefined, known);
        return true;
      }
      done(texts.join(""), known);
      return true;
    };
    if (!onTurn()) this.turns.add({ onTurn });
  }
}
