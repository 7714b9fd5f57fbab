/** One noun on the page: its state as far as it is known, and the changes to it that are under way. */

import { History } from "./history.ts";
import { ask, type Reply, readDocument, token } from "./http-client.ts";
import { keepMidnight, keptMidnight } from "./kept.ts";
import { roleOf } from "./role.ts";
import { isObject, type Scalar, type State } from "./scalar.ts";
import { type Key, keysOf, type Noun } from "./thing.ts";

/** The subject of a failed change: a key, or "" for the whole noun. */
export interface Failure {
  readonly key: string;
  readonly sentence: string;
  /** The refused value; undefined if none was. */
  readonly value?: Scalar | undefined;
}

/** ms after which the page reads a noun again if the device has told nothing of the answer to a change. */
export const answerTime = 1_000;

/** Values that a person puts back: one PUT of its own, into which no other change goes. */
class Undo extends Map<string, Scalar> {}

/** What a person does to a noun: values for some of its keys, or one of the noun's own rules. */
type Change = Map<string, Scalar> | "POST" | "DELETE";

/** Whether a key is null while its sensor does not give it. */
export function isReading({ readOnly, nullable, isTimeDependent }: Key): boolean {
  return readOnly && nullable && !isTimeDependent;
}

/** ms between the two presses of a double press. */
const pauseTime = 80;

function delay(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}

/** ms after which the page says that a change is under way. */
const pendingTime = 500;

/** Whether a key is not switched but pressed, because it falls back by itself. */
export function isPressed({ noun }: NounView, { fallsBack }: Key): boolean {
  return noun.action !== undefined && fallsBack?.renewed === false;
}

/** Whether a key is the time that is left, and not the time that has passed. */
export function isCountdown({ name, isTimeDependent }: Key): boolean {
  return isTimeDependent && /^(?:remaining|left|rest|countdown|until|next)/i.test(name);
}

/** Whether the page wants to know the values of a key in the last day. */
function isRemembered({ isMeasured, isTotal, isPress }: Key): boolean {
  return isMeasured || isTotal || isPress;
}

/** A noun, and what people do to it. */
export class NounView {
  noun: Noun;
  /** The state that is shown. Undefined until it is known; null if the noun failed. */
  state: State | null | undefined;
  /** The state that the device told last, as an event or when it was polled. */
  private told: State | null | undefined;
  failure: Failure | undefined;
  /** What its guard waits for, as the page says it; undefined if nothing, or only the device knows. */
  guarded: string | undefined;
  /** Why it fails, in the device's words: "" if it does not tell, undefined until the page has asked. */
  reason: string | undefined;
  /** Grows with every visible change. */
  version = 0;
  /** When the last state arrived that was not a failure, in ms. */
  taken = 0;
  /** When the last answer to a change arrived, in ms. */
  answered = 0;
  /** The state that it has asked about because its time was over. */
  private lookedAt: State | undefined;
  /** The last state that was not a failure. */
  private known: State = {};
  private readonly histories = new Map<string, History>();
  /** When the values began from which keys fall back, in ms. */
  private readonly begun = new Map<string, number>();
  /** The first one is under way, the others wait for its answer. */
  private readonly changes: Change[] = [];
  /** Ends when a simulated button has been moved. */
  private playing: Promise<void> = Promise.resolve();
  /** Ends when all changes have been sent. */
  private sending: Promise<void> = Promise.resolve();
  /** The change that the page asks about before it sends it. */
  asked: Change | undefined;
  /** Whether a change has been under way for a while. */
  isPending = false;
  /** The last level of a lamp that was not 0. */
  private levelBefore: number | undefined;
  private readonly onChange: () => void;
  private readonly onReply: (reply: Reply, used: string) => void;

  /**
   * @param onChange is called after every visible change.
   * @param onReply is called after each answer, with the token that its request had.
   */
  constructor(noun: Noun, onChange: () => void, onReply: (reply: Reply, used: string) => void) {
    this.noun = noun;
    this.onChange = onChange;
    this.onReply = onReply;
  }

  /** The keys of the noun. While it fails, they stay, and so does what a person enters. */
  get keys(): readonly Key[] {
    return this.noun.keys ?? keysOf(this.known, this.noun);
  }

  /** Whether it is a sensor that gives no value: all its keys are read, and all are null. */
  get isSilent(): boolean {
    const { state, keys } = this;
    return keys.length > 0 && keys.every((key) => isReading(key) && state?.[key.name] === null);
  }

  /** Whether something is broken: it fails, or it is silent, or what it sent has got no answer. */
  get isBroken(): boolean {
    return this.state === null || this.isSilent || this.isUnsent;
  }

  /** Whether it sends something, and has got no answer to the last. */
  get isUnsent(): boolean {
    const { state, keys } = this;
    return state?.["status"] === null && Number(state["failed"]) > 0 && roleOf(keys) === "send";
  }

  /** Whether it must be drawn again although no event has come. */
  get hasAge(): boolean {
    return this.noun.keys?.some(({ isTimeDependent }) => isTimeDependent) === true;
  }

  /** Whether a key is about to fall back. */
  get isCounting(): boolean {
    return this.keys.some((key) => this.rest(key) !== undefined);
  }

  /**
   * @returns the ms that a key keeps its value before it falls back, exact if the page has seen the value begin, and
   *   otherwise at most; undefined if it stays.
   */
  rest({ name, fallsBack }: Key) {
    const value = this.state?.[name];
    if (fallsBack === undefined || value === undefined || value === fallsBack.to) return undefined;
    const begun = this.begun.get(name);
    const time = begun === undefined ? 0 : begun + fallsBack.after - performance.now();
    // Somebody else may have renewed it, of which the device tells nobody.
    return time > 0 ? { time, isExact: true } : { time: fallsBack.after, isExact: false };
  }

  /** The last value that the device told, also while the noun fails. */
  lastValue({ name }: Key): Scalar | undefined {
    return Object.hasOwn(this.known, name) ? this.known[name] : undefined;
  }

  /**
   * The value of a key after the pending changes; undefined if it is unknown. To an age, it adds the time since the
   * state arrived.
   */
  valueOf(key: Key): Scalar | undefined {
    const { name, isTimeDependent, unit } = key;
    const { state } = this;
    let value = state && Object.hasOwn(state, name) ? state[name] : undefined;
    for (const change of this.changes) if (typeof change !== "string" && change.has(name)) value = change.get(name);
    if (!isTimeDependent || typeof value !== "number") return value;
    const milliseconds = performance.now() - this.taken;
    const passed = Math.floor(unit === "s" ? milliseconds / 1_000 : milliseconds);
    return isCountdown(key) ? Math.max(value - passed, 0) : value + passed;
  }

  /** The keys that a person can set. */
  get settable(): readonly Key[] {
    return this.keys.filter((key) => !key.readOnly && !isCountdown(key));
  }

  /** The switch and the time after which it goes off again, of a noun that takes one. */
  get timer() {
    const [power, ...others] = this.settable;
    const time = this.keys.find((key) => !key.readOnly && isCountdown(key) && key.unit === "s");
    return power?.kind === "switch" && time !== undefined && others.length === 0 ? { power, time } : undefined;
  }

  history(key: string): History {
    const history = this.histories.get(key) ?? new History();
    this.histories.set(key, history);
    return history;
  }

  /** The time since a button was pressed, in ms; undefined if nobody knows. */
  get sincePress(): number | undefined {
    const age = this.keys.find(({ name }) => name.startsWith("since"));
    // One that counts nothing but presses tells no time, but its counts have a history.
    const risen = this.keys.flatMap(({ name, isPress }) => (isPress && this.history(name).risen) || []);
    const passed = age ? this.valueOf(age) : performance.now() - Math.max(...risen);
    return typeof passed === "number" && Number.isFinite(passed) ? passed : undefined;
  }

  /** @returns what a meter has counted since midnight, and the day before; undefined where nobody knows. */
  daysOf(key: Key) {
    const midnight = new Date().setHours(0, 0, 0, 0);
    const place = `${this.noun.name}/${key.name}`;
    const time = midnight - performance.timeOrigin;
    const [then] = this.history(key.name).window(time + 1, 0);
    if (then !== undefined && then.time <= time) keepMidnight(place, midnight, then.value);
    const [today, yesterday] = [midnight, new Date(midnight - 1).setHours(0, 0, 0, 0)].map((time) =>
      keptMidnight(place, time),
    );
    const now = this.lastValue(key);
    // A meter that was replaced or set has less than before.
    const grown = (to: unknown, from: unknown) =>
      typeof to === "number" && typeof from === "number" && to >= from ? to - from : undefined;
    return { today: grown(now, today), yesterday: grown(today, yesterday) };
  }

  /** Reads what the device has of the last day, if this noun has something to plot. */
  async readHistory(): Promise<void> {
    const measured = this.keys.filter((key) => isRemembered(key) && !key.isDiagnostic);
    if (measured.length === 0) return;
    const text = await readDocument(`/${encodeURIComponent(this.noun.name)}`, "text/csv");
    const now = performance.now();
    for (const key of measured) {
      const history = this.history(key.name);
      history.load(text ?? "", key.name, now, performance.timeOrigin);
      const value = this.lastValue(key);
      if (typeof value === "number") history.add(now, value);
    }
    this.changed();
  }

  /**
   * Receives a state from the device, as an event or from a poll.
   * @param asked when the page asked for it, in ms: a state that is older than the last answer does not count.
   */
  take(state: State | null, asked = Infinity): void {
    if (asked < this.answered) return;
    this.told = state;
    this.show(state);
  }

  /**
   * Shows the state from the answer to a change. The answer and the events arrive on different connections, so the
   * answer may be older than the last event. The device tells nothing more if that event had its state of now. So the
   * page asks, unless an event follows.
   */
  private showAnswer(answer: State): void {
    this.show(answer);
    if (this.told === undefined) return;
    const isNews = JSON.stringify(answer) !== JSON.stringify(this.told);
    if (isNews) setTimeout(() => void this.verify(answer), answerTime);
  }

  /**
   * Asks when a time has run out of which the device has told no end: somebody else has set another one, and that alone
   * is no news. To be called every second.
   */
  lookAgain(): void {
    const { state } = this;
    const isOver = (key: Key) => isCountdown(key) && Number(state?.[key.name]) > 0 && this.valueOf(key) === 0;
    if (!state || state === this.lookedAt || !this.keys.some(isOver)) return;
    this.lookedAt = state;
    void this.verify(state);
  }

  private async verify(answer: State): Promise<void> {
    if (this.state !== answer) return;
    const { status, json } = await this.ask({});
    if (this.state === answer) this.take(status === 200 && isObject(json) ? (json as State) : (this.told ?? null));
  }

  private show(state: State | null): void {
    const now = performance.now();
    const before = this.state ?? {};
    this.state = state;
    if (!this.isBroken) this.reason = undefined;
    if (state !== null) {
      const level = this.dimmer && Number(state[this.dimmer.level.name]);
      if (level) this.levelBefore = level;
      this.known = state;
      this.taken = now;
      for (const key of this.keys) this.note(key, before[key.name], state[key.name], now);
    }
    this.changed();
  }

  /** Keeps what the page remembers of a value. */
  private note(key: Key, before: Scalar | undefined, value: Scalar | undefined, now: number): void {
    const { name, fallsBack } = key;
    if (isRemembered(key) && typeof value === "number") this.history(name).add(now, value);
    if (fallsBack === undefined) return;
    if (value === fallsBack.to) this.begun.delete(name);
    else if (before === fallsBack.to) this.begun.set(name, now);
  }

  /** Redraws what changes with time alone. */
  changed(): void {
    this.version += 1;
    this.onChange();
  }

  /** The switch and the level of a lamp that is dimmed; undefined for any other noun. */
  get dimmer() {
    const { settable } = this;
    if (settable.length < 2) return undefined;
    const [power, ...others] = settable.filter(({ kind }) => kind === "switch");
    const [level, ...more] = settable.filter(({ unit, minimum }) => unit === "%" && minimum === 0);
    return power && level && others.length + more.length === 0 ? { power, level } : undefined;
  }

  /** Sets a key. A lamp that is dimmed up goes on, and one that goes on at 0 has the level from before, or the highest. */
  set(key: string, value: Scalar): void {
    const { dimmer } = this;
    const { power, level } = dimmer ?? {};
    const levelNow = level && this.valueOf(level);
    const [off, on] = power?.values ?? [];
    if (power && level?.name === key && typeof value === "number" && value > 0 && this.valueOf(power) === off)
      this.setAll([
        [key, value],
        [power.name, on ?? null],
      ]);
    else if (level && power?.name === key && value === on && levelNow === 0)
      this.setAll([
        [key, value],
        [level.name, this.levelBefore ?? level.maximum ?? 100],
      ]);
    else this.setAll([[key, value]]);
  }

  /** Sets several keys by one request. */
  setAll(values: readonly (readonly [key: string, value: Scalar])[]): void {
    const last = this.changes.at(-1);
    const isMerged = typeof last === "object" && !(last instanceof Undo) && this.changes.length > 1;
    if (isMerged && !this.noun.isConfirmed) for (const [key, value] of values) last.set(key, value);
    else this.add(new Map(values));
    this.changed();
  }

  /** Sets what a change has changed as it was before. What had been on for a time has that time again. */
  putBack(state: State): void {
    const values = this.keys.flatMap(({ name, readOnly }) =>
      !readOnly && Object.hasOwn(state, name) ? [[name, state[name] ?? null] as const] : [],
    );
    this.add(new Undo(values));
    this.changed();
  }

  /** Says what was wrong with a value that cannot be sent, or nothing of one any more. */
  say(failure: Failure | undefined): void {
    this.failure = failure;
    this.changed();
  }

  /** Moves a simulated button after what moves it already: each time is how long it is held, in ms. */
  press(key: Key, times: readonly number[]): void {
    this.playing = this.playing.then(() => this.play(key, times));
  }

  private async play(key: Key, times: readonly number[]): Promise<void> {
    const [released = null, pressed = null] = key.values;
    for (const time of times) {
      this.set(key.name, pressed);
      // A slow answer must not make a press longer.
      await delay(time);
      this.set(key.name, released);
      await this.sending;
      await delay(pauseTime);
    }
  }

  /** Sends POST with `{}`: the noun's own rule. */
  update(): void {
    this.add("POST");
  }

  /** Sends DELETE: back to the default. */
  reset(): void {
    if (this.changes.length < 2 || this.changes.at(-1) !== "DELETE") this.add("DELETE");
  }

  /** Sends no change that still waits, because the noun or the token is gone. */
  leave(): void {
    this.changes.splice(1);
  }

  /** Sends what the page has asked about, if a person means it. */
  answer(isMeant: boolean): void {
    const { asked } = this;
    this.asked = undefined;
    if (isMeant && asked !== undefined) this.queue(asked);
    this.changed();
  }

  private add(change: Change): void {
    const isStop = typeof change === "object" && change.get("moving") === "stopped";
    if (this.noun.isConfirmed && change !== "DELETE" && !isStop) {
      this.asked = change;
      this.changed();
    } else this.queue(change);
  }

  /** Sends one change at a time, in the person's order. Of later values, it sends the last one of each key. */
  private queue(change: Change): void {
    if (this.changes.push(change) === 1) this.sending = this.sendAll();
  }

  private async sendAll(): Promise<void> {
    for (let change = this.changes[0]; change !== undefined; change = this.changes[0]) await this.send(change);
  }

  /** A lease begins again with each setting. */
  private renew(change: Change): void {
    if (typeof change === "string") return;
    for (const { name, fallsBack } of this.keys) {
      if (fallsBack?.renewed && change.has(name) && change.get(name) !== fallsBack.to)
        this.begun.set(name, performance.now());
    }
  }

  /** POST changes some of several keys, if the noun accepts them alone. PUT sets the whole state. */
  private mustBePosted(changes: ReadonlyMap<string, Scalar>): boolean {
    const { isPut, isPosted } = this.noun;
    if (!isPut || !isPosted) return isPosted;
    if (changes instanceof Undo) return false;
    const { settable } = this;
    return settable.length > 1 && settable.every(({ name, isPosted }) => isPosted || !changes.has(name));
  }

  private whole(changes: ReadonlyMap<string, Scalar>): State {
    const { settable } = this;
    const held = Object.entries(this.state ?? {}).filter(([key]) => settable.some(({ name }) => name === key));
    return Object.fromEntries([...held, ...changes]);
  }

  private async ask(init: RequestInit): Promise<Reply> {
    const used = token.value;
    const reply = await ask(`/${encodeURIComponent(this.noun.name)}`, init);
    this.onReply(reply, used);
    return reply;
  }

  private requestOf(change: Change): RequestInit {
    if (change === "DELETE") return { method: change };
    if (change === "POST") return { method: change, body: "{}" };
    return this.mustBePosted(change)
      ? { method: "POST", body: JSON.stringify(Object.fromEntries(change)) }
      : { method: "PUT", body: JSON.stringify(this.whole(change)) };
  }

  private async send(change: Change): Promise<void> {
    const { failure } = this;
    const waiting = setTimeout(() => {
      this.isPending = true;
      this.changed();
    }, pendingTime);
    const { status, json, sentence } = await this.ask(this.requestOf(change));
    clearTimeout(waiting);
    this.isPending = false;
    this.changes.shift();
    this.answered = performance.now();
    const [[key, value] = ["", undefined]] = typeof change === "string" ? [] : change;
    // What the guard waits for, the page says already, and in its own language.
    if (status !== 200) this.failure = status === 409 && this.guarded ? undefined : { key, sentence, value };
    // What was said of another key meanwhile stays.
    else if (this.failure === failure) this.failure = undefined;
    if (status === 200 && isObject(json)) {
      this.renew(change);
      this.showAnswer(json as State);
    } else this.changed();
  }
}
