/**
 * A noun while at least one client watches it. It is read when it reports a change, or at intervals if it cannot report
 * changes. A state that differs from the last event becomes the next event. Reading has the same limit as events, so a
 * noun that calls `changed` in a loop costs no more than one that changes often.
 */
import type { Clock, TimerId } from "../native/loop.ts";
import { type Noun, usualPoll } from "../noun/noun.ts";
import { Audience } from "./audience.ts";
import { comparedPart, type EventIds, type NounEvent, timeDependentKeys } from "./event.ts";
import type { Watch } from "./watch.ts";

/** A registered noun, as it can be watched. */
export interface WatchableNoun {
  readonly name: string;
  readonly noun: Noun;
  /**
   * Reads the state when it is the noun's turn.
   * @param done called once, now or later, with the state as JSON, or without one when the noun failed.
   */
  read(done: (json?: string) => void): void;
}

/** The parts that all watched nouns of a server share. */
export interface WatchedNounContext {
  readonly clock: Clock;
  /** Calls a function of a noun, which may never return. @throws the function's error, or its interruption. */
  readonly call: <Result>(function_: () => Result) => Result;
  readonly ids: EventIds;
  /** ms between two events of one noun, at least. */
  readonly eventInterval: number;
  /** Receives an error that a noun's `watch`, or its end, threw. */
  readonly report: (name: string, error: unknown) => void;
}

/** The JSON of a noun that failed. */
const failed = "null";

export class WatchedNoun {
  private readonly watched: WatchableNoun;
  private readonly context: WatchedNounContext;
  /** The listeners; those that are told in the same form together. */
  private audiences: Audience[] = [];
  private readonly ignoredKeys: readonly string[];
  private readonly onDone: (name: string) => void;
  /** ms between two readings; undefined for a noun that tells of its changes. */
  private poll: number | undefined;
  private stopTelling: (() => void) | undefined;
  /** The latest state. */
  latest: NounEvent;
  private isReading = false;
  /** The noun may have changed since the last reading began. */
  private isStale = false;
  /** No client watches the noun any more, so later reports of it are ignored. */
  private hasEnded = false;
  /** A listener has got a state other than the latest one. */
  private mustResend = false;
  /** The latest state has not been sent yet. */
  isUnsent = false;
  private lastRead = Number.NEGATIVE_INFINITY;
  /** When the last event was sent to all, in ms by the clock. */
  lastSent = Number.NEGATIVE_INFINITY;
  private timer: TimerId | undefined;
  private timerMoment = 0;

  /**
   * @param json its state now, or undefined if it failed.
   * @param onDone called with its name when nobody watches it any more.
   */
  constructor(
    watched: WatchableNoun,
    json: string | undefined,
    context: WatchedNounContext,
    onDone: (name: string) => void,
  ) {
    this.watched = watched;
    this.context = context;
    this.onDone = onDone;
    // Under guard, because a noun may compute its shape.
    this.ignoredKeys = context.call(() => timeDependentKeys(watched.noun.shape));
    this.latest = this.makeEvent(json ?? failed);
    const { noun } = watched;
    const tells = noun.watch !== undefined && this.startTelling();
    this.poll = noun.poll ?? (tells ? undefined : usualPoll);
    if (tells) {
      // Nothing reported changes between the reading of the first state and the call of `watch`.
      this.changed();
    } else {
      this.lastRead = context.clock.now();
      this.schedule();
    }
  }

  get name(): string {
    return this.watched.name;
  }

  /** Takes one more watch, and the state that its client was just given. */
  join(watch: Watch, json: string | undefined): void {
    let audience = this.audienceOf(watch);
    if (audience === undefined) {
      audience = new Audience(watch.listener.form);
      this.audiences.push(audience);
    }
    audience.add(watch);
    if (this.makeEvent(json ?? failed).compared === this.latest.compared) return;
    // It may have been read before the latest event or after it. So the noun is read again, and all clients get the
    // result.
    this.mustResend = true;
    this.changed();
  }

  /** Takes a watch away. After the last one nothing is read any more. */
  leave(watch: Watch): void {
    const audience = this.audienceOf(watch);
    audience?.remove(watch);
    if (audience?.size === 0) this.audiences = this.audiences.filter((other) => other !== audience);
    if (this.audiences.length > 0) return;
    if (this.timer !== undefined) this.context.clock.clearTimer(this.timer);
    this.timer = undefined;
    this.onDone(this.watched.name);
    this.end();
  }

  /** Reports that the state may have changed. It is read in another turn, as the noun may still change it. */
  readonly changed = (): void => {
    this.isStale = true;
    this.schedule();
  };

  private audienceOf({ listener }: Watch): Audience | undefined {
    return this.audiences.find(({ form }) => form === listener.form);
  }

  private startTelling(): boolean {
    return this.attempt(() => {
      const stop: unknown = this.watched.noun.watch?.(this.changed);
      if (typeof stop !== "function") throw new TypeError("watch must return the function that ends it.");
      this.stopTelling = stop as () => void;
    });
  }

  private end(): void {
    this.hasEnded = true;
    this.attempt(() => this.stopTelling?.());
  }

  private attempt(step: () => void): boolean {
    try {
      this.context.call(step);
      return true;
    } catch (error) {
      this.context.report(this.watched.name, error);
      return false;
    }
  }

  private makeEvent(json: string): NounEvent {
    const compared = json === failed ? failed : comparedPart(json, this.ignoredKeys);
    return { name: this.watched.name, json, compared, id: "" };
  }

  private schedule(): void {
    if (this.isReading || this.hasEnded) return;
    const { clock } = this.context;
    const moment = Math.min(this.readMoment, this.sendMoment);
    if (this.timer !== undefined) {
      if (this.timerMoment <= moment) return;
      clock.clearTimer(this.timer);
    }
    this.timer = undefined;
    if (moment === Number.POSITIVE_INFINITY) return;
    this.timer = clock.setTimer(this.onTimer, Math.max(0, moment - clock.now()));
    this.timerMoment = moment;
  }

  private readonly onTimer = (): void => {
    this.timer = undefined;
    const now = this.context.clock.now();
    try {
      if (now >= this.sendMoment) this.sendToAll();
      if (now >= this.readMoment && !this.hasEnded) this.read();
    } finally {
      this.schedule();
    }
  };

  /** When the next reading is due. */
  private get readMoment(): number {
    if (this.isStale) return this.lastRead + this.context.eventInterval;
    const poll = this.poll ?? (this.latest.compared === failed ? usualPoll : Number.POSITIVE_INFINITY);
    return this.lastRead + poll;
  }

  /** When the latest state may be sent. */
  private get sendMoment(): number {
    return this.isUnsent ? this.lastSent + this.context.eventInterval : Number.POSITIVE_INFINITY;
  }

  private read(): void {
    let isDone = false;
    const done = (json?: string) => {
      if (isDone) return;
      isDone = true;
      this.isReading = false;
      try {
        if (!this.hasEnded) this.take(json);
      } catch (error) {
        this.take(); // without memory for the state, the noun has failed, and is read again
        throw error;
      } finally {
        this.schedule();
      }
    };
    this.isReading = true;
    this.isStale = false;
    this.lastRead = this.context.clock.now();
    try {
      this.watched.read(done);
    } catch (error) {
      done();
      this.context.report(this.watched.name, error);
    }
  }

  /** Makes an event if the state differs from the last one, and sends it unless the last event is too recent. */
  private take(json?: string): void {
    const event = this.makeEvent(json ?? failed);
    if (event.compared === this.latest.compared && !this.mustResend) return;
    this.mustResend = false;
    this.latest = event;
    this.isUnsent = true;
    if (this.context.clock.now() >= this.sendMoment) this.sendToAll();
    else this.schedule();
  }

  private sendToAll(): void {
    this.lastSent = this.context.clock.now();
    this.latest.id = this.context.ids.next();
    for (const audience of this.audiences) audience.tell(this);
    // Last: without memory for a step before, it is tried again.
    this.isUnsent = false;
  }
}
