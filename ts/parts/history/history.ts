/**
 * The last day of a device's nouns, in memory of a fixed size. It follows the nouns; one that does not report its
 * changes is read once a minute. It goes on over a reload, and with a store over a restart.
 *
 *     const history = new History({ clock, bytes: 65_536, nouns, feeds });
 *     history.rows("cellar"); // "time,celsius,...", "2026-11-24T03:00:00Z,7.5,..."
 */
import type { Feed } from "../../core/feeds/feed.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { utf8Length } from "../../core/http/utf8.ts";
import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import type { Beginning, Part } from "../../core/server/part.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import type { Store } from "../../native/storage.ts";
import { logError } from "../../platform/log.ts";
import { numberOf, type RecordedKey, recordedKeys, textOf } from "./recorded-key.ts";
import { day, intervals, placesOf, type Run, Series } from "./series.ts";

/** What the history uses. */
export interface HistoryContext {
  readonly clock: Clock;
  /** What all of its numbers may take together. */
  readonly bytes: number;
  readonly nouns: NounDirectory;
  readonly feeds: Feeds;
  /** Keeps it for the time after a restart; undefined if it ends then. */
  readonly store?: Store | undefined;
}

/** The name of the text in the store, its bytes at most, and ms between two writings, because flash memory wears out. */
const storeName = "history";
const storeBytes = 65_536;
const storeTime = 3_600_000;

/** What one history leaves for another one: of a noun, its name, its form, and the runs of each of its keys. */
interface Left {
  readonly interval: number;
  /** By the time of the history, in ms: when it began, and when it left this. */
  readonly begun: number;
  readonly now: number;
  /** The same moment by the clock on the wall, in ms since 1970. */
  readonly wall: number;
  /** The time of the history less that of the loop. */
  readonly shift: number;
  readonly nouns: readonly (readonly [name: string, form: string, runs: readonly (readonly Run[])[]])[];
}

/** ms between two readings of a noun that does not report its changes. */
const sampleTime = 60_000;

/** Numbers of an interval. */
const numbers = 3;

function sizeOf({ choices }: RecordedKey): 1 | 4 {
  return choices === undefined ? 4 : 1;
}

/** @returns bytes of the history of these keys. */
function bytesOf(keys: readonly RecordedKey[], interval: number): number {
  return keys.reduce((sum, key) => sum + numbers * placesOf(interval) * sizeOf(key), 0);
}

/** @param text of a device, perhaps another one's: a spreadsheet is not to take it for a formula. */
function csvField(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A number stays one, whatever its sign. */
function fieldOf(key: RecordedKey, value: number): string {
  const text = textOf(key, value);
  return typeof key.choices?.[value] === "string" ? csvField(text) : text;
}

/** The history of one noun. */
class NounHistory implements Follower {
  readonly keys: readonly RecordedKey[];
  readonly series: readonly Series[];
  /** Equal for nouns whose histories can go on with one another. */
  readonly form: string;
  /** Whether it is read from time to time, instead of being followed all the time. */
  isSampled = false;
  private readonly history: History;
  private readonly name: string;

  constructor(history: History, name: string, keys: readonly RecordedKey[], interval: number) {
    this.history = history;
    this.name = name;
    this.keys = keys;
    this.series = keys.map((key) => new Series(interval, sizeOf(key)));
    this.form = JSON.stringify(keys);
  }

  follow(): void {
    this.history.context.feeds.of(this.name).follow(this);
  }

  unfollow(): void {
    this.history.context.feeds.followed(this.name)?.unfollow(this);
  }

  onState({ noun, json }: Feed): void {
    const state = json === undefined ? {} : (JSON.parse(json) as { readonly [key: string]: unknown });
    const { now } = this.history;
    for (const [index, key] of this.keys.entries()) this.series[index]?.set(now, numberOf(key, state[key.name]));
    this.isSampled = noun !== undefined && (noun.face.watch === undefined || noun.face.poll !== undefined);
    if (this.isSampled) this.unfollow();
  }

  /** @returns its values as CSV (RFC 4180): a header, and a line for each interval that has values. */
  *rows(): Generator<string, undefined> {
    const { keys, series } = this;
    const { now, begun } = this.history;
    for (const one of series) one.advance(now);
    const titles = keys.flatMap(({ name }) => [name, `${name} min`, `${name} max`]);
    yield `time,${titles.map(csvField).join(",")}\r\n`;
    const { interval = 0, first = 0, last = -1 } = series[0] ?? {};
    for (let number = first; number <= last; number++) {
      const fields = keys.flatMap((key, index) => {
        const span = series[index]?.span(number);
        const values = span === undefined ? [] : [span.last, span.minimum, span.maximum];
        return values.length === 0 ? ["", "", ""] : values.map((value) => fieldOf(key, value));
      });
      if (fields.every((field) => field === "")) continue;
      // The clock on the wall may have been set since.
      const time = new Date(Math.round((Math.max(number * interval, begun) - now + Date.now()) / 1_000) * 1_000);
      yield `${time.toISOString().slice(0, 19)}Z,${fields.join(",")}\r\n`;
    }
  }
}

export class History implements Part {
  readonly context: HistoryContext;
  /** When the first of the processes began that had this history, by its time, which goes on over a reload. */
  begun: number;
  private readonly kept = new Map<string, NounHistory>();
  private interval = intervals[0] as number;
  /** What goes on in the nouns that get their places. */
  private left: Left | undefined;
  /** ms that the time of the history is ahead of the clock of the loop, which begins anew with each start of a device. */
  private shift = 0;
  /** Rings when nouns were registered or removed. */
  private readonly arranging: Alarm;
  /** Rings when nouns are to be read that do not report their changes. */
  private readonly sampling: Alarm;
  /** Rings when the store is to be written. */
  private readonly storing: Alarm;

  /** Begins to follow the nouns that are registered, and those to come. */
  constructor(context: HistoryContext) {
    this.context = context;
    // A row tells whole seconds, and no two tell the same one.
    this.begun = Math.floor(this.now / 1_000) * 1_000;
    this.arranging = new Alarm(context.clock, () => this.arrange());
    this.sampling = new Alarm(context.clock, () => this.sample());
    this.storing = new Alarm(context.clock, () => this.write());
    this.arrange();
    this.sampling.set(context.clock.now() + sampleTime);
  }

  /** A noun was registered or removed. Many may be, so they are looked at together. */
  replaced(): void {
    this.arranging.set(this.context.clock.now());
  }

  /** @returns the history of a noun as lines of CSV; undefined if it has none. */
  rows(name: string): Iterable<string, undefined> | undefined {
    return this.kept.get(name)?.rows();
  }

  /** Its time, in ms. */
  get now(): number {
    return this.context.clock.now() + this.shift;
  }

  /** Bytes that its numbers take. */
  get bytes(): number {
    const keys = Array.from(this.kept.values()).flatMap((own) => own.keys);
    return bytesOf(keys, this.interval);
  }

  /**
   * @param interval of its values, not shorter than its own. @param most of its nouns.
   * @returns its values for the next process, as `resume` takes them.
   */
  leave(interval = this.interval, most = this.kept.size): string {
    const { begun, now, shift } = this;
    const nouns = Array.from(this.kept, ([name, { form, series }]) => {
      const runs = series.map((one) => {
        one.advance(now);
        if (interval === one.interval) return one.runs();
        const longer = new Series(interval, one.size);
        longer.takeOver(one, begun, now);
        return longer.runs();
      });
      return [name, form, runs] as const;
    }).slice(0, most);
    const left: Left = { interval, begun, now: Math.floor(now), wall: Date.now(), shift, nouns };
    return JSON.stringify(left);
  }

  /** Takes over what another process has left. @throws SyntaxError or TypeError for what it has not left. */
  resume(text: string): void {
    const left = JSON.parse(text) as Left;
    this.take(left, Number(left.shift) || 0);
  }

  /** After a restart, it goes on with what it has stored. */
  start({ isNext }: Pick<Beginning, "isNext">): void {
    const { store, clock } = this.context;
    if (store === undefined) return;
    try {
      if (!isNext) this.restore(store.read(storeName) ?? "");
    } catch (error) {
      logError(storeName, error, "what was stored cannot be read: ");
    }
    this.storing.set(clock.now() + storeTime);
  }

  private restore(text: string): void {
    if (text === "") return;
    const left = JSON.parse(text) as Left;
    const age = Date.now() - left.wall;
    if (!Number.isSafeInteger(left.now)) throw new TypeError("it has no time");
    // Before the clock is set, nobody knows how old it is.
    if (age >= 0 && age < day) this.take(left, left.now + age - this.context.clock.now());
  }

  /** Stores what it has, at the end of the program. */
  finish(): undefined {
    if (this.context.store !== undefined) this.write();
    this.storing.stop();
  }

  /** Stores as much as there is room for: with longer intervals where it must, and the first nouns. */
  private write(): void {
    const { store, clock } = this.context;
    this.storing.set(clock.now() + storeTime);
    const longer = intervals.filter((one) => one > this.interval);
    let text = this.leave();
    for (let most = this.kept.size; utf8Length(text) > storeBytes; ) {
      if (longer.length === 0) most >>= 1;
      text = this.leave(longer.shift() ?? intervals.at(-1), most);
    }
    try {
      store?.write(storeName, text);
    } catch (error) {
      logError(storeName, error);
    }
  }

  /** Goes on with untrusted values. @throws TypeError for what is none. */
  private take(left: Left, shift: number): void {
    if (!intervals.includes(left.interval)) throw new TypeError("it has no interval");
    this.shift = shift;
    this.begun = Math.min(Number(left.begun) || 0, this.now);
    try {
      this.left = left;
      this.beginAgain();
      this.left = undefined;
    } catch (error) {
      this.left = undefined;
      this.beginAgain();
      throw error;
    }
  }

  private beginAgain(): void {
    for (const own of this.kept.values()) own.unfollow();
    this.kept.clear();
    this.arrange();
  }

  /** Adds the values that were left to a noun which is not followed yet. */
  private addLeft(own: NounHistory, name: string, { interval, now, nouns }: Left): void {
    const until = Math.min(Number(now ?? this.now), this.now);
    const latest = Math.floor(until / interval);
    const isRun = (run: readonly unknown[], { choices }: RecordedKey): boolean => {
      const [first, count, ...values] = run as Run;
      const isPossible = (value: unknown) =>
        choices === undefined ? Number.isFinite(value) : choices[Number(value)] !== undefined;
      const isPast = Number.isInteger(first) && Number.isInteger(count) && first >= 0 && first + count - 1 <= latest;
      return isPast && values.length === 3 && values.every(isPossible);
    };
    const [, form, runs = []] = nouns.find(([one]) => one === name) ?? [];
    if (form !== own.form) return;
    for (const [index, key] of own.keys.entries()) {
      for (const run of runs[index] ?? [])
        if (isRun(run, key)) own.series[index]?.add(run, interval, this.begun, until);
    }
  }

  /** Gives each noun that has values its place, and all of them the shortest interval for which the memory is enough. */
  private arrange(): void {
    const { bytes, nouns } = this.context;
    const found = Array.from(nouns.all(), ({ name, face: noun }) => [name, recordedKeys(noun.shape)] as const);
    const all = found.flatMap(([, keys]) => keys);
    const interval = intervals.find((one) => bytesOf(all, one) <= bytes) ?? (intervals.at(-1) as number);
    const chosen = new Map<string, readonly RecordedKey[]>();
    let room = bytes;
    for (const [name, keys] of found) {
      room -= bytesOf(keys, interval);
      // Of too many nouns, those that were registered last have none.
      if (room >= 0 && keys.length > 0) chosen.set(name, keys);
    }
    for (const [name, own] of this.kept) {
      if (own.form === JSON.stringify(chosen.get(name))) continue;
      own.unfollow();
      this.kept.delete(name);
    }
    for (const [name, keys] of chosen) this.keep(name, keys, interval);
    this.interval = interval;
  }

  private keep(name: string, keys: readonly RecordedKey[], interval: number): void {
    const before = this.kept.get(name);
    if (before !== undefined && interval === this.interval) return;
    const own = new NounHistory(this, name, keys, interval);
    if (this.left !== undefined) this.addLeft(own, name, this.left);
    for (const [index, series] of own.series.entries()) {
      const earlier = before?.series[index];
      if (earlier !== undefined) series.takeOver(earlier, this.begun, this.now);
    }
    own.follow();
    before?.unfollow();
    this.kept.set(name, own);
  }

  private sample(): void {
    for (const own of this.kept.values()) if (own.isSampled) own.follow();
    this.sampling.set(this.context.clock.now() + sampleTime);
  }
}

/** @param bytes what it may take. @param store keeps it over a restart. */
export function openHistory(host: Host, bytes: number, store: Store | undefined): History {
  return new History({ clock: host.clock, bytes, nouns: host.nouns, feeds: openFeeds(host), store });
}
