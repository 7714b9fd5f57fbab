/** One noun on the page: its state as far as it is known, and the changes to it that are under way. */
import { type Key, keysOf, type Noun } from "./description.ts";
import { History } from "./history.ts";
import { ask, type Reply } from "./request.ts";
import { isObject, type Scalar, type State } from "./scalar.ts";

/** The subject of a failed change: a key, or "" for the whole noun. */
export interface Failure {
  readonly key: string;
  readonly sentence: string;
}

/**
 * ms for which the answer to a change is shown if the device tells nothing of it: longer than the time between two
 * polls.
 */
export const answerTime = 3_000;

/** A noun, and what people do to it. */
export class NounView {
  noun: Noun;
  /** The state that is shown. Undefined until it is known; null if the noun failed. */
  state: State | null | undefined;
  /** The state that the device told last, as an event or when it was polled. */
  private told: State | null | undefined;
  failure: Failure | undefined;
  /** Grows with every visible change. */
  version = 0;
  /** When the state arrived, in ms. */
  private taken = 0;
  private readonly histories = new Map<string, History>();
  /** Changes that have not been sent yet, and changes that have not been answered yet. */
  private waiting = new Map<string, Scalar>();
  private sent: ReadonlyMap<string, Scalar> = new Map();
  private isBusy = false;
  private readonly onChange: () => void;
  private readonly onReply: (reply: Reply) => void;

  /** @param onChange is called after every visible change. @param onReply is called after each answer. */
  constructor(noun: Noun, onChange: () => void, onReply: (reply: Reply) => void) {
    this.noun = noun;
    this.onChange = onChange;
    this.onReply = onReply;
  }

  /** The keys of the noun. */
  get keys(): readonly Key[] {
    return this.noun.keys ?? keysOf(this.state ?? {}, this.noun);
  }

  /** Whether it must be drawn again although no event has come. */
  get hasAge(): boolean {
    return this.noun.keys?.some(({ isTimeDependent }) => isTimeDependent) === true;
  }

  /** The current value of a key. To an age, it adds the time since the state arrived. */
  valueOf({ name, isTimeDependent, unit }: Key): Scalar | undefined {
    const value = this.value(name);
    if (!isTimeDependent || typeof value !== "number") return value;
    const milliseconds = performance.now() - this.taken;
    return value + Math.floor(unit === "s" ? milliseconds / 1_000 : milliseconds);
  }

  /** The value of a key after the pending changes; undefined if it is unknown. */
  private value(key: string): Scalar | undefined {
    const { waiting, sent, state } = this;
    if (waiting.has(key)) return waiting.get(key);
    if (sent.has(key)) return sent.get(key);
    return state && Object.hasOwn(state, key) ? state[key] : undefined;
  }

  history(key: string): History {
    const history = this.histories.get(key) ?? new History();
    this.histories.set(key, history);
    return history;
  }

  /** Receives a state from the device, as an event or from a poll. */
  take(state: State | null): void {
    this.told = state;
    this.show(state);
  }

  /**
   * Shows the state from the answer to a change, for a short time. The answer and the events arrive on different
   * connections, so the answer may be older than the last event. The device tells nothing more if that event had its
   * state of now.
   */
  private showAnswer(answer: State): void {
    this.show(answer);
    setTimeout(() => {
      const { told } = this;
      if (this.state !== answer || told === undefined) return;
      // No event tells of a change by time alone. So such keys are kept as the answer had them, with their growth.
      const ages = this.keys.filter(({ isTimeDependent }) => isTimeDependent);
      const current = ages.map((key) => [key.name, this.valueOf(key) ?? null] as const);
      this.show(told && { ...told, ...Object.fromEntries(current) });
    }, answerTime);
  }

  private show(state: State | null): void {
    this.state = state;
    this.taken = performance.now();
    for (const [key, value] of Object.entries(state ?? {})) {
      if (typeof value === "number") this.history(key).add(performance.now(), value);
    }
    this.changed();
  }

  /** Redraws what changes with time alone. */
  changed(): void {
    this.version += 1;
    this.onChange();
  }

  /** Sets one key. One change is under way at a time; of later changes, the last one of each key is sent. */
  set(key: string, value: Scalar): void {
    this.waiting.set(key, value);
    this.changed();
    if (!this.isBusy) void this.sendWaiting();
  }

  /** Says what was wrong with a value that cannot be sent. */
  fail(key: string, sentence: string): void {
    this.failure = { key, sentence };
    this.changed();
  }

  /** Sends POST with `{}`: the noun's own rule. */
  update(): void {
    void this.send("POST", {}, "");
  }

  /** Sends DELETE: back to the default. */
  reset(): void {
    void this.send("DELETE", undefined, "");
  }

  private async sendWaiting(): Promise<void> {
    this.isBusy = true;
    try {
      while (this.waiting.size > 0) {
        const changes = this.waiting;
        this.sent = changes;
        this.waiting = new Map();
        const [key = ""] = changes.keys();
        if (this.mustBePosted(changes)) await this.send("POST", Object.fromEntries(changes), key);
        else await this.send("PUT", this.whole(changes), key);
      }
    } finally {
      this.isBusy = false;
    }
  }

  /** POST changes some of several keys, if the noun accepts them alone. PUT sets the whole state. */
  private mustBePosted(changes: ReadonlyMap<string, Scalar>): boolean {
    const { isPut, isPosted } = this.noun;
    if (!isPut || !isPosted) return isPosted;
    const settable = this.keys.filter(({ readOnly }) => !readOnly);
    return settable.length > 1 && settable.every(({ name, isPosted }) => isPosted || !changes.has(name));
  }

  private whole(changes: ReadonlyMap<string, Scalar>): State {
    const settable = this.keys.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
    const held = Object.entries(this.state ?? {}).filter(([key]) => settable.includes(key));
    return Object.fromEntries([...held, ...changes]);
  }

  private async send(method: string, state: State | undefined, key: string): Promise<void> {
    const body = state === undefined ? {} : { body: JSON.stringify(state) };
    const reply = await ask(`/${encodeURIComponent(this.noun.name)}`, { method, ...body });
    this.sent = new Map();
    this.failure = reply.status === 200 ? undefined : { key, sentence: reply.sentence };
    this.onReply(reply);
    if (reply.status === 200 && isObject(reply.json)) this.showAnswer(reply.json as State);
    else this.changed();
  }
}
