/**
 * The law of the history: in any order of values, failures, reloads, restarts, steps of the clock on the wall, and
 * nouns that come and go, its rows say what a plain record of every value says, within their intervals.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { RegisteredNoun } from "../../../ts/core/operations/noun-route.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import { History } from "../../../ts/parts/history/history.ts";
import { TestNoun, World } from "../feeds/world.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const begin = Date.UTC(2026, 10, 24);

/** Each noun has one key. The values are 0 to 3 whatever its type. */
const shapes = {
  number: { v: { type: "number" } },
  choice: { v: { type: "choice", values: [0, 1, 2, 3] } },
} as const satisfies { readonly [name: string]: Shape };

/**
 * The nouns that are compared: one that tells its numbers, one of choices, and one that is read once a minute. `lag` is
 * the ms within which the history knows a value.
 */
const compared = {
  told: { shape: shapes.number, poll: undefined, lag: second },
  choice: { shape: shapes.choice, poll: undefined, lag: second },
  read: { shape: shapes.number, poll: second, lag: minute + second },
} as const;
type Name = keyof typeof compared;
const names = Object.keys(compared) as readonly Name[];

/** What a noun was from a moment on, by the time of the history; undefined for nothing that anybody knows. */
interface Recorded {
  readonly from: number;
  readonly value: number | undefined;
}

/** The intervals that the history had, and until when. */
interface Length {
  readonly interval: number;
  readonly until: number;
}

/** What a person would write down beside the device. */
interface Diary {
  readonly values: { readonly [name in Name]: readonly Recorded[] };
  readonly lengths: readonly Length[];
  readonly begun: number;
}

const configuration = fc.record({
  /** Nouns besides those that are compared, and whether they are registered before them. */
  others: fc.constantFrom(0, 0, 2, 6, 15, 40),
  areFirst: fc.boolean(),
  bytes: fc.constantFrom(3_000, 20_000, 65_536, 65_536),
  /** The nouns that are there. */
  has: fc.record({ told: fc.constantFrom(true, true, true, false), choice: fc.boolean(), read: fc.boolean() }),
});
type Configuration = typeof configuration extends fc.Arbitrary<infer One> ? One : never;

const name = fc.constantFrom(...names);
const value = fc.nat(3);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant("become" as const), name, value }) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant("wait" as const),
      time: fc.oneof(fc.nat(3 * minute), fc.nat(2 * hour), fc.nat(30 * hour)),
    }),
  },
  fc.record({ what: fc.constantFrom("fail" as const, "recover" as const, "remove" as const), name }),
  fc.record({ what: fc.constant("register" as const), name, value }),
  fc.record({ what: fc.constant("others" as const), count: fc.constantFrom(1, 15, 40) }),
  fc.record({ what: fc.constant("noise" as const), time: fc.nat(20 * hour) }),
  { weight: 2, arbitrary: fc.record({ what: fc.constant("reload" as const), configuration }) },
  fc.record({
    what: fc.constant("restart" as const),
    configuration,
    /** Whether the power was cut, how long it was away, and how long the machine ran before nound began. */
    isCut: fc.boolean(),
    away: fc.oneof(fc.nat(10 * minute), fc.nat(30 * hour)),
    uptime: fc.nat(3 * day),
  }),
  fc.record({ what: fc.constant("set the clock" as const), by: fc.integer({ min: -3 * hour, max: 3 * hour }) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Of<What extends Step["what"]> = Extract<Step, { what: What }>;

/** A device, and the diary of it. */
class Run {
  /** By the name of a noun, its values so far. */
  private values = emptyValues();
  private lengths: readonly Length[] = [];
  private begun = 0;
  private world = new World();
  private history!: History;
  /** The time of the history less that of the loop, as the diary has it. */
  private shift = 0;
  /** The clock on the wall less that of the loop. */
  private wallShift = 0;
  private fillers = 0;
  /** The interval of the history, and the nouns that have one, since the nouns were registered. */
  private places: { readonly interval: number; readonly names: ReadonlySet<string> } | undefined;
  private readonly store: SimulatedStore | undefined;
  /** What a restart would go on with. */
  private kept: { readonly diary: Diary; readonly now: number; readonly wall: number } | undefined;

  constructor(first: Configuration, isStored: boolean) {
    vi.mocked(Date.now).mockImplementation(() => this.wall);
    this.store = isStored ? new SimulatedStore() : undefined;
    this.wallShift = begin;
    if (this.store !== undefined) {
      const write = this.store.write.bind(this.store);
      this.store.write = (place, text) => {
        write(place, text);
        this.keep(text);
      };
    }
    this.open(first, new Map());
    this.beginDiary();
    this.history.start({ isNext: false });
    this.settle();
    this.learn();
  }

  private get now(): number {
    return this.world.clock.now() + this.shift;
  }

  private get wall(): number {
    return Math.floor(this.world.clock.now() + this.wallShift);
  }

  private beginDiary(): void {
    this.values = emptyValues();
    this.lengths = [];
    this.begun = Math.floor(this.now / second) * second;
  }

  /** Starts a process. @param values of the nouns from before. */
  private open(configured: Configuration, values: ReadonlyMap<string, number>): void {
    const { others, areFirst, bytes, has } = configured;
    const { world } = this;
    const fill = () => {
      for (let n = 0; n < others; n++) this.fill();
    };
    this.fillers = 0;
    if (areFirst) fill();
    for (const one of names) if (has[one]) this.make(one, values.get(one) ?? 0);
    if (!areFirst) fill();
    const all = () => world.nouns.values() as unknown as Iterable<RegisteredNoun>;
    const find = (one: string) => world.nouns.get(one) as unknown as RegisteredNoun | undefined;
    const { clock, feeds } = world;
    this.history = new History({ clock, bytes, feeds, store: this.store, nouns: { all, find } });
  }

  private fill(): void {
    const other = new TestNoun(`other${this.fillers++}`, { state: { v: 1 }, shape: shapes.number });
    this.world.register(other);
  }

  private make(one: Name, n: number): void {
    const { shape, poll } = compared[one];
    this.world.register(new TestNoun(one, { state: { v: n }, shape, poll }));
  }

  /** Another process, or another start of the device, at a moment of the loop's clock. */
  private begin(uptime: number, configured: Configuration): void {
    const values = new Map(Array.from(this.world.nouns.values(), (noun) => [noun.name, Number(noun.state["v"])]));
    this.world = new World();
    this.world.clock.advance(uptime);
    this.open(configured, values);
  }

  private settle(): void {
    this.world.clock.advance(0);
  }

  take(one: Step): void {
    switch (one.what) {
      case "become":
        this.become(one);
        break;
      case "wait":
        this.world.clock.advance(one.time);
        break;
      case "fail":
      case "recover":
        this.turn(one.name, one.what === "fail");
        break;
      case "register":
        this.make(one.name, one.value);
        this.history.replaced();
        break;
      case "remove":
        this.world.unregister(one.name);
        this.history.replaced();
        break;
      case "others":
        for (let n = 0; n < one.count; n++) this.fill();
        this.history.replaced();
        break;
      case "noise":
        this.noise(one.time);
        break;
      case "reload":
        this.reload(one.configuration);
        break;
      case "restart":
        this.restart(one);
        break;
      case "set the clock":
        this.wallShift += one.by;
        break;
    }
    this.settle();
    if (!["become", "wait", "fail", "recover", "noise", "set the clock"].includes(one.what)) this.places = undefined;
    this.learn();
  }

  private become({ name: one, value: n }: Of<"become">): void {
    this.world.nouns.get(one)?.become({ v: n });
  }

  private turn(one: Name, hasFailed: boolean): void {
    const noun = this.world.nouns.get(one);
    if (noun === undefined) return;
    noun.hasFailed = hasFailed;
    noun.tell();
  }

  /** Other nouns change every five minutes, so that what is stored grows. */
  private noise(time: number): void {
    const end = this.now + time;
    for (let n = 0; this.now < end; n++) {
      for (const noun of this.world.nouns.values())
        if (noun.name.startsWith("other")) noun.become({ v: (n * 7_919) / 1_000 + Number(noun.name.slice(5)) });
      this.world.clock.advance(Math.min(5 * minute, end - this.now));
    }
  }

  private reload(configured: Configuration): void {
    const left = this.history.leave();
    this.begin(this.world.clock.now(), configured);
    this.history.resume(left);
    this.history.start({ isNext: true });
  }

  private restart({ configuration: configured, isCut, away, uptime }: Of<"restart">): void {
    if (!isCut) this.history.finish();
    const { wall } = this;
    this.begin(uptime, configured);
    this.wallShift = wall + away - uptime;
    this.shift = 0;
    const { kept } = this;
    const age = kept === undefined ? -1 : this.wall - kept.wall;
    if (kept !== undefined && age >= 0 && age < day) {
      this.shift = kept.now + age - uptime;
      const { told, choice, read } = kept.diary.values;
      this.values = { told: [...told], choice: [...choice], read: [...read] };
      this.lengths = kept.diary.lengths;
      this.begun = kept.diary.begun;
    } else this.beginDiary();
    this.history.start({ isNext: false });
  }

  /** Notes what was stored, and that nobody knows what came then, if that is the last of it. */
  private keep(text: string): void {
    const { interval, nouns } = JSON.parse(text) as { interval: number; nouns: readonly (readonly [string])[] };
    this.learn();
    const values = emptyValues();
    for (const one of names)
      if (nouns.some(([stored]) => stored === one))
        values[one].push(...this.values[one], { from: this.now, value: undefined });
    const lengths = [...this.endedLengths(), { interval, until: this.now }];
    this.kept = { diary: { values, lengths, begun: this.begun }, now: this.now, wall: this.wall };
  }

  /** Writes down what each noun is now, and how long the intervals are. */
  private learn(): void {
    const { now } = this;
    this.places ??= this.look();
    const { interval, names: had } = this.places;
    const last = this.lengths.at(-1);
    if (last?.interval !== interval || last.until <= now)
      this.lengths = [...this.endedLengths(), { interval, until: Number.POSITIVE_INFINITY }];
    for (const one of names) {
      const noun = this.world.nouns.get(one);
      // A noun that has no place in the history begins anew with the next one.
      if (noun === undefined || !had.has(one)) this.values[one] = [];
      else {
        const known = noun.hasFailed ? undefined : Number(noun.state["v"]);
        const last = this.values[one].at(-1);
        if (last === undefined || last.value !== known) this.values[one].push({ from: now, value: known });
      }
    }
  }

  private endedLengths(): readonly Length[] {
    return this.lengths.map(({ interval, until }) => ({ interval, until: Math.min(until, this.now) }));
  }

  private look() {
    const { interval, nouns } = JSON.parse(this.history.leave()) as { interval: number; nouns: readonly [string][] };
    return { interval, names: new Set(nouns.map(([one]) => one)) };
  }

  /** Compares the rows with the diary. An `expect` for each value would take most of the time. */
  check(): void {
    const { interval = 0 } = this.lengths.at(-1) ?? {};
    expect(names.flatMap((one) => this.mistakesOf(one, interval))).toEqual([]);
  }

  private mistakesOf(one: Name, interval: number): readonly string[] {
    const mistakes: string[] = [];
    const rows = this.rows(one, interval);
    const byNumber = new Map(rows.map((row) => [row.number, row.values]));
    const recorded = this.values[one];
    if (recorded.length === 0) {
      if (rows.length > 0) mistakes.push(`${one} has rows`);
      return mistakes;
    }
    const { lag } = compared[one];
    const { now, begun } = this;
    const spans = recorded.map(({ from, value: was }, index) => ({
      from,
      was,
      to: recorded[index + 1]?.from ?? Number.POSITIVE_INFINITY,
    }));
    /** The values that it had from one moment to another one. */
    const within = (from: number, to: number) =>
      spans.filter((span) => span.from < to && span.to > from).map(({ was }) => was);
    let before = -1;
    for (const { number, at, values } of rows) {
      // None of the future, none from before nound began, and each time once.
      if (at > now + 500 || at < begun - 500 || number <= before) mistakes.push(`${one}: a row at ${at}`);
      before = number;
      const [from, to] = this.blurred(number * interval, (number + 1) * interval);
      const had = within(from - lag, to);
      if (!values.every((each) => had.includes(each))) mistakes.push(`${one} at ${at}: ${values} of ${had}`);
    }
    // What it had for long enough is in each row of that time.
    for (const { from, to, was } of spans) {
      const [known, until] = [Math.max(from + lag, now - day), Math.min(to, now + 1)];
      if (was === undefined || until <= known) continue;
      for (let number = Math.floor(known / interval); number * interval < until; number++) {
        const [last, low = Number.NaN, high = Number.NaN] = byNumber.get(number) ?? [];
        if (!(low <= was && high >= was)) mistakes.push(`${one} in ${number}: ${was} is not in ${low} to ${high}`);
        // The last of it is the last in the row, where the intervals were always so long.
        const [least, most] = this.blurred(number * interval, (number + 1) * interval);
        const isExact = least === number * interval && most === (number + 1) * interval;
        const isLast = isExact && from + lag < most && to >= Math.min(most, now + 1);
        if (isLast && last !== was) mistakes.push(`${one} in ${number}: ${last} instead of ${was}`);
      }
    }
    return mistakes;
  }

  /** The rows of a noun, with the numbers of their intervals, and when they begin by the time of the history. */
  private rows(one: Name, interval: number) {
    const lines = Array.from(this.history.rows(one) ?? []).slice(1);
    return lines.map((line, index) => {
      const [time = "", ...values] = line.trim().split(",");
      const at = Date.parse(time) - this.wall + this.now;
      const isFirst = index === 0 && Math.abs(at - this.begun) <= 501;
      const number = isFirst ? Math.floor(this.begun / interval) : Math.round(at / interval);
      return { at, number, values: values.map(Number) };
    });
  }

  /** @returns the time whose values a span may have, by the longer intervals that they went through. */
  private blurred(from: number, to: number): readonly [from: number, to: number] {
    let [least, most] = [from, to];
    for (let place = this.lengths.length - 2; place >= 0; place--) {
      const { interval, until } = this.lengths[place] as Length;
      if (least > until) break;
      least = Math.floor(least / interval) * interval;
      // A value of that very moment is among them.
      most = Math.max(most, Math.min(Math.ceil(most / interval) * interval, until + 1));
    }
    return [least, most];
  }
}

function emptyValues(): { [name in Name]: Recorded[] } {
  return { told: [], choice: [], read: [] };
}

beforeAll(() => void vi.spyOn(Date, "now"));
afterAll(() => void vi.restoreAllMocks());

/** `npm run test:orders` tries more. */
const numRuns = Number(process.env["NOUND_ORDERS"] ?? 40);

test(
  "in any order of events, the rows of each noun are those of a record of every value, within their intervals",
  () => {
    fc.assert(
      fc.property(configuration, fc.boolean(), fc.array(step, { maxLength: 25 }), (first, isStored, steps) => {
        const run = new Run(first, isStored);
        for (const one of steps) {
          // What a process leaves is looked at before and after; what only waits, once it is over.
          if (one.what === "reload" || one.what === "restart") run.check();
          run.take(one);
          if (one.what !== "wait" && one.what !== "become") run.check();
        }
        run.check();
      }),
      { numRuns },
    );
  },
  5_000 + numRuns * 200,
);
