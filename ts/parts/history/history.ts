/**
 * The last day of a device's nouns, in memory of a fixed size. It follows the nouns; one that does not report its
 * changes is read once a minute. Nobody writes it to a file: it goes on over a reload, and not over a restart.
 *
 *     const history = new History({ clock, bytes: 65_536, nouns, feeds });
 *     history.rows("cellar"); // "time,celsius,...", "2026-11-24T03:00:00Z,7.5,..."
 */
import type { Feed, Follower } from "../../core/feeds/feed.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import type { Part } from "../../core/server/part.ts";
import { Alarm } from "../../core/time/alarm.ts";
import type { Clock } from "../../native/loop.ts";
import { numberOf, type RecordedKey, recordedKeys, textOf } from "./recorded-key.ts";
import { intervals, placesOf, type Run, Series } from "./series.ts";

/** What the history uses. */
export interface HistoryContext {
  readonly clock: Clock;
  /** What all of its numbers may take together. */
  readonly bytes: number;
  readonly nouns: NounDirectory;
  readonly feeds: Feeds;
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
  private readonly context: HistoryContext;
  private readonly name: string;

  constructor(context: HistoryContext, name: string, keys: readonly RecordedKey[], interval: number) {
    this.context = context;
    this.name = name;
    this.keys = keys;
    this.series = keys.map((key) => new Series(interval, sizeOf(key)));
    this.form = JSON.stringify(keys);
  }

  follow(): void {
    this.context.feeds.of(this.name).follow(this);
  }

  unfollow(): void {
    this.context.feeds.followed(this.name)?.unfollow(this);
  }

  onState({ noun, json }: Feed): void {
    const state = json === undefined ? {} : (JSON.parse(json) as { readonly [key: string]: unknown });
    const now = this.context.clock.now();
    for (const [index, key] of this.keys.entries()) this.series[index]?.set(now, numberOf(key, state[key.name]));
    this.isSampled = noun !== undefined && (noun.face.watch === undefined || noun.face.poll !== undefined);
    if (this.isSampled) this.unfollow();
  }

  /**
   * @param begun when the device began to record, by the clock of the loop.
   * @returns its values as CSV (RFC 4180): a header, and a line for each interval that has values.
   */
  *rows(begun: number): Generator<string, undefined> {
    const { keys, series } = this;
    const now = this.context.clock.now();
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
  private readonly context: HistoryContext;
  private readonly kept = new Map<string, NounHistory>();
  private interval = intervals[0] as number;
  /** When the first of the processes began that had this history, by the clock of the loop, which a reload leaves. */
  private begun: number;
  /** Rings when nouns were registered or removed. */
  private readonly arranging: Alarm;
  /** Rings when nouns are to be read that do not report their changes. */
  private readonly sampling: Alarm;

  /** Begins to follow the nouns that are registered, and those to come. */
  constructor(context: HistoryContext) {
    this.context = context;
    // A row tells whole seconds, and no two tell the same one.
    this.begun = Math.floor(context.clock.now() / 1_000) * 1_000;
    this.arranging = new Alarm(context.clock, () => this.arrange());
    this.sampling = new Alarm(context.clock, () => this.sample());
    this.arrange();
    this.sampling.set(context.clock.now() + sampleTime);
  }

  /** A noun was registered or removed. Many may be, so they are looked at together. */
  replaced(): void {
    this.arranging.set(this.context.clock.now());
  }

  /** @returns the history of a noun as lines of CSV; undefined if it has none. */
  rows(name: string): Iterable<string, undefined> | undefined {
    return this.kept.get(name)?.rows(this.begun);
  }

  /** Bytes that its numbers take. */
  get bytes(): number {
    const keys = Array.from(this.kept.values()).flatMap((own) => own.keys);
    return bytesOf(keys, this.interval);
  }

  /** @returns its values for the next process, as `resume` takes them. */
  leave(): string {
    const { interval, begun } = this;
    const now = this.context.clock.now();
    const nouns = Array.from(this.kept, ([name, { form, series }]) => {
      for (const one of series) one.advance(now);
      return [name, form, series.map((one) => one.runs())] as const;
    });
    return JSON.stringify({ interval, begun, nouns });
  }

  /** Takes over what another process has left. @throws SyntaxError or TypeError for what it has not left. */
  resume(left: string): void {
    const { interval, begun = 0, nouns } = JSON.parse(left) as Record<"interval" | "begun" | "nouns", unknown>;
    if (!intervals.includes(interval as number)) throw new TypeError("it has no interval");
    const now = this.context.clock.now();
    const latest = Math.floor(now / Number(interval));
    this.begun = Math.min(Number(begun) || 0, now);
    const isRun = (run: readonly unknown[], { choices }: RecordedKey): boolean => {
      const [first, count, ...values] = run as Run;
      const isPossible =
        choices === undefined ? Number.isFinite : (value: unknown) => choices[Number(value)] !== undefined;
      const isPast = Number.isInteger(first) && Number.isInteger(count) && first >= 0 && first + count - 1 <= latest;
      return isPast && values.length === 3 && values.every(isPossible);
    };
    for (const [name, form, runs] of nouns as readonly (readonly [string, string, readonly (readonly Run[])[]])[]) {
      const own = this.kept.get(name);
      if (own === undefined || own.form !== form) continue;
      for (const [index, key] of own.keys.entries()) {
        for (const run of runs[index] ?? [])
          if (isRun(run, key)) own.series[index]?.add(run, Number(interval), this.begun, now);
      }
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
    const own = new NounHistory(this.context, name, keys, interval);
    for (const [index, series] of own.series.entries()) {
      const earlier = before?.series[index];
      if (earlier !== undefined) series.takeOver(earlier, this.begun, this.context.clock.now());
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

/** @param bytes what it may take. */
export function openHistory(host: Host, bytes: number): History {
  return new History({ clock: host.clock, bytes, nouns: host.nouns, feeds: openFeeds(host) });
}
