/**
 * Another device, as the mirrors of its nouns need it: one stream of events for all of them, its description at each
 * connection, and a connection for commands while there are some.
 *
 *     const porch = new OtherDevice(context, { url, target: 0, token, keepAlive: 30_000 });
 *     porch.add(new MirrorNoun(porch, "bell", {}, reshaped));
 */

import { utf8Length } from "../../core/http/utf8.ts";
import { hops, mostHops } from "../../core/noun/noun-traits.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Socket, SocketHandler } from "../../native/net.ts";
import { Exchange, type ExchangeContext, type Outcome } from "../client/exchange.ts";
import type { HttpUrl } from "../client/url.ts";
import { Commands } from "./commands.ts";
import { DescriptionReader } from "./description-reader.ts";
import { EventReader } from "./event-reader.ts";
import { describedNoun } from "./foreign-noun.ts";
import { MirroredForm, type MirrorNoun, type StateLimits } from "./mirror-noun.ts";

/** What determines another device. */
export interface OtherDeviceOptions {
  /** Of its nouns: the path ends with a slash. */
  readonly url: HttpUrl;
  /** The number at the connector. */
  readonly target: number;
  readonly isEncrypted: boolean;
  /** A credential (RFC 6750); undefined for none. */
  readonly token: string | undefined;
  /** ms of silence after which the device counts as gone. */
  readonly keepAlive: number;
  /** Gives the bytes of JSON, and the keys, that a state may have. */
  readonly stateLimits: () => StateLimits;
}

/** The dependencies of another device. */
export interface OtherDeviceContext extends ExchangeContext {
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  /** Receives why the device cannot be followed, once for each time. */
  readonly report: (description: string) => void;
  /** Called when a mirror has another shape, or other words. */
  readonly reshaped: (mirror: MirrorNoun) => void;
  /** Called when the last mirror is closed. */
  readonly onClosed: () => void;
}

/** ms for a connection, and for a response to begin. */
const connectTime = 4_000;
/** ms between two attempts: at first, and at most. */
const firstDelay = 100;
const longestDelay = 3_000;
/** ms between the begins of two attempts, at least: a device may end each stream as soon as it has begun. */
const leastInterval = 250;
/** The part of `keepAlive` after which a silent device is asked. One with the usual limits says something earlier. */
const askingPart = 0.6;
/**
 * ms in which a device may change its description once, at first and at most: each change ends all streams of this
 * device's nouns. The time doubles with each change, until a device keeps its description for as long.
 */
const firstChange = 1_000;
const longestChange = 3_600_000;
/** ms after which a device is asked again that has no usable noun. */
const idleDelay = 5_000;

const descriptionLimits = { headBytes: 8_192, bodyBytes: 8_388_608 };
/** Bytes of one event, if its states may not have more: the first one has the states of all nouns. */
const mostEvent = 65_536;
/** Bytes of an event without its state. */
const eventHead = 1_024;
/** Bytes of events that are read in a second; what comes faster waits in the network. */
const mostBytesInSecond = 262_144;

export class OtherDevice implements SocketHandler {
  private readonly context: OtherDeviceContext;
  private readonly options: OtherDeviceOptions;
  private readonly mirrors: MirrorNoun[] = [];
  private readonly commands: Commands;
  /** The next attempt, or the end of the present one. */
  private readonly alarm: Alarm;
  /** Rings when the stream has been silent for too long. */
  private readonly silence: Alarm;
  /** Lets the stream go on that was faster than it may be. */
  private readonly pause: Alarm;
  private exchange: Exchange | undefined;
  /** A request that shows whether a silent device is there. */
  private probe: Exchange | undefined;
  private lastHeard = 0;
  private socket: Socket | undefined;
  private reader: EventReader | undefined;
  /** When another description may be taken, and how long after the last one that is. */
  private nextChange = Number.NEGATIVE_INFINITY;
  private changeTime = firstChange;
  /** Reads the description again that was not taken. */
  private readonly changing: Alarm;
  /** The noun whose stream it is; undefined for that of all nouns. */
  private only: string | undefined;
  private tag = "";
  private lastAttempt = Number.NEGATIVE_INFINITY;
  private failures = 0;
  private isDown = true;
  private isOpening = false;
  private second = 0;
  private bytesInSecond = 0;

  constructor(context: OtherDeviceContext, options: OtherDeviceOptions) {
    this.context = context;
    this.options = options;
    this.commands = new Commands(context, options);
    const { clock } = context;
    this.alarm = new Alarm(clock, () => this.onAlarm());
    this.silence = new Alarm(clock, () => this.onSilence());
    this.pause = new Alarm(clock, () => this.socket?.setReading(true));
    this.changing = new Alarm(clock, () => {
      if (this.socket !== undefined) this.again();
    });
  }

  get stateLimits(): StateLimits {
    return this.options.stateLimits();
  }

  /** Begins to follow for one more mirror, in another turn of the loop. */
  add(mirror: MirrorNoun): void {
    this.mirrors.push(mirror);
    this.tag = "";
    if (this.socket === undefined && this.exchange === undefined) this.attemptAt(this.context.clock.now());
  }

  /** The description of a mirror is another one. */
  reshaped(mirror: MirrorNoun): void {
    this.context.reshaped(mirror);
  }

  /** A mirror is closed. With the last one, everything is. */
  remove(mirror: MirrorNoun): void {
    const index = this.mirrors.indexOf(mirror);
    if (index >= 0) this.mirrors.splice(index, 1);
    if (this.mirrors.length > 0) return;
    for (const alarm of [this.alarm, this.changing]) alarm.stop();
    this.drop();
    this.commands.close();
    this.context.onClosed();
  }

  /** Sends a command. @param done called once. */
  command(method: string, name: string, hops: number, body: string, done: (outcome: Outcome) => void): void {
    // A DELETE has an empty body in chunks, so that it waits for the device as the others do.
    const [framing, sent] =
      method === "DELETE"
        ? ["Transfer-Encoding: chunked\r\n", "0\r\n\r\n"]
        : [`Content-Type: application/json\r\nContent-Length: ${utf8Length(body)}\r\n`, body];
    this.commands.perform(`${this.head(method, name, hops)}${framing}`, sent, done);
  }

  onBytes(bytes: string): void {
    const { reader, context } = this;
    if (reader === undefined) return;
    try {
      reader.take(bytes);
    } catch (error) {
      this.fail(error instanceof Error ? error.message : "The stream is malformed.");
      return;
    }
    if (reader.status !== 200 && reader.status !== 0) {
      this.fail(`It answers ${reader.status} to a request for its events.`);
      return;
    }
    if (this.reader !== reader) return; // an event has ended it
    if (reader.isDone) {
      this.again(); // its length is over
      return;
    }
    const now = context.clock.now();
    this.heard(now);
    if (now - this.second >= 1_000) {
      this.second = now;
      this.bytesInSecond = 0;
    }
    this.bytesInSecond += bytes.length;
    if (this.bytesInSecond <= mostBytesInSecond) return;
    this.socket?.setReading(false);
    this.pause.set(this.second + 1_000);
  }

  onEnd(): void {
    this.again();
  }

  onDrain(): void {}

  onGone(): void {
    this.socket = undefined;
    this.again();
  }

  /** The device has said something. */
  private heard(now: number): void {
    this.probe?.cancel();
    this.probe = undefined;
    this.lastHeard = now;
    this.silence.move(now + askingPart * this.options.keepAlive);
  }

  /** Asks a device that has been silent for long, and counts it as gone if it does not answer. */
  private onSilence(): void {
    const { options, context } = this;
    const now = context.clock.now();
    const left = this.lastHeard + options.keepAlive - now;
    if (left <= 0 || this.socket === undefined) {
      this.fail("It has been silent for too long.");
      return;
    }
    this.silence.move(now + left);
    const probe = this.ask("OPTIONS", this.only ?? "", "", left, undefined, (outcome) => {
      if (this.probe === probe && typeof outcome !== "string") this.heard(context.clock.now());
    });
    this.probe = probe;
  }

  /**
   * Sends a request on a connection of its own.
   * @param fields besides the usual ones. @param onBody gets the body; undefined if nobody needs it.
   */
  private ask(
    method: string,
    name: string,
    fields: string,
    time: number,
    onBody: ((bytes: string) => void) | undefined,
    done: (outcome: Outcome) => void,
  ): Exchange {
    const { target, isEncrypted, url: base } = this.options;
    const url = { ...base, path: `${base.path}${name}` };
    const request = { method, url, fields: `${this.fields(1)}${fields}` };
    const limits = { ...descriptionLimits, isEndProven: isEncrypted };
    const options = { ...request, target, limits, time, keepsBody: onBody !== undefined, onBody };
    return new Exchange(this.context, options, done);
  }

  private onAlarm(): void {
    if (this.isOpening || this.exchange !== undefined) this.fail(`It has not answered within ${connectTime} ms.`);
    else this.attempt();
  }

  private attemptAt(moment: number): void {
    this.alarm.move(Math.max(moment, this.lastAttempt + leastInterval));
  }

  /** Reads the description, if it is another one than before. */
  private attempt(): void {
    this.lastAttempt = this.context.clock.now();
    const fields = this.tag === "" ? "" : `If-None-Match: ${this.tag}\r\n`;
    const reader = new DescriptionReader(new Set(this.mirrors.map(({ of }) => of)));
    const onBody = (bytes: string) => reader.take(bytes);
    this.exchange = this.ask("GET", ".well-known/wot", fields, connectTime, onBody, (outcome) =>
      this.onDescription(outcome, reader),
    );
  }

  private onDescription(outcome: Outcome, reader: DescriptionReader): void {
    if (this.exchange === undefined) return; // it was cancelled
    this.exchange = undefined;
    if (typeof outcome === "string") {
      this.fail(outcome);
      return;
    }
    const { status } = outcome;
    if (status === 200) {
      if (!reader.isComplete) {
        this.fail("Its description is none.");
        return;
      }
      // One that was not taken is read again.
      this.tag = this.describe(reader) ? (outcome.field("etag") ?? "") : "";
    } else if (status !== 304 && status !== 404) {
      this.fail(`It answers ${status} to a request for its description.`);
      return;
    }
    this.follow();
  }

  /** @returns whether the description was taken. */
  private describe(reader: DescriptionReader): boolean {
    const now = this.context.clock.now();
    const mayChange = now >= this.nextChange;
    let isChanged = false;
    /** Most mirrors of a device have the shapes of others: each is held once. */
    const forms = new Map<string, MirroredForm>();
    for (const mirror of [...this.mirrors]) {
      const { of } = mirror;
      try {
        const { statePairs } = this.stateLimits;
        const update = reader.textOf("actions", `${of}.update`);
        const described = describedNoun(reader.textOf("properties", of), update, statePairs);
        const text = JSON.stringify([described.shape, described.updateShape]);
        const form = forms.get(text) ?? new MirroredForm(described);
        forms.set(text, form);
        if (mirror.describe(described, form, mayChange)) isChanged = true;
        mirror.isUsable = mirror[hops] <= mostHops;
        if (!mirror.isUsable) mirror.lose("The mirrors are in a ring, or in a row of more than four.");
      } catch (error) {
        mirror.isUsable = false;
        mirror.lose(`The other device ${error instanceof Error ? error.message : "has no such noun"}.`);
      }
    }
    if (!isChanged) return true;
    if (!mayChange) {
      this.changing.set(this.nextChange);
      return false;
    }
    const hasKept = now - this.nextChange >= this.changeTime;
    this.changeTime = hasKept ? firstChange : Math.min(longestChange, 2 * this.changeTime);
    this.nextChange = now + this.changeTime;
    return true;
  }

  /** Opens the stream: of the only noun, or of all of them. */
  private follow(): void {
    const followed = this.mirrors.filter(({ isUsable }) => isUsable);
    const names = new Set(followed.map(({ of }) => of));
    if (names.size === 0) {
      this.alarm.move(this.context.clock.now() + idleDelay);
      return;
    }
    this.only = names.size === 1 ? followed[0]?.of : undefined;
    const depth = Math.max(...followed.map((mirror) => mirror[hops]));
    const { context, options } = this;
    const request = `${this.head("GET", this.only ?? "", depth)}Accept: text/event-stream\r\n\r\n`;
    this.isOpening = true;
    this.alarm.move(context.clock.now() + connectTime);
    context.connector.connect(options.target, connectTime, (socket, reason) => {
      if (!this.isOpening) socket?.close();
      else if (socket === undefined) this.fail(`It cannot be reached: ${reason}.`);
      else {
        this.socket = socket;
        this.reader = new EventReader(Math.max(mostEvent, this.stateLimits.stateBytes + eventHead), (data) =>
          this.onData(data),
        );
        socket.handler = this;
        socket.setLongLived();
        socket.write(request);
      }
    });
  }

  private onData(data: string): void {
    const states: unknown = JSON.parse(data);
    if (this.isOpening) {
      this.isOpening = false;
      this.isDown = false;
      this.failures = 0;
      this.alarm.stop();
    }
    for (const mirror of this.mirrors) {
      if (!mirror.isUsable) continue;
      if (this.only !== undefined) {
        if (mirror.of === this.only) mirror.take(states);
        continue;
      }
      if (typeof states !== "object" || states === null) throw new Error("An event has no states.");
      if (Object.hasOwn(states, mirror.of)) mirror.take((states as { [name: string]: unknown })[mirror.of]);
    }
  }

  /** The stream has ended, as it does when nouns or tokens are others. The states hold until the next attempt fails. */
  private again(): void {
    const wasOpen = !this.isOpening;
    this.drop(true);
    if (wasOpen) this.attemptAt(this.context.clock.now());
    else this.fail("It has closed the connection.");
  }

  /** @param reason a sentence. */
  private fail(reason: string): void {
    this.drop();
    if (this.mirrors.length === 0) return;
    if (!this.isDown) this.context.report(reason);
    this.isDown = true;
    this.tag = "";
    const sentence = `The other device cannot be followed. ${reason}`;
    for (const mirror of this.mirrors) mirror.lose(sentence);
    this.commands.fail(sentence);
    const delay = Math.min(longestDelay, firstDelay * 2 ** Math.min(this.failures, 10));
    this.failures += 1;
    this.attemptAt(this.context.clock.now() + delay * (0.5 + this.context.random() / 2));
  }

  /** @param keepsSilence whether the device still counts as gone when it stays silent. */
  private drop(keepsSilence = false): void {
    const { socket, exchange } = this;
    this.socket = undefined;
    this.reader = undefined;
    this.exchange = undefined;
    this.isOpening = false;
    this.pause.stop();
    this.probe?.cancel();
    this.probe = undefined;
    if (!keepsSilence) this.silence.stop();
    socket?.close();
    exchange?.cancel();
  }

  /** The head of a request on a connection that stays open, but for the end. */
  private head(method: string, name: string, hops: number): string {
    const { url } = this.options;
    const line = `${method} ${url.path}${name} HTTP/1.1`;
    return `${line}\r\nHost: ${url.host}\r\nUser-Agent: ${this.context.agent}\r\n${this.fields(hops)}`;
  }

  private fields(hops: number): string {
    const { token } = this.options;
    return `${token === undefined ? "" : `Authorization: Bearer ${token}\r\n`}X-Nound-Hops: ${hops}\r\n`;
  }
}
