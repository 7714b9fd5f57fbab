/** A bus: whose turn it is, the silence between frames, and what is told apart when an answer does not come. */
import { beforeEach, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import {
  Bus,
  type Link,
  type LinkHandler,
  type ModbusCounts,
  noCounts,
  type Outcome,
} from "../../../ts/parts/modbus/bus.ts";
import { rtuFrame, tcpFrame } from "../../../ts/parts/modbus/framing.ts";
import { readQuestion, writeQuestion } from "../../../ts/parts/modbus/functions.ts";

class Wire implements Link {
  handler: LinkHandler | undefined;
  readonly sent: string[] = [];
  readonly moments: number[] = [];
  refusal: string | undefined;
  opened = 0;
  private readonly clock: SimulatedClock;

  constructor(clock: SimulatedClock) {
    this.clock = clock;
  }

  open(handler: LinkHandler, done: (reason?: string) => void): void {
    this.opened += 1;
    this.handler = handler;
    done(this.refusal);
  }

  send(bytes: string): void {
    this.sent.push(bytes);
    this.moments.push(this.clock.now());
  }

  close(): void {
    this.handler = undefined;
  }
}

let clock: SimulatedClock;
let wire: Wire;
let counts: ModbusCounts;
let outcomes: Outcome[];

beforeEach(() => {
  clock = new SimulatedClock();
  wire = new Wire(clock);
  counts = noCounts();
  outcomes = [];
});

const question = readQuestion("input", 0, 1);
const answer = (value: number) => `\x04\x02\0${String.fromCharCode(value)}`;

function make(framing: "rtu" | "tcp"): Bus {
  return new Bus(clock, wire, { framing, baud: 9_600, isConnection: framing === "tcp" });
}

function ask(bus: Bus, unit = 1): void {
  bus.ask({ unit, question, time: 500, counts, done: (outcome) => outcomes.push(outcome) });
}

test("one question is asked at a time, with a silence of 3.5 characters between the frames", () => {
  const bus = make("rtu");
  for (const unit of [1, 2, 3]) ask(bus, unit);
  for (const unit of [1, 2, 3]) {
    clock.advance(10);
    expect(wire.sent).toHaveLength(unit);
    wire.handler?.onBytes(rtuFrame(unit, answer(unit)));
    // 3.5 characters of 11 bits are 4.01 ms.
    clock.advance(4);
    expect(wire.sent).toHaveLength(unit);
  }
  expect(outcomes).toEqual([answer(1), answer(2), answer(3)]);
  clock.advance(1_000);
  expect(clock.running).toBe(0);
  expect(counts).toEqual(noCounts());
});

test("an answer is found behind noise, and in any pieces", () => {
  const bus = make("rtu");
  ask(bus);
  clock.advance(5);
  for (const byte of `\xff\x01\x04\0${rtuFrame(1, answer(7))}`) wire.handler?.onBytes(byte);
  expect(outcomes).toEqual([answer(7)]);
});

test("half a frame, and a wrong checksum, are no answer, and the next question is asked", () => {
  const bus = make("rtu");
  for (const bytes of [rtuFrame(1, answer(7)).slice(0, 4), `\x01${answer(7)}\0\0`]) {
    ask(bus);
    clock.advance(10);
    wire.handler?.onBytes(bytes);
    clock.advance(600);
  }
  ask(bus);
  clock.advance(5);
  wire.handler?.onBytes(rtuFrame(1, answer(9)));
  const garbled = { reason: "its answer has a wrong checksum", wasSent: true };
  expect(outcomes).toEqual([garbled, garbled, answer(9)]);
  expect(counts).toMatchObject({ garbled: 2, timeouts: 0 });
});

test("an answer that comes after its time is not that of the next question", () => {
  const bus = make("rtu");
  ask(bus, 1);
  ask(bus, 2);
  clock.advance(600);
  expect(wire.sent).toHaveLength(2);
  wire.handler?.onBytes(rtuFrame(1, answer(1)));
  wire.handler?.onBytes(rtuFrame(2, answer(2)));
  expect(outcomes).toEqual([{ reason: "it did not answer within 500 ms", wasSent: true }, answer(2)]);
  expect(counts).toMatchObject({ timeouts: 1, late: 1, strays: 0 });
});

test("the frame of a unit that was not asked is counted, and not taken", () => {
  const bus = make("rtu");
  ask(bus, 1);
  clock.advance(5);
  wire.handler?.onBytes(rtuFrame(9, answer(1)));
  wire.handler?.onBytes(rtuFrame(1, "\x03\x02\0\x05"));
  wire.handler?.onBytes(rtuFrame(1, answer(1)));
  expect(outcomes).toEqual([answer(1)]);
  expect(counts).toMatchObject({ strays: 1, late: 1 });
});

test("an exception is told with its code", () => {
  const bus = make("rtu");
  ask(bus);
  clock.advance(5);
  wire.handler?.onBytes(rtuFrame(1, "\x84\x02"));
  expect(outcomes).toEqual([{ exception: 2, reason: "it does not have this address (2)" }]);
  expect(counts).toMatchObject({ exceptions: 1, lastException: 2 });
});

test("a unit that does not answer is asked ever less often, and does not delay the others", () => {
  const bus = make("rtu");
  for (let second = 0; second < 600; second++) {
    ask(bus, 1);
    clock.advance(1_000);
  }
  expect(wire.sent.length).toBeLessThan(30);
  expect(outcomes).toHaveLength(600);
  // It is back.
  clock.advance(30_000);
  ask(bus, 1);
  wire.handler?.onBytes(rtuFrame(1, answer(3)));
  expect(outcomes.at(-1)).toBe(answer(3));
  clock.advance(5);
  ask(bus, 1);
  expect(wire.sent.length).toBeLessThan(32);
  wire.handler?.onBytes(rtuFrame(1, answer(4)));
  expect(outcomes.at(-1)).toBe(answer(4));
});

test("a write is sent to a silent unit at once; only readings wait", () => {
  const bus = make("tcp");
  for (let second = 0; second < 60; second++) {
    ask(bus, 1);
    clock.advance(1_000);
  }
  ask(bus, 1);
  expect(outcomes.at(-1)).toMatchObject({ reason: expect.stringContaining("it is asked again in") as string });
  const sent = wire.sent.length;
  bus.ask({ unit: 1, question, time: 500, counts, isUrgent: true, done: (outcome) => outcomes.push(outcome) });
  expect(wire.sent).toHaveLength(sent + 1);
});

test("by TCP, an answer has the number of its question, and comes in any pieces", () => {
  const bus = make("tcp");
  ask(bus);
  const frame = tcpFrame(1, 1, answer(7));
  wire.handler?.onBytes(tcpFrame(9, 1, answer(1)) + frame.slice(0, 5));
  wire.handler?.onBytes(frame.slice(5));
  expect(outcomes).toEqual([answer(7)]);
  expect(counts).toMatchObject({ misnumbered: 1, late: 0 });
});

test.each([
  ["another protocol", "HTTP/1.1 400 Bad Request\r\n"],
  ["a length beyond the protocol's", "\0\x01\0\0\xff\xff\x01\x04"],
  ["a length of nothing", "\0\x01\0\0\0\x01\x01\x04"],
])("a server that sends %s is left, and tried again after a second", (_, bytes) => {
  const bus = make("tcp");
  ask(bus);
  wire.handler?.onBytes(bytes);
  expect(outcomes).toEqual([{ reason: "it does not speak Modbus TCP", wasSent: true }]);
  ask(bus);
  expect(outcomes).toHaveLength(2);
  clock.advance(1_000);
  ask(bus);
  expect(wire.opened).toBe(2);
});

test("a server that sends without end holds 512 bytes at most", () => {
  const bus = make("rtu");
  ask(bus);
  clock.advance(5);
  for (let times = 0; times < 10_000; times++) wire.handler?.onBytes("\0".repeat(4_096));
  clock.advance(600);
  expect(outcomes).toEqual([{ reason: "its answer has a wrong checksum", wasSent: true }]);
});

test("a link that cannot be opened, or that goes, ends the questions with the reason", () => {
  wire.refusal = "there is no such device";
  const bus = make("rtu");
  ask(bus);
  ask(bus);
  expect(outcomes).toEqual([{ reason: wire.refusal }, { reason: wire.refusal }]);
  expect(wire.opened).toBe(1);
  wire.refusal = undefined;
  clock.advance(1_000);
  ask(bus);
  clock.advance(5);
  wire.handler?.onGone("it is gone");
  expect(outcomes.at(-1)).toEqual({ reason: "it is gone", wasSent: true });
});

test("a server that closed an idle connection is connected to again for the next question", () => {
  const bus = make("tcp");
  ask(bus);
  wire.handler?.onBytes(tcpFrame(1, 1, answer(7)));
  wire.handler?.onGone("it has closed the connection");
  ask(bus);
  expect(wire.opened).toBe(2);
  wire.handler?.onBytes(tcpFrame(2, 1, answer(8)));
  expect(outcomes).toEqual([answer(7), answer(8)]);
});

test("a server may close the connection after each answer: each question is answered, a write, too", () => {
  const bus = make("tcp");
  for (let times = 0; times < 3; times++) ask(bus);
  const write = writeQuestion("coil", 3, [1], false);
  bus.ask({ unit: 1, question: write, time: 500, counts, done: (outcome) => outcomes.push(outcome) });
  const serve = (bytes: string) => {
    const { handler, sent } = wire;
    handler?.onBytes(sent.at(-1)?.slice(0, 4) + tcpFrame(0, 1, bytes).slice(4));
    handler?.onGone("it has closed the connection");
  };
  for (const value of [1, 2, 3]) serve(answer(value));
  serve(write.bytes);
  expect(outcomes).toEqual([answer(1), answer(2), answer(3), write.bytes]);
});

test("a server that closes each connection without an answer is connected to once a second", () => {
  const bus = make("tcp");
  ask(bus);
  wire.handler?.onGone("it has closed the connection");
  ask(bus);
  expect(outcomes).toHaveLength(2);
  expect(wire.opened).toBe(1);
  clock.advance(1_000);
  ask(bus);
  wire.handler?.onBytes(tcpFrame(2, 1, answer(7)));
  ask(bus);
  wire.handler?.onGone("it has closed the connection");
  wire.handler?.onGone("it has closed the connection");
  expect(outcomes.at(-1)).toEqual({ reason: "it has closed the connection", wasSent: true });
  expect(wire.opened).toBe(3);
});

/** Answers the last question. */
const serveTcp = (unit: number, bytes: string) =>
  wire.handler?.onBytes(wire.sent.at(-1)?.slice(0, 4) + tcpFrame(0, unit, bytes).slice(4));

test("a question that a gateway drops after an answer is asked again, and later ones leave a pause", () => {
  const bus = make("tcp");
  ask(bus);
  serveTcp(1, answer(0));
  for (const value of [1, 2]) {
    ask(bus);
    clock.advance(500);
    expect(outcomes).toHaveLength(value);
    serveTcp(1, answer(value));
    expect(outcomes).toHaveLength(value + 1);
  }
  expect(counts).toMatchObject({ timeouts: 2 });
  ask(bus);
  const sent = wire.sent.length;
  clock.advance(149);
  expect(wire.sent).toHaveLength(sent);
  clock.advance(1);
  expect(wire.sent).toHaveLength(sent + 1);
  // A write waits, too.
  serveTcp(1, answer(3));
  bus.ask({ unit: 1, question, time: 500, counts, isUrgent: true, done: (outcome) => outcomes.push(outcome) });
  expect(wire.sent).toHaveLength(sent + 1);
  clock.advance(150);
  expect(wire.sent).toHaveLength(sent + 2);
});

test("a unit that needs a pause does not delay others, and is not kept waiting by them", () => {
  const bus = make("tcp");
  ask(bus, 2);
  serveTcp(2, answer(0));
  ask(bus, 1);
  serveTcp(1, answer(0));
  for (const _ of [1, 2]) {
    ask(bus, 1);
    clock.advance(500);
    serveTcp(1, answer(1));
  }
  ask(bus, 1);
  const units: number[] = [];
  for (let times = 0; times < 20; times++) {
    ask(bus, 2);
    const unit = wire.sent.at(-1)?.charCodeAt(6) ?? 0;
    units.push(unit);
    serveTcp(unit, answer(2));
    clock.advance(unit === 2 && units.length < 5 ? 10 : 200);
  }
  expect(units.slice(0, 4)).toEqual([2, 2, 2, 2]);
  expect(wire.sent.some((frame, index) => index >= 10 && frame.charCodeAt(6) === 1)).toBe(true);
});

test("one lost question makes no pause", () => {
  const bus = make("tcp");
  ask(bus);
  serveTcp(1, answer(0));
  ask(bus);
  clock.advance(500);
  serveTcp(1, answer(1));
  for (let times = 0; times < 5; times++) {
    ask(bus);
    serveTcp(1, answer(2));
  }
  expect(outcomes).toHaveLength(7);
});

test("a unit that is deaf after connecting keeps its connection, and is asked about once a second", () => {
  const bus = make("tcp");
  for (let second = 0; second < 8; second++) {
    ask(bus);
    clock.advance(1_000);
  }
  expect(wire.opened).toBe(1);
  expect(wire.sent.length).toBeGreaterThan(3);
  clock.advance(1_000);
  ask(bus);
  serveTcp(1, answer(7));
  expect(outcomes.at(-1)).toBe(answer(7));
  // One that has answered is broken.
  for (let second = 0; second < 8; second++) {
    ask(bus);
    clock.advance(1_000);
  }
  expect(wire.opened).toBeGreaterThan(1);
});

test.each<[string, () => void, string, Partial<ModbusCounts>]>([
  ["another unit", () => serveTcp(9, answer(1)), ", but unit 9 did", { strays: 1 }],
  [
    "another number",
    () => wire.handler?.onBytes(tcpFrame(77, 1, answer(1))),
    ", but an answer has the number of another question",
    { misnumbered: 1 },
  ],
])("an answer of %s is told apart in the counts and in the reason", (_, serve, reason, counted) => {
  const bus = make("tcp");
  ask(bus);
  serve();
  clock.advance(500);
  expect(outcomes).toEqual([{ reason: `it did not answer within 500 ms${reason}`, wasSent: true }]);
  expect(counts).toEqual({ ...noCounts(), timeouts: 1, ...counted });
});

test("a unit whose answers come after their time is told apart from a silent one", () => {
  const bus = make("tcp");
  for (let times = 0; times < 3; times++) {
    ask(bus);
    clock.advance(700);
    serveTcp(1, answer(1));
    clock.advance(5_000);
  }
  expect(outcomes.map((one) => (typeof one === "string" ? one : one.reason))).toEqual([
    "it did not answer within 500 ms",
    "it did not answer within 500 ms, but later",
    "it did not answer within 500 ms, but later",
  ]);
  expect(counts).toMatchObject({ timeouts: 3, late: 3 });
});

test("a second copy of an answer is late, and the next question is answered by its own", () => {
  const bus = make("tcp");
  ask(bus);
  serveTcp(1, answer(1));
  const first = wire.sent.at(-1) ?? "";
  ask(bus);
  wire.handler?.onBytes(first.slice(0, 4) + tcpFrame(0, 1, answer(1)).slice(4));
  serveTcp(1, answer(2));
  expect(outcomes).toEqual([answer(1), answer(2)]);
  expect(counts).toEqual({ ...noCounts(), late: 1 });
});

test("closing ends all questions, and nothing runs on", () => {
  const bus = make("rtu");
  for (const unit of [1, 2]) ask(bus, unit);
  clock.advance(5);
  bus.close();
  ask(bus);
  expect(outcomes).toEqual([{ reason: "it is closed" }, { reason: "it is closed" }, { reason: "it is closed" }]);
  expect(clock.running).toBe(0);
});

test("what a line returns of the program's own bytes is no answer, not even to a write", () => {
  const bus = make("rtu");
  const setting = writeQuestion("holding", 40, [7]);
  const set = () =>
    bus.ask({ unit: 1, question: setting, time: 500, counts, done: (outcome) => outcomes.push(outcome) });
  const returnAndAnswer = (bytes: string) => {
    clock.advance(10);
    for (const byte of `\0${wire.sent.at(-1)}`) wire.handler?.onBytes(byte);
    expect(outcomes).toEqual([]);
    wire.handler?.onBytes(rtuFrame(1, bytes));
    expect(outcomes.splice(0)).toEqual([bytes]);
  };
  set();
  returnAndAnswer(setting.bytes);
  ask(bus);
  returnAndAnswer(answer(7));
  set();
  returnAndAnswer(setting.bytes);
  // A unit that does not answer has not answered by the line's own bytes.
  set();
  clock.advance(10);
  wire.handler?.onBytes(wire.sent.at(-1) ?? "");
  clock.advance(600);
  expect(outcomes).toEqual([{ reason: "it did not answer within 500 ms", wasSent: true }]);
  expect(counts).toEqual({ ...noCounts(), timeouts: 1 });
});

test("the first write to a line that returns nothing ends with its time, later ones at once", () => {
  const bus = make("rtu");
  const setting = writeQuestion("holding", 40, [7]);
  const set = () =>
    bus.ask({ unit: 1, question: setting, time: 500, counts, done: (outcome) => outcomes.push(outcome) });
  set();
  clock.advance(10);
  wire.handler?.onBytes(rtuFrame(1, setting.bytes));
  expect(outcomes).toEqual([]);
  clock.advance(600);
  expect(outcomes.splice(0)).toEqual([setting.bytes]);
  set();
  clock.advance(10);
  wire.handler?.onBytes(rtuFrame(1, setting.bytes));
  expect(outcomes).toEqual([setting.bytes]);
  expect(counts).toEqual(noCounts());
});
