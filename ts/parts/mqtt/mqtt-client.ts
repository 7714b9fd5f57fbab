/**
 * The client of a broker: when it connects, to which address, and what it tells. While there is no session, it costs a
 * timer.
 */

import { NextStep } from "../../core/time/next-step.ts";
import type { Socket } from "../../native/net.ts";
import { Announcement } from "./announcement.ts";
import { type Attempt, Attempts } from "./attempts.ts";
import { Blame } from "./blame.ts";
import type { BrokerCounts } from "./broker-measures.ts";
import { Commands } from "./commands.ts";
import { Echo } from "./echo.ts";
import { acknowledgement } from "./left-out.ts";
import type { MqttContext, MqttSettings } from "./mqtt-settings.ts";
import type { Publish } from "./packet-reader.ts";
import { Publisher } from "./publisher.ts";
import { namesake, speechlessText } from "./reason-texts.ts";
import { Session, type SessionEnd, type SessionEvents } from "./session.ts";
import { longestTopic, Topics } from "./topics.ts";

/** s that the broker keeps the session after a lost connection, and waits before it publishes the will. */
const sessionExpiry = 15;
const willDelay = 10;

/** Messages of QoS 1 that the broker may send before it gets acknowledgements. */
const receiveMaximum = 16;

/** bytes: a smaller limit makes mosquitto deaf, because a dropped message keeps its place of Receive Maximum. */
const leastPacketBytes = 65_536;

/** bytes of a PUBLISH besides its payload: its topic, and properties that other clients have set. */
const publishHeadBytes = 1_024;

/** ms for a connection, and to wait for the connector, which may have ended. */
const connectTime = 10_000;
const dialTime = 12_000;

/** ms between two CONNECTs. */
const connectInterval = 1_000;

/** ms that a session has lasted when the next wait is short again. */
const settledTime = 60_000;

/** ms to the next connect, at least, when all addresses have refused the device for the second time. */
const refusedTime = 60_000;

/** ms of the least waits between short connections: they double. */
const shortestWait = 1_000;

/** ms for the last message before the program ends. */
const farewellTime = 1_000;

/** Reason codes. */
const retainNotSupported = 0x9a;
const qosNotSupported = 0x9b;
/** Another address is to be tried at once. */
const elsewhere = new Set([0x8b, 0x9c, 0x9d]);
export class MqttClient implements SessionEvents {
  private readonly settings: MqttSettings;
  private readonly context: MqttContext;
  private readonly topics: Topics;
  private readonly echo: Echo;
  private readonly blame: Blame;
  private readonly attempts: Attempts;
  private attempt: Attempt | undefined;
  /** Whether an address of this round took the connection and then said nothing. */
  private wasIgnored = false;
  private session: Session | undefined;
  private publisher: Publisher | undefined;
  private readonly announcement: Announcement | undefined;
  private commands: Commands | undefined;
  private readonly step: NextStep;
  private lastConnect = Number.NEGATIVE_INFINITY;
  private readySince: number | undefined;
  /** Until when the broker keeps the last session; nothing before the first one. */
  private sessionUntil = Number.NEGATIVE_INFINITY;
  /** Short connections in a row that the broker has closed without a reason. */
  private evictions = 0;
  /** Connections in a row that were short, and those that were refused. */
  private shortConnections = 0;
  private refusals = 0;
  /** The reason codes of what the broker's CONNACK has refused: retained messages, QoS 1. */
  private readonly refused = new Set<number>();
  private hasEnded = false;
  private connects = 0;
  private readonly messages = { received: 0, sent: 0 };
  /** Called when the broker knows that the device ends. */
  private farewell: (() => void) | undefined;

  constructor(settings: MqttSettings, context: MqttContext) {
    this.settings = settings;
    this.context = context;
    this.topics = new Topics(settings.prefix, settings.id, settings.groups);
    this.echo = new Echo(this.topics.status);
    this.blame = new Blame();
    this.attempts = new Attempts(settings.brokers.length, settings.spread, context.random);
    const { topics } = this;
    const { homeAssistant, allows } = settings;
    const repeat = () => this.publisher?.repeat();
    this.announcement = homeAssistant && new Announcement(homeAssistant, { ...context, topics, allows, repeat });
    // The broker still has the session of the process before a reload, whose will it holds back for some seconds.
    if (settings.resumes) this.sessionUntil = context.clock.now() + sessionExpiry * 1_000;
    this.step = new NextStep(context.clock, () => {
      if (this.session === undefined) this.beginRound();
    });
    this.step.after(settings.resumes ? 0 : this.attempts.firstWait(), () => {
      // The broker's last message may be as long as this one.
      if (this.announcement === undefined) this.beginRound();
      else this.announcement.measure(() => this.beginRound());
    });
  }

  get counts(): BrokerCounts {
    return { isConnected: this.readySince !== undefined, connects: this.connects, ...this.messages };
  }

  /** A noun was registered, or has another shape. @param name in lower case. */
  registered(name: string): void {
    this.publisher?.registered(name);
    this.announcement?.onChange();
  }

  /**
   * Says goodbye, and connects no more.
   * @returns a promise that resolves when the broker knows, after a second at most.
   */
  close(): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    this.hasEnded = true;
    this.step.end();
    const { session } = this;
    this.publisher?.end();
    this.publisher = undefined;
    this.announcement?.end();
    this.commands?.end();
    if (session === undefined || !session.isReady) {
      session?.close();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = (): void => {
        this.step.end();
        session.disconnect();
        resolve();
      };
      this.step.after(farewellTime, end);
      this.farewell = end;
      this.sayFarewell();
    });
  }

  /**
   * The device stood still. What a broker has sent it meanwhile is stale, so its session is not taken up again.
   * @param time in ms.
   */
  onStandstill(time: number): void {
    this.session?.onStandstill(time / 1_000);
    this.sessionUntil = Number.NEGATIVE_INFINITY;
  }

  onReady(session: Session): void {
    const { context, topics, settings } = this;
    this.refusals = 0;
    this.readySince = context.clock.now();
    const problem = context.accepted();
    if (problem !== undefined) this.publishProblem("", problem);
    this.tellWhatIsMissing(session);
    const publishStates = (): void => {
      this.publisher = new Publisher({
        ...context,
        session,
        topics,
        reaches: (noun) => settings.allows("GET", noun),
        interval: settings.interval,
        onGone: () => this.announcement?.onChange(),
      });
    };
    if (this.announcement === undefined) publishStates();
    else this.announcement.begin(session, publishStates);
  }

  onMessage(message: Publish): void {
    const { topics, session, commands, announcement } = this;
    if (announcement?.filters.includes(message.topic)) {
      announcement.onMessage(message);
      session?.acknowledge(message);
      return;
    }
    const command = topics.command(message.topic);
    if (command === undefined || message.retain) {
      if (message.topic === topics.status) {
        if (message.payload === "offline") this.publisher?.announceAgain();
      } else {
        const why = command === undefined ? "no command" : "retained, and a retained command is never executed";
        const topic = message.topic.slice(0, longestTopic);
        this.context.report("mqtt message", `ignored a message to ${topic}: it is ${why}`);
      }
      session?.acknowledge(message);
      return;
    }
    commands?.perform(command, message, () => {
      session?.acknowledge(message);
      session?.resume();
    });
  }

  onRoom(): void {
    this.announcement?.onRoom();
    this.publisher?.publishChanges();
    this.sayFarewell();
  }

  isBusy(): boolean {
    return this.commands?.isBusy === true;
  }

  onRefused(topic: string, description: string): void {
    this.context.report(`mqtt ${topic}`, description);
  }

  onDue(topic: string): void {
    if (topic === this.announcement?.topic) this.announcement.onChange();
    else if (topic === this.topics.status) this.publisher?.announceAgain();
    else this.publisher?.publishAgain(topic);
  }

  onEnd(end: SessionEnd): void {
    const { sentence, reason, wasAnswered, hasClosed } = end;
    const { readySince } = this;
    const now = this.context.clock.now();
    this.session = undefined;
    this.publisher?.end();
    this.announcement?.end();
    this.commands?.end();
    this.publisher = this.commands = undefined;
    this.readySince = undefined;
    if (this.hasEnded) {
      this.farewell?.();
      return;
    }
    // What a deaf connection has not delivered would be executed late.
    if (readySince !== undefined && !this.echo.isMissing) this.sessionUntil = now + sessionExpiry * 1_000;
    const isSettled = readySince !== undefined && now - readySince >= settledTime;
    const verdict = this.blame.judge(end, now);
    const blamed = verdict?.name;
    // In the same session, the broker would send the command once more.
    if (blamed === acknowledgement) this.sessionUntil = Number.NEGATIVE_INFINITY;
    // A broker that closes without a reason has one: a packet, or another client. If it only ends, it refuses the next
    // connection.
    const isUnexplained =
      readySince !== undefined && reason === undefined && hasClosed && !isSettled && verdict === undefined;
    const description = sentence + (verdict?.description ?? "");
    this.evictions = isUnexplained ? this.evictions + 1 : 0;
    // Without what is blamed, the next connection is to last.
    this.shortConnections = isSettled || verdict !== undefined ? 0 : this.shortConnections + 1;
    if (readySince !== undefined) {
      if (isSettled) this.attempts.settle();
      this.report(description, blamed);
      if (this.evictions > 1) this.context.report("mqtt id", namesake(this.settings.id));
      const isElsewhere = reason !== undefined && elsewhere.has(reason) && this.settings.brokers.length > 1;
      if (isElsewhere) this.beginRound((this.attempt?.target ?? 0) + 1);
      else this.waitLonger();
      return;
    }
    if (!wasAnswered && reason === undefined) this.wasIgnored = true;
    if ((reason === retainNotSupported || reason === qosNotSupported) && !this.refused.has(reason)) {
      this.refused.add(reason);
      this.again();
      return;
    }
    const isRefused = !wasAnswered && (reason !== undefined || hasClosed);
    if (isRefused) this.refusals += 1;
    else if (!wasAnswered) this.blame.leftOut.acquit();
    this.failed(description + (isRefused && hasClosed ? speechlessText() : ""), blamed);
  }

  /** Publishes `offline` once there is room, and ends the session when the broker has it. */
  private sayFarewell(): void {
    const { farewell, session } = this;
    if (farewell === undefined || session?.hasRoom !== true) return;
    this.farewell = undefined;
    session.publish({ topic: this.topics.status, payload: "offline", qos: 1, retain: true }, farewell);
  }

  private tellWhatIsMissing({ properties }: Session): void {
    const { maximumQoS = 1, retainAvailable = 1 } = properties;
    if (maximumQoS === 0 || this.refused.has(qosNotSupported)) {
      this.context.report("mqtt QoS", "the broker does not have QoS 1: states are published with QoS 0");
    }
    if (retainAvailable === 0 || this.refused.has(retainNotSupported)) {
      this.context.report(
        "mqtt retain",
        "the broker retains nothing: a new subscriber gets a state only when it changes",
      );
    }
  }

  private waitLonger(): void {
    const { brokers } = this.settings;
    const short = this.shortConnections > 1 ? shortestWait * 2 ** Math.min(this.shortConnections - 1, 6) : 0;
    const least = this.refusals > brokers.length ? refusedTime : Math.min(refusedTime, short);
    this.step.after(Math.max(least, this.attempts.wait()), () => this.beginRound());
  }

  /** @param first the number of the first address; a random one if left out. */
  private beginRound(first?: number): void {
    this.wasIgnored = false;
    this.attempts.begin(this.context.clock.now() > this.sessionUntil, first);
    this.tryNext();
  }

  /** Tries the next address. Between two CONNECTs there is a second at least. */
  private tryNext(): void {
    const due = this.lastConnect + connectInterval - this.context.clock.now();
    if (due > 0) {
      this.step.after(due, () => this.tryNext());
      return;
    }
    const attempt = this.attempts.next();
    if (attempt === undefined) {
      this.waitLonger();
      return;
    }
    this.dial(attempt);
  }

  /** Tries the same address once more. */
  private again(): void {
    if (this.attempt !== undefined) this.attempts.repeat(this.attempt);
    this.tryNext();
  }

  private failed(description: string, blamed?: string): void {
    this.report(description, blamed);
    // A cluster whose node with the session is gone answers only without it.
    if (this.attempts.areOver && this.wasIgnored && this.attempt?.cleanStart === false) this.attempts.begin(true);
    this.tryNext();
  }

  /** @param blamed the name of what the broker has ended the connection for: each is logged, whatever was before. */
  private report(description: string, blamed?: string): void {
    const broker = this.settings.brokers[this.attempt?.target ?? 0];
    this.context.report(blamed === undefined ? "mqtt" : `mqtt ${blamed}`, `${broker}: ${description}`);
  }

  private dial(attempt: Attempt): void {
    this.attempt = attempt;
    // A late answer belongs to no attempt any more.
    this.step.after(dialTime, () => {
      if (this.session !== undefined) return;
      this.attempt = { ...attempt };
      this.failed("it cannot be reached in time");
    });
    this.context.connector.connect(attempt.target, connectTime, (socket, reason) =>
      this.onDialled(attempt, socket, reason),
    );
  }

  private onDialled(attempt: Attempt, socket: Socket | undefined, reason: string): void {
    if (this.hasEnded || this.attempt !== attempt || this.session !== undefined) {
      socket?.close();
      return;
    }
    if (socket === undefined) {
      this.evictions = this.shortConnections = 0;
      this.blame.onAbsence();
      this.failed(reason);
      return;
    }
    try {
      this.step.wait();
      this.open(attempt, socket);
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  private open({ cleanStart }: Attempt, socket: Socket): void {
    const { context } = this;
    const { clock, limits } = context;
    const { id, user, password, keepAlive, allows } = this.settings;
    const qos = this.refused.has(qosNotSupported) ? 0 : 1;
    const retain = !this.refused.has(retainNotSupported);
    const { peer } = socket;
    const { announcement, echo, messages } = this;
    const { leftOut, isCareful } = this.blame;
    const payloadBytes = Math.max(limits.bodyBytes, 2 * (announcement?.length ?? 0));
    const packetBytes = Math.max(leastPacketBytes, payloadBytes + publishHeadBytes);
    this.lastConnect = clock.now();
    this.connects += 1;
    this.commands = new Commands({
      ...context,
      allows,
      answer: (noun, answer) => this.publisher?.answered(noun, answer),
      refuse: (noun, problem) => this.publishProblem(noun, problem),
      log: (verb, noun, answer) => context.log(peer, verb, noun, answer),
    });
    const connect = {
      clientId: id,
      // What was sent while this device was away is not to be executed late.
      cleanStart: cleanStart || this.lastConnect > this.sessionUntil,
      keepAlive,
      user,
      password,
      will: { topic: this.topics.status, payload: "offline", qos, retain } as const,
      willDelay,
      sessionExpiry,
      receiveMaximum,
      maximumPacketSize: packetBytes,
    };
    const reader = { packetBytes, payloadBytes };
    const stored = announcement?.topic;
    const filters = [...this.topics.filters((verb) => allows(verb, undefined)), ...(announcement?.filters ?? [])];
    const hasOther = !this.attempts.areOver;
    const options = { connect, reader, filters, stored, echo, leftOut, isCareful, hasOther, messages };
    this.session = new Session(clock, socket, options, this);
  }

  /** @param noun "" for a problem of the device. @param problem a problem document. */
  private publishProblem(noun: string, problem: string): void {
    if (this.session?.hasRoom !== true) return;
    // Home Assistant hears of all problems as of one, and does not see their topics.
    const payload = `${problem.slice(0, -1)},"instance":${JSON.stringify(`/${noun}`)}}`;
    this.session.publish({ topic: this.topics.problem(noun || "."), payload, qos: 0, retain: false });
  }
}
