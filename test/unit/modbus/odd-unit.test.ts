/**
 * A unit with the quirks of real ones, drawn at random: whatever it does, a value is right or null, the reason names
 * the kind of quirk, a write is told as what it was, and no other unit of the bus waits for longer than one timeout.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scalar, State } from "../../../ts/core/noun/state.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { Bus, type Link, type LinkHandler } from "../../../ts/parts/modbus/bus.ts";
import { findQuestion, rtuFrame, takeTcpFrame, tcpFrame } from "../../../ts/parts/modbus/framing.ts";
import { wordAt } from "../../../ts/parts/modbus/functions.ts";
import type { ModbusKey } from "../../../ts/parts/modbus/modbus-key.ts";
import { ModbusNoun } from "../../../ts/parts/modbus/modbus-noun.ts";
import { SimulatedUnit } from "../../../ts/parts/modbus/simulated-units.ts";
import { ModbusUnit } from "../../../ts/parts/modbus/unit.ts";

/** How many units are tried; all by `npm run test:orders`. */
const runs = Math.min(5_000, Number(process.env["NOUND_ORDERS"] ?? 300));

const timeout = 500;

/** What a unit does that it should not. Times are in ms. */
interface Quirks {
  /** Closes the connection after each answer, or when it was idle for so long. */
  closing?: "after each answer" | number;
  /** Does not hear questions so long after a connection. */
  deaf?: number;
  /** Does not hear questions so long after an answer. */
  pause?: number;
  wrongUnit?: number;
  /** What it adds to the number of the question, or 0 in place of it. */
  wrongNumber?: number;
  /** Takes so many registers; more it refuses by an exception, or does not answer (0). */
  most?: { count: number; by: number };
  /** Answers so late, within the time, or after it. */
  slow?: number;
  late?: number;
  /** Does not answer a question with this address. */
  silentAt?: number;
  /** Answers twice, the second time after so long. */
  doubled?: number;
  /** Its line returns what it is sent. */
  echo?: true;
  /** Does at once what a write asks, and acknowledges it so late. */
  lateAcknowledgement?: number;
  /** Has 0 again so long after a write. */
  returning?: number;
}

/** What may stand in the log, by the quirk. */
const reasons: { readonly [quirk in keyof Quirks]-?: RegExp } = {
  closing: /has closed the connection/,
  deaf: /did not answer within|does not answer/,
  pause: /did not answer within|does not answer/,
  wrongUnit: /, but unit 9 did|does not answer/,
  wrongNumber: /, but an answer has the number of another question|does not answer/,
  most: /did not answer within|\([234]\)|does not answer/,
  slow: /^$/,
  late: /did not answer within|, but later|does not answer/,
  silentAt: /did not answer within|does not answer/,
  doubled: /^$/,
  echo: /^$/,
  lateAcknowledgement: /did not answer within|, but later|does not answer/,
  returning: /^$/,
};

/** A bus with an odd unit 1 and a sound unit 2. */
class OddBus implements Link {
  readonly odd = new SimulatedUnit();
  readonly sound = new SimulatedUnit();
  /** The values of each register, and since when. */
  readonly held = new Map<number, [since: number, value: number][]>();
  private readonly clock: SimulatedClock;
  private readonly framing: "tcp" | "rtu";
  private readonly isConnection: boolean;
  private readonly quirks: Quirks;
  private handler: LinkHandler | undefined;
  private connectedAt = 0;
  private answeredAt = Number.NEGATIVE_INFINITY;
  private usedAt = 0;

  constructor(clock: SimulatedClock, framing: "tcp" | "rtu", isConnection: boolean, quirks: Quirks) {
    this.clock = clock;
    this.framing = framing;
    this.isConnection = isConnection;
    this.quirks = quirks;
  }

  open(handler: LinkHandler, done: (reason?: string) => void): void {
    this.handler = handler;
    this.connectedAt = this.clock.now();
    this.usedAt = this.connectedAt;
    this.watchIdle();
    done();
  }

  close(): void {
    this.handler = undefined;
  }

  send(bytes: string): void {
    this.usedAt = this.clock.now();
    if (this.quirks.echo) this.deliver(bytes, 1);
    const frame = this.framing === "tcp" ? takeTcpFrame(bytes) : findQuestion(bytes);
    if (frame === undefined) throw new Error("the bus was sent no question");
    const number = this.framing === "tcp" ? wordAt(bytes, 0) : 0;
    if (frame.unit === 2) this.deliver(this.framed(number, 2, this.sound.answer(frame.bytes)), 2);
    else this.hear(number, frame.bytes);
  }

  /** Sets a register of the odd unit. */
  set(at: number, value: number): void {
    this.odd.holding.set(at, value);
    this.held.set(at, [...(this.held.get(at) ?? []), [this.clock.now(), value]]);
  }

  private framed(number: number, unit: number, answer: string): string {
    return this.framing === "tcp" ? tcpFrame(number, unit, answer) : rtuFrame(unit, answer);
  }

  private hear(number: number, question: string): void {
    const { quirks } = this;
    const now = this.clock.now();
    if (quirks.deaf !== undefined && now - this.connectedAt < quirks.deaf) return;
    if (quirks.pause !== undefined && now - this.answeredAt < quirks.pause) return;
    const isRead = question.charCodeAt(0) <= 4;
    const [at, count] = [wordAt(question, 1), wordAt(question, 3)];
    if (isRead && quirks.silentAt !== undefined && at <= quirks.silentAt && quirks.silentAt < at + count) return;
    let answer = "";
    if (isRead && quirks.most !== undefined && count > quirks.most.count) {
      if (quirks.most.by === 0) return;
      answer = String.fromCharCode(question.charCodeAt(0) | 0x80, quirks.most.by);
    } else {
      answer = this.odd.answer(question);
      if (!isRead) this.written(at);
    }
    const unit = quirks.wrongUnit ?? 1;
    const { wrongNumber } = quirks;
    const shown = wrongNumber === undefined ? number : wrongNumber === 0 ? 0 : (number + wrongNumber) & 0xffff;
    const frame = this.framed(shown, unit, answer);
    const delay = (!isRead && quirks.lateAcknowledgement) || quirks.late || quirks.slow || 2;
    this.deliver(frame, delay, true);
    if (quirks.doubled !== undefined) this.deliver(frame, delay + quirks.doubled);
  }

  private written(at: number): void {
    this.set(at, this.odd.holding.get(at) ?? 0);
    if (this.quirks.returning !== undefined) this.clock.setTimer(() => this.set(at, 0), this.quirks.returning);
  }

  private deliver(bytes: string, delay: number, isAnswer = false): void {
    const { handler } = this;
    this.clock.setTimer(() => {
      if (this.handler !== handler || handler === undefined) return;
      this.usedAt = this.clock.now();
      if (isAnswer) this.answeredAt = this.usedAt;
      handler.onBytes(bytes);
      if (isAnswer && this.quirks.closing === "after each answer") this.drop();
    }, delay);
  }

  private drop(): void {
    const { handler } = this;
    this.handler = undefined;
    handler?.onGone("it has closed the connection");
  }

  private watchIdle(): void {
    const { closing } = this.quirks;
    const { handler } = this;
    if (typeof closing !== "number" || !this.isConnection) return;
    const look = () => {
      if (this.handler !== handler) return;
      const left = this.usedAt + closing - this.clock.now();
      if (left <= 0) this.drop();
      else this.clock.setTimer(look, left);
    };
    this.clock.setTimer(look, closing);
  }
}

type Wiring = "tcp" | "rtu" | "rtu over tcp";

function quirkOf(wiring: Wiring): fc.Arbitrary<Quirks> {
  const isConnection = wiring !== "rtu";
  const one = <Name extends keyof Quirks>(name: Name, value: fc.Arbitrary<NonNullable<Quirks[Name]>>) =>
    value.map((drawn): Quirks => ({ [name]: drawn }));
  return fc.oneof(
    one("pause", fc.integer({ min: 10, max: 250 })),
    one("wrongUnit", fc.constant(9)),
    one("most", fc.record({ count: fc.integer({ min: 2, max: 20 }), by: fc.constantFrom(0, 2, 3, 4) })),
    one("slow", fc.integer({ min: 100, max: 450 })),
    one("late", fc.integer({ min: 700, max: 950 })),
    one("silentAt", fc.nat(60)),
    one("doubled", fc.integer({ min: 0, max: 2 })),
    one("lateAcknowledgement", fc.integer({ min: 100, max: 950 })),
    one("returning", fc.integer({ min: 0, max: 300 })),
    ...(isConnection
      ? [
          one("closing", fc.oneof(fc.constant("after each answer" as const), fc.integer({ min: 50, max: 5_000 }))),
          one("deaf", fc.integer({ min: 100, max: 6_000 })),
        ]
      : [one("echo", fc.constant(true as const))]),
    ...(wiring === "tcp" ? [one("wrongNumber", fc.constantFrom(0, 7, 0x8000))] : []),
  );
}

const unit = fc.constantFrom<Wiring[]>("tcp", "rtu", "rtu over tcp").chain((wiring) =>
  fc.record({
    wiring: fc.constant(wiring),
    quirks: fc
      .array(quirkOf(wiring), { minLength: 1, maxLength: 3 })
      .map((drawn): Quirks => Object.assign({}, ...drawn) as Quirks),
    places: fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 14 }),
    gap: fc.nat(8),
    /** ms between two readings, and whether a value is written before the next one. */
    steps: fc.array(fc.record({ after: fc.integer({ min: 0, max: 6_000 }), writes: fc.boolean() }), {
      minLength: 3,
      maxLength: 8,
    }),
  }),
);

/** Lets time pass until something has come. */
async function passing<T>(clock: SimulatedClock, coming: Promise<T>): Promise<T> {
  let isComing = true;
  const end = () => {
    isComing = false;
  };
  coming.then(end, end);
  for (let turns = 0; isComing; turns++) {
    if (turns > 10_000) throw new Error("nothing came");
    for (let turn = 0; turn < 12; turn++) await Promise.resolve();
    if (isComing) clock.advance(10);
  }
  return await coming;
}

/** Quirks in spite of which each value comes in the end. */
const overcome: readonly (keyof Quirks)[] = [
  "closing",
  "deaf",
  "pause",
  "most",
  "slow",
  "doubled",
  "echo",
  "lateAcknowledgement",
  "returning",
];

const idle = { after: 0, writes: false };

/** Units that this test has once found something wrong with. */
const foundOnce: readonly (typeof unit extends fc.Arbitrary<infer Unit> ? Unit : never)[] = [
  {
    wiring: "rtu over tcp",
    quirks: { late: 700, lateAcknowledgement: 155, closing: "after each answer" },
    places: [0],
    gap: 0,
    steps: [{ after: 331, writes: true }, { after: 0, writes: true }, idle, idle, idle],
  },
  { wiring: "rtu over tcp", quirks: { slow: 100, closing: 50 }, places: [0, 2], gap: 0, steps: [idle, idle, idle] },
  ...[500, 515].map((closing) => ({
    wiring: "rtu over tcp" as const,
    quirks: { late: 700, closing },
    places: [0, 2],
    gap: 0,
    steps: [idle, idle, idle],
  })),
];

test(`${runs} odd units: each value is right or null, and the log names the kind of quirk`, async () => {
  let readings = 0;
  let values = 0;
  await fc.assert(
    fc.asyncProperty(unit, async ({ wiring, quirks, places, gap, steps }) => {
      const clock = new SimulatedClock();
      const framing = wiring === "tcp" ? "tcp" : "rtu";
      const line = new OddBus(clock, framing, wiring !== "rtu", quirks);
      const bus = new Bus(clock, line, { framing, baud: 9_600, isConnection: wiring !== "rtu" });
      for (let at = 0; at <= 70; at++) line.set(at, 1_000 + 37 * at);
      const keys = Object.fromEntries(
        places.map((at): [string, ModbusKey] => [`k${at}`, { read: "holding", at, writable: at === places[0] }]),
      );
      const reports: string[] = [];
      const modbus = new ModbusUnit(bus, 1, timeout, () => {});
      const noun = new ModbusNoun(modbus, { server: "a:502", keys, gap, timeout }, (error) =>
        reports.push(error instanceof Error ? error.message : String(error)),
      );
      const other = new ModbusUnit(bus, 2, timeout, () => {});
      const names = Object.keys(quirks) as (keyof Quirks)[];

      /** Asks the sound unit, which must not wait for long. */
      async function askSound(): Promise<void> {
        const begin = clock.now();
        const isRefused = await other.read("holding", 0, 1).then(
          () => false,
          () => true,
        );
        const waited = clock.now() - begin;
        // Of the frames on the line, and of the steps of this test.
        const travel = framing === "rtu" ? 180 : 0;
        if (!isRefused && !names.includes("closing")) expect(waited).toBeLessThanOrEqual(timeout + travel + 30);
      }

      function check(state: State, since: number): void {
        let hasNull = false;
        for (const at of places) {
          const value: Scalar = state[`k${at}`] ?? null;
          values += 1;
          if (value === null) {
            hasNull ||= at !== quirks.silentAt;
            continue;
          }
          const held = line.held.get(at) ?? [];
          const wasThere = held.some(([, one], index) => one === value && (held[index + 1]?.[0] ?? Infinity) >= since);
          expect([at, value, wasThere]).toEqual([at, value, true]);
        }
        if (!hasNull) return;
        const last = reports.at(-1) ?? "";
        expect([last, names.some((name) => reasons[name].test(last))]).toEqual([last, true]);
      }

      let written = 20_000;
      let state: State = {};
      for (const { after, writes } of [
        ...steps,
        ...Array.from({ length: 5 }, () => ({ after: 2_000, writes: false })),
      ]) {
        const begin = clock.now();
        const [sound, read] = [askSound(), noun.getState()];
        state = await passing(clock, read);
        await passing(clock, sound);
        readings += 1;
        // A late answer on a line is that of the last question for the same value.
        check(state, begin - (framing === "rtu" ? 2_000 : 0));
        await passing(clock, new Promise<void>((resolve) => clock.setTimer(() => resolve(), after)));
        if (!writes) continue;
        const at = places[0] as number;
        written += 1;
        const wrote = noun.updateState({ [`k${at}`]: written }).then(
          () => undefined,
          (error: unknown) => String(error),
        );
        const refusal = await passing(clock, wrote);
        const wasWritten = (line.held.get(at) ?? []).some(([, one]) => one === written);
        if (refusal === undefined) expect(["taken", wasWritten]).toEqual(["taken", true]);
        else if (!/so it may have been written|it has \d+/.test(refusal)) {
          expect([refusal, wasWritten]).toEqual([refusal, false]);
        }
      }
      if (!names.every((name) => overcome.includes(name))) return;
      if (names.includes("deaf") && names.includes("closing")) return;
      if (names.includes("lateAcknowledgement") || names.length > 1) return;
      expect(Object.entries(state).filter(([name, value]) => name.startsWith("k") && value === null)).toEqual([]);
    }),
    { numRuns: runs, examples: foundOnce.map((one) => [one]) },
  );
  console.log(`${runs} units, ${readings} readings, ${values} values`);
});
