/** The history of a device's nouns on simulated time: what it holds, in how many bytes, and what another process takes over. */
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import type { RegisteredNoun } from "../../../ts/core/operations/noun-route.ts";
import { SimulatedStore } from "../../../ts/native/simulated/storage.ts";
import type { Store } from "../../../ts/native/storage.ts";
import { History } from "../../../ts/parts/history/history.ts";
import { Series } from "../../../ts/parts/history/series.ts";
import { TestNoun, World } from "../feeds/world.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** The moment of the simulated clock's 0 by the clock on the wall. */
const begin = Date.UTC(2026, 10, 24);

const celsius = { celsius: { type: "number" } } as const satisfies Shape;
const on = { on: { type: "choice", values: [0, 1] } } as const satisfies Shape;

/** Numbers from 0 up to 1, the same ones in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Row {
  readonly time: string;
  readonly last: string;
  readonly minimum: string;
  readonly maximum: string;
}

/** A device whose clock on the wall goes as the simulated one does. */
class Device {
  readonly world = new World();
  readonly history: History;

  constructor(nouns: readonly TestNoun[], bytes = 65_536, startTime = 0) {
    const { clock } = this.world;
    clock.advance(startTime);
    vi.spyOn(Date, "now").mockImplementation(() => begin + clock.now());
    onTestFinished(() => void vi.restoreAllMocks());
    for (const noun of nouns) this.world.register(noun);
    this.history = this.open(bytes);
    clock.advance(0);
  }

  open(bytes: number, store?: Store): History {
    const { clock, feeds, nouns } = this.world;
    const all = () => nouns.values() as unknown as Iterable<RegisteredNoun>;
    const find = (name: string) => nouns.get(name) as unknown as RegisteredNoun | undefined;
    return new History({ clock, bytes, feeds, store, nouns: { all, find } });
  }

  register(noun: TestNoun): void {
    this.world.register(noun);
    this.history.replaced();
    this.world.clock.advance(0);
  }

  text(name: string): string {
    return Array.from(this.history.rows(name) ?? []).join("");
  }

  /** @returns the lines of the only key of a noun. */
  rows(name: string): readonly Row[] {
    const lines = this.text(name).split("\r\n").slice(1, -1);
    return lines.map((line) => {
      const [time = "", last = "", minimum = "", maximum = ""] = line.split(",");
      return { time, last, minimum, maximum };
    });
  }
}

/** What a noun was, and from when on. */
interface Recorded {
  readonly time: number;
  readonly value: number;
}

/** @returns the rows that a history should have of a day, made from every value that the noun had. */
function rowsOf(recorded: readonly Recorded[], interval: number, now: number): readonly Row[] {
  const rows: Row[] = [];
  const text = (value: number) => String(Number(Math.fround(value).toPrecision(7)));
  for (let from = Math.floor((now - day) / interval) * interval; from <= now; from += interval) {
    const before = recorded.findLast(({ time }) => time < from);
    const within = recorded.filter(({ time }) => time >= from && time < from + interval);
    const values = [...(before === undefined ? [] : [before]), ...within].map(({ value }) => value);
    if (values.length === 0) continue;
    rows.push({
      time: `${new Date(begin + from).toISOString().slice(0, 19)}Z`,
      last: text(values.at(-1) as number),
      minimum: text(Math.min(...values)),
      maximum: text(Math.max(...values)),
    });
  }
  return rows;
}

describe("16 nouns of a device with 64 KB", () => {
  test("have their last 24 hours, as a record of every value has them", () => {
    const random = randomNumbers(54);
    const sensors = Array.from(
      { length: 6 },
      (_, n) => new TestNoun(`sensor${n}`, { state: { celsius: 20 }, shape: celsius, poll: 1_000 }),
    );
    const inputs = Array.from(
      { length: 10 },
      (_, n) => new TestNoun(`input${n}`, { state: { celsius: n }, shape: celsius }),
    );
    const device = new Device([...sensors, ...inputs]);
    const { clock } = device.world;
    const record = new Map([...sensors, ...inputs].map(({ name }) => [name, [] as Recorded[]]));
    for (const { name, state } of [...sensors, ...inputs]) {
      record.get(name)?.push({ time: 0, value: state["celsius"] as number });
    }
    const now = 30 * hour + 7 * minute + 11_000;
    // In each second one of the inputs may change. A sensor has another value once a minute, when it is read.
    while (clock.now() < now) {
      if (clock.now() % minute === 59_000) {
        for (const sensor of sensors) {
          const value = Math.round(200 + 50 * random()) / 10;
          sensor.state = { celsius: value };
          record.get(sensor.name)?.push({ time: clock.now() + 1_000, value });
        }
      }
      const input = random() < 0.2 ? inputs[Math.floor(random() * 10)] : undefined;
      if (input !== undefined) {
        const value = Math.round(2_000 * random() - 1_000) / 100;
        input.become({ celsius: value });
        record.get(input.name)?.push({ time: clock.now(), value });
      }
      clock.advance(1_000);
    }
    expect(device.history.bytes).toBeLessThanOrEqual(65_536);
    for (const [name, recorded] of record) {
      const rows = device.rows(name);
      // Five minutes are the shortest interval for which 16 nouns have room.
      expect(rows.length).toBe(289);
      expect(rows).toEqual(rowsOf(recorded, 5 * minute, now));
    }
    // Nobody reads a sensor more often than once a minute.
    expect(sensors[0]?.reads).toBe(Math.floor(now / minute) + 1);
  });
});

test("a value stays until another one comes, and a noun that fails has none", () => {
  const noun = new TestNoun("cellar", { state: { celsius: 7 }, shape: celsius });
  const device = new Device([noun]);
  const { clock } = device.world;
  clock.advance(2 * minute + 30_000);
  noun.become({ celsius: 8.5 });
  clock.advance(30_000);
  noun.hasFailed = true;
  noun.tell();
  clock.advance(2 * minute);
  noun.hasFailed = false;
  noun.become({ celsius: 6 });
  clock.advance(1_000);
  expect(device.text("cellar")).toBe(
    "time,celsius,celsius min,celsius max\r\n" +
      "2026-11-24T00:00:00Z,7,7,7\r\n" +
      "2026-11-24T00:01:00Z,7,7,7\r\n" +
      "2026-11-24T00:02:00Z,8.5,7,8.5\r\n" +
      "2026-11-24T00:03:00Z,8.5,8.5,8.5\r\n" +
      "2026-11-24T00:05:00Z,6,6,6\r\n",
  );
});

test("numbers, truth values and choices have a history; texts, ages and what helps to find a fault have none", () => {
  const shape = {
    on: { type: "boolean" },
    mode: { type: "choice", values: ["off", 'a,"b"'] },
    text: { type: "string" },
    since: { type: "integer", timeDependent: true },
    failures: { type: "integer", diagnostic: true },
    missing: { type: "number", nullable: true },
  } as const satisfies Shape;
  const state: State = { on: true, mode: 'a,"b"', text: "x", since: 5, failures: 1, missing: null };
  const device = new Device([new TestNoun("all", { state, shape }), new TestNoun("note", { state: { text: "" } })]);
  expect(device.text("all")).toBe(
    "time,on,on min,on max,mode,mode min,mode max,missing,missing min,missing max\r\n" +
      '2026-11-24T00:00:00Z,true,true,true,"a,""b""","a,""b""","a,""b""",,,\r\n',
  );
  expect(device.history.rows("note")).toBeUndefined();
  expect(device.history.rows("nothing")).toBeUndefined();
});

test("texts of a device are no formulas in a spreadsheet, and numbers keep their sign", () => {
  const words = ["=1+1", "+1", "-x", "@SUM(A1)", "\tx", "\r=x", '=HYPERLINK("http://x","y")'];
  const shape: Shape = {
    "=cmd": { type: "choice", values: [...words, -1] },
    "-n": { type: "number", minimum: -9, maximum: 9 },
  };
  const noun = new TestNoun("other", { shape, state: { "=cmd": "=1+1", "-n": -5 } });
  const device = new Device([noun]);
  for (const word of [...words, -1]) {
    noun.become({ "=cmd": word, "-n": -5 });
    device.world.clock.advance(1_000);
    const [head = "", ...lines] = device.text("other").split("\r\n2026");
    const line = lines.at(-1) ?? "";
    expect(head).toBe("time,'=cmd,'=cmd min,'=cmd max,'-n,'-n min,'-n max");
    const quoted = /["\r]/.test(String(word)) ? `"'${String(word).replaceAll('"', '""')}"` : `'${word}`;
    expect(line).toContain(`Z,${word === -1 ? "-1" : quoted},`);
    expect(line).toMatch(/,-5,-5,-5\r\n$/);
    device.world.clock.advance(120_000);
  }
});

describe("the bytes of a history", () => {
  const many = (count: number, shape: Shape, state: State) =>
    Array.from({ length: count }, (_, n) => new TestNoun(`n${n}`, { shape, state }));

  test.each([
    { count: 3, interval: 1 },
    { count: 16, interval: 5 },
    { count: 18, interval: 5 },
    { count: 19, interval: 10 },
    { count: 200, interval: 60 },
  ])("hold a day of $count numbers in intervals of $interval minutes", ({ count, interval }) => {
    const device = new Device(many(count, celsius, { celsius: 1 }));
    device.world.clock.advance(25 * hour);
    expect(device.history.bytes).toBeLessThanOrEqual(65_536);
    expect(device.rows("n0").length).toBe(day / (interval * minute) + 1);
  });

  test("hold four times as many choices", () => {
    expect(new Device(many(64, on, { on: 0 })).history.bytes).toBe(64 * 3 * 289);
  });

  test("leave out the nouns that were registered last, if there are too many", () => {
    const device = new Device(many(1_000, celsius, { celsius: 1 }));
    expect(device.history.bytes).toBeLessThanOrEqual(65_536);
    expect(device.rows("n217").length).toBe(1);
    expect(device.history.rows("n218")).toBeUndefined();
  });
});

test("nouns that come make the intervals longer, and what was noted is kept", () => {
  const device = new Device([new TestNoun("first", { state: { celsius: 1 }, shape: celsius })]);
  const { clock, nouns } = device.world;
  clock.advance(10 * minute);
  nouns.get("first")?.become({ celsius: 3 });
  clock.advance(2 * minute);
  nouns.get("first")?.become({ celsius: 2 });
  clock.advance(0);
  for (let n = 0; n < 15; n++) device.register(new TestNoun(`n${n}`, { state: { celsius: 0 }, shape: celsius }));
  expect(device.rows("first")).toEqual([
    { time: "2026-11-24T00:00:00Z", last: "1", minimum: "1", maximum: "1" },
    { time: "2026-11-24T00:05:00Z", last: "1", minimum: "1", maximum: "1" },
    { time: "2026-11-24T00:10:00Z", last: "2", minimum: "1", maximum: "3" },
  ]);
});

test("a noun that was removed, or has other keys, has another history", () => {
  const device = new Device([new TestNoun("one", { state: { celsius: 1 }, shape: celsius })]);
  device.world.clock.advance(5 * minute);
  device.register(new TestNoun("one", { state: { on: 1 }, shape: on }));
  expect(device.rows("one").map(({ last }) => last)).toEqual(["1"]);
  device.world.unregister("one");
  device.history.replaced();
  device.world.clock.advance(0);
  expect(device.history.rows("one")).toBeUndefined();
  expect(device.history.bytes).toBe(0);
});

test("a noun that is read once a minute still belongs to those who follow it all the time", () => {
  const cellar = new TestNoun("cellar", { state: { celsius: 1 }, shape: celsius, poll: hour });
  const { world } = new Device([cellar]);
  const feed = world.feeds.of("cellar");
  feed.follow({ onState: () => {} });
  world.clock.advance(2 * minute);
  expect(cellar.feed).toBe(feed);
});

describe("the next process", () => {
  test("goes on with the values, also in other intervals", () => {
    const first = new Device([new TestNoun("cellar", { state: { celsius: 7 }, shape: celsius })]);
    first.world.clock.advance(9 * minute);
    first.world.nouns.get("cellar")?.become({ celsius: 9 });
    first.world.clock.advance(0);
    const left = first.history.leave();
    const nouns = ["cellar", ...Array.from({ length: 15 }, (_, n) => `n${n}`)].map(
      (name) => new TestNoun(name, { state: { celsius: 5 }, shape: celsius }),
    );
    const next = new Device(nouns, 65_536, 9 * minute);
    const resumed = next.open(65_536);
    resumed.resume(left);
    next.world.clock.advance(0);
    expect(Array.from(resumed.rows("cellar") ?? [])).toEqual([
      "time,celsius,celsius min,celsius max\r\n",
      "2026-11-24T00:00:00Z,7,7,7\r\n",
      "2026-11-24T00:05:00Z,5,5,9\r\n",
    ]);
  });

  test("has what a record of every value has, within its intervals, over reloads with more and fewer nouns", () => {
    const steps = fc.record({
      /** When nound began, as the clock of the loop is that of the kernel. */
      startTime: fc.integer({ min: 0, max: 5 * hour }),
      processes: fc.array(
        fc.record({
          others: fc.constantFrom(0, 3, 15, 40, 120),
          changes: fc.array(fc.record({ wait: fc.nat(3 * hour), value: fc.nat(50) }), { maxLength: 8 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    });
    fc.assert(
      fc.property(steps, ({ startTime, processes }) => {
        const recorded: Recorded[] = [];
        let [now, celsiusNow, left, within] = [startTime, 7, "", 0];
        for (const { others, changes } of processes) {
          const nouns = ["cellar", ...Array.from({ length: others }, (_, n) => `n${n}`)].map(
            (name) => new TestNoun(name, { state: { celsius: name === "cellar" ? celsiusNow : 5 }, shape: celsius }),
          );
          const { world, history } = new Device(nouns, 65_536, now);
          if (recorded.length === 0) recorded.push({ time: now, value: celsiusNow });
          if (left !== "") history.resume(left);
          for (const { wait, value } of changes) {
            world.clock.advance(wait);
            world.nouns.get("cellar")?.become({ celsius: value });
            world.clock.advance(0);
            celsiusNow = value;
            recorded.push({ time: world.clock.now(), value });
          }
          now = world.clock.now();
          left = history.leave();
          within += (JSON.parse(left) as { interval: number }).interval;
          const lines = Array.from(history.rows("cellar") ?? []).slice(1);
          const rows = lines.map((line) => line.trim().split(","));
          expect(rows.length).toBeGreaterThan(0);
          expect(Number(rows.at(-1)?.[1])).toBe(celsiusNow);
          let before = Number.NEGATIVE_INFINITY;
          for (const [time = "", ...values] of rows) {
            const at = Date.parse(time) - begin;
            // None of the future, none from before nound began, and each time once. A row tells whole seconds.
            expect(at).toBeLessThanOrEqual(now + 500);
            expect(at).toBeGreaterThanOrEqual(startTime - 1_000);
            expect(at).toBeGreaterThan(before);
            before = at;
            // A row's time is rounded to a second.
            const slack = within + 500;
            const near = [
              recorded.findLast((one) => one.time < at - slack) ?? recorded[0],
              ...recorded.filter((one) => one.time >= at - slack && one.time <= at + slack),
            ].map((one) => one?.value);
            for (const value of values) expect(near).toContain(Number(value));
          }
        }
      }),
      // A device of 120 nouns takes long: of what fails, the first is told, and none that is simpler.
      { numRuns: 15, endOnFailure: true },
    );
  });

  test.each([
    "",
    "7",
    '{"interval":1,"nouns":[]}',
    '{"interval":60000,"nouns":[["cellar","[]"]]}',
    '{"interval":60000,"nouns":7}',
  ])("takes nothing of %s", (left) => {
    const device = new Device([new TestNoun("cellar", { state: { celsius: 7 }, shape: celsius })]);
    try {
      device.history.resume(left);
    } catch (error) {
      expect(error).toSatisfy((one) => one instanceof SyntaxError || one instanceof TypeError);
    }
    device.world.clock.advance(0);
    expect(device.rows("cellar").length).toBe(1);
  });

  test("takes nothing that is older than its day for what is a day later", () => {
    const series = new Series(60_000, 4);
    const now = 25 * hour + 1;
    series.set(now, 5);
    series.add([0, 1, 1, 1, 1], hour, 0, now);
    expect(series.runs()).toEqual([[1_500, 1, 5, 5, 5]]);
  });

  test("takes no values of the future, and no endless ones", () => {
    const device = new Device([new TestNoun("cellar", { state: { celsius: 7 }, shape: celsius })]);
    const [, form = ""] = JSON.parse(device.history.leave()).nouns[0] as string[];
    const runs = [
      [0, 1e9, 1, 1, 1],
      [5, 1, 1, 1, 1],
      [-1, 1, 1, 1, 1],
      [0, 1, null, 1, 1],
    ];
    device.history.resume(JSON.stringify({ interval: minute, nouns: [["cellar", form, [runs]]] }));
    device.world.clock.advance(0);
    expect(device.rows("cellar")).toEqual([{ time: "2026-11-24T00:00:00Z", last: "7", minimum: "7", maximum: "7" }]);
  });
});

describe("a history that goes on over a restart", () => {
  const cellar = (value: number) => new TestNoun("cellar", { state: { celsius: value }, shape: celsius });
  const others = (count: number) =>
    Array.from({ length: count }, (_, n) => new TestNoun(`n${n}`, { state: { celsius: 5 }, shape: celsius }));

  /** A device that starts at a moment of the clock on the wall, in ms since `begin`, and has been on for `uptime`. */
  function started(store: Store, nouns: readonly TestNoun[], wall: number, uptime: number) {
    const device = new Device(nouns, 65_536, uptime);
    const { clock } = device.world;
    vi.spyOn(Date, "now").mockImplementation(() => begin + wall + clock.now() - uptime);
    const history = device.open(65_536, store);
    history.start({ isNext: false });
    clock.advance(0);
    const rows = () => Array.from(history.rows("cellar") ?? [], (line) => line.trim().split(",")).slice(1);
    return { device, clock, history, rows, wall: () => Date.now() - begin };
  }

  test("has what a record of every value has, within its intervals, and nothing of the time between", () => {
    const run = fc.record({
      away: fc.nat(5 * hour),
      uptime: fc.nat(3 * day),
      isCut: fc.boolean(),
      others: fc.constantFrom(0, 3, 15, 120),
      changes: fc.array(fc.record({ wait: fc.nat(3 * hour), value: fc.nat(50) }), { maxLength: 8 }),
    });
    // It changes 73 ms after the interval of a row, as the row's time is rounded.
    const change = { wait: 585_857, value: 14 };
    const first = { away: 5 * hour, uptime: 183_839_592, isCut: false, others: 15 } as const;
    const rounded = [
      { ...first, changes: [change, { wait: 6_374_216, value: 22 }] },
      { ...first, changes: [] },
    ];
    fc.assert(
      fc.property(fc.array(run, { minLength: 2, maxLength: 4 }), (runs) => {
        const store = new SimulatedStore();
        const recorded: Recorded[] = [];
        const gaps: (readonly [from: number, to: number])[] = [];
        let [wall, within, value] = [hour, 0, 7];
        for (const { away, uptime, isCut, others: count, changes } of runs) {
          const from = wall;
          wall += away;
          const it = started(store, [cellar(value), ...others(count)], wall, uptime);
          if (recorded.length > 0) gaps.push([from, wall]);
          recorded.push({ time: wall, value });
          for (const { wait, value: next } of changes) {
            it.clock.advance(wait);
            it.device.world.nouns.get("cellar")?.become({ celsius: next });
            it.clock.advance(0);
            value = next;
            recorded.push({ time: it.wall(), value });
          }
          wall = it.wall();
          const { interval } = JSON.parse(it.history.leave()) as { interval: number };
          if (!isCut) it.history.finish();
          const text = store.read("history") ?? "{}";
          expect(text.length).toBeLessThanOrEqual(65_536);
          within += Math.max(interval, (JSON.parse(text) as { interval?: number }).interval ?? 0);
          const rows = it.rows();
          expect(Number(rows.at(-1)?.[1])).toBe(value);
          let before = Number.NEGATIVE_INFINITY;
          for (const [time = "", ...values] of rows) {
            const at = Date.parse(time) - begin;
            expect(at).toBeLessThanOrEqual(wall + 500);
            // Its second began with the clock of the loop, and a row tells that of the clock on the wall.
            expect(at).toBeGreaterThanOrEqual((recorded[0]?.time ?? 0) - 1_500);
            expect(at).toBeGreaterThan(before);
            before = at;
            for (const [stop, start] of gaps) expect(at > stop + within + 500 && at < start - within - 500).toBe(false);
            // A row's time is rounded to a second.
            const slack = within + 500;
            const near = [
              recorded.findLast((one) => one.time < at - slack) ?? recorded[0],
              ...recorded.filter((one) => one.time >= at - slack && one.time <= at + slack),
            ].map((one) => one?.value);
            for (const one of values) expect(near).toContain(Number(one));
          }
        }
      }),
      { numRuns: 15, endOnFailure: true, examples: [[rounded]] },
    );
  });

  test("is written at most once an hour, over reloads too, and at the end", () => {
    const store = new SimulatedStore();
    const writes: number[] = [];
    const write = store.write.bind(store);
    const it = started(store, [cellar(7)], 0, 0);
    store.write = (name, text) => {
      writes.push(it.clock.now() / minute);
      write(name, text);
    };
    it.clock.advance(150 * minute);
    const next = it.device.open(65_536, store);
    next.resume(it.history.leave());
    it.history.finish();
    writes.pop();
    next.start({ isNext: true });
    it.clock.advance(90 * minute);
    next.finish();
    expect(writes).toEqual([60, 120, 210, 240]);
  });

  test("keeps in a file of 64 KiB what has room there, with longer intervals, and the first nouns", () => {
    const store = new SimulatedStore();
    const random = randomNumbers(7);
    const many = (count: number) => {
      const it = started(store, [cellar(7), ...others(count)], 0, 0);
      for (let step = 0; step < 300; step++) {
        for (const noun of it.device.world.nouns.values()) noun.become({ celsius: random() });
        it.clock.advance(5 * minute);
      }
      it.history.finish();
      return JSON.parse(store.read("history") ?? "") as { interval: number; nouns: readonly unknown[] };
    };
    expect(many(15)).toMatchObject({ interval: 30 * minute, nouns: { length: 16 } });
    const { interval, nouns } = many(200);
    expect([interval, nouns.length]).toEqual([hour, 25]);
  });

  const left = (wall: unknown, now: unknown, more: object = {}) => ({ interval: minute, begun: 0, now, wall, ...more });

  test.each<[string, unknown]>([
    ["no JSON", "{"],
    ["a text", '"x"'],
    ["null", "null"],
    ["of a future", left(begin + 1, minute)],
    ["older than a day", left(begin - day, minute)],
    ["without a time", left(begin - minute, null)],
    ["with an endless time", left(begin - minute, 1e300)],
    ["without nouns", left(begin - minute, minute)],
    ["with another interval", { ...left(begin - minute, minute), interval: 1 }],
    ["with a noun that is none", left(begin - minute, minute, { nouns: [7, null] })],
    [
      "with values of after its end, endless ones and none",
      left(begin - minute, minute, {
        nouns: [
          [
            "cellar",
            '[{"name":"celsius"}]',
            [
              [
                [2, 1, 1, 1, 1],
                [0, 1e9, 1, 1, 1],
                [-1, 1, 1, 1, 1],
                [0, 1, null, 1, 1],
              ],
            ],
          ],
        ],
      }),
    ],
  ])("takes nothing of a file that is %s", (_, text) => {
    const store = new SimulatedStore();
    store.write("history", typeof text === "string" ? text : JSON.stringify(text));
    const it = started(store, [cellar(7)], 0, 5 * minute);
    expect(it.rows().map(([, last]) => last)).toEqual(["7"]);
  });
});
