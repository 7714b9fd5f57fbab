/** The server of Modbus: nouns as coils and registers, by TCP and on a line, with guards, shapes and rights. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { HttpError } from "../../../ts/core/http/http-error.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import { SimulatedMemory } from "../../../ts/native/simulated/memory.ts";
import { SimulatedNet, type SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import type { Link, LinkHandler } from "../../../ts/parts/modbus/bus.ts";
import { findQuestion, rtuFrame, tcpFrame } from "../../../ts/parts/modbus/framing.ts";
import { readQuestion, word, writeQuestion } from "../../../ts/parts/modbus/functions.ts";
import { ModbusLine } from "../../../ts/parts/modbus/server/line.ts";
import { ModbusServer } from "../../../ts/parts/modbus/server/modbus-server.ts";
import type { ModbusServerOptions } from "../../../ts/parts/modbus/server/options.ts";
import { RegisterMap } from "../../../ts/parts/modbus/server/register-map.ts";

const address = "127.0.0.1:502";

/** A noun of numbers, texts and choices. */
class Boiler implements Noun {
  readonly shape = {
    celsius: { type: "number", nullable: true, readOnly: true },
    target: { type: "integer", minimum: 5, maximum: 80 },
    mode: { type: "choice", values: ["off", "eco", "full"] },
    name: { type: "string", maximumLength: 8 },
  } as const;
  state: { celsius: number | null; target: number; mode: string; name: string } = {
    celsius: -12.5,
    target: 60,
    mode: "eco",
    name: "Boiler",
  };
  refusal: string | undefined;
  readonly changes: State[] = [];
  wait: Promise<void> | undefined;

  async getState(): Promise<State> {
    await this.wait;
    return { ...this.state };
  }

  setState(state: State): State {
    if (this.refusal !== undefined) throw HttpError.keeping(409, this.refusal);
    this.changes.push(state);
    Object.assign(this.state, state);
    return { ...this.state };
  }

  updateState(state: State): State {
    return this.setState(state);
  }

  deleteState(): State {
    return { ...this.state };
  }
}

const registers: ModbusServerOptions["registers"] = {
  coil: { 0: "heater.on", 1: "pump.on" },
  discrete: { 0: "heater.on" },
  holding: {
    0: "heater.on",
    10: { key: "boiler.target", as: "int16" },
    11: "boiler.mode",
    20: { key: "boiler.name", as: "string", length: 8 },
    30: { key: "boiler.target", as: "float32", order: "CDAB" },
    40: "boiler.celsius",
  },
  input: { 0: { key: "boiler.celsius", as: "int16", scale: 0.1, none: 32_768 }, 1: "boiler.celsius" },
};

function make(options: Partial<ModbusServerOptions> = {}, nouns: { [name: string]: Noun } = {}) {
  const clock = new SimulatedClock();
  const net = new SimulatedNet();
  const server = new HttpServer({
    net,
    clock,
    interruption: new SimulatedInterruption(),
    memory: new SimulatedMemory(),
  });
  const boiler = new Boiler();
  const heater = new SwitchNoun({ key: "on" });
  const all: { [name: string]: Noun } = { boiler, heater, pump: new SwitchNoun({ key: "on" }), ...nouns };
  for (const [name, noun] of Object.entries(all)) server.register(name, noun);
  const modbus = new ModbusServer(server.host, { listen: [address], registers, may: "*  *", ...options });
  return { clock, net, server, boiler, heater, modbus };
}

let number = 0;

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

/** Sends a question, and returns its answer without framing. */
async function ask(peer: SimulatedPeer, question: string, unit = 1): Promise<string> {
  number = (number + 1) & 0xffff;
  peer.take();
  peer.send(tcpFrame(number, unit, question));
  await settled();
  const answer = peer.take();
  expect(answer.slice(0, 4)).toBe(word(number) + word(0));
  expect(answer.charCodeAt(6)).toBe(unit);
  return answer.slice(7);
}

const read = (table: "coil" | "discrete" | "holding" | "input", at: number, count: number) =>
  readQuestion(table, at, count).bytes;
const write = (table: "coil" | "holding", at: number, ...values: number[]) => writeQuestion(table, at, values).bytes;

test("values are read as coils, inputs and registers, with types, orders and scales", async () => {
  const { net, heater } = make();
  const peer = net.connect(address);
  heater.setState({ on: 1 });
  expect(await ask(peer, read("coil", 0, 2))).toBe("\x01\x01\x01");
  expect(await ask(peer, read("discrete", 0, 1), 255)).toBe("\x02\x01\x01");
  expect(await ask(peer, read("holding", 0, 1), 0)).toBe("\x03\x02\0\x01");
  expect(await ask(peer, read("holding", 10, 2))).toBe("\x03\x04\0\x3c\0\x01");
  expect(await ask(peer, read("holding", 20, 4))).toBe("\x03\x08Boiler\0\0");
  expect(await ask(peer, read("holding", 30, 2))).toBe("\x03\x04\0\0\x42\x70");
  expect(await ask(peer, read("input", 0, 1))).toBe("\x04\x02\xff\x83");
});

test("a value that is missing is the number that means none, or an exception 4", async () => {
  const { net, boiler } = make();
  const peer = net.connect(address);
  boiler.state.celsius = null;
  expect(await ask(peer, read("input", 0, 1))).toBe("\x04\x02\x80\0");
  expect(await ask(peer, read("input", 1, 1))).toBe("\x84\x04");
});

test("what is written takes the noun's shape: a switch, a number, a choice and a text", async () => {
  const { net, boiler, heater } = make();
  const peer = net.connect(address);
  for (const question of [
    write("coil", 0, 1),
    writeQuestion("coil", 0, [1, 1], true).bytes,
    write("holding", 10, 70),
    write("holding", 11, 2),
    write("holding", 20, 0x4f76, 0x656e, 0, 0),
  ]) {
    const answer = await ask(peer, question);
    expect(answer).toBe(question.slice(0, 5));
  }
  expect(heater.getState()).toEqual({ on: 1 });
  expect(boiler.state).toMatchObject({ target: 70, mode: "full", name: "Oven" });
  expect(await ask(peer, write("holding", 30, 0, 0x41a0))).toBe("\x10\0\x1e\0\x02");
  expect(boiler.state.target).toBe(20);
  // 81 is above the maximum.
  expect(await ask(peer, write("holding", 10, 81))).toBe("\x86\x03");
  expect(boiler.state.target).toBe(20);
});

test("two keys of a noun are set by one change", async () => {
  const { net, boiler } = make();
  const peer = net.connect(address);
  expect(await ask(peer, write("holding", 10, 30, 0))).toBe("\x10\0\x0a\0\x02");
  expect(boiler.changes).toEqual([{ target: 30, mode: "off" }]);
});

test("a noun that refuses, as by its guard, is an exception 4", async () => {
  const { net, boiler } = make();
  boiler.refusal = "The lid is open.";
  expect(await ask(net.connect(address), write("holding", 10, 30))).toBe("\x86\x04");
});

test.each([
  ["a function that it lacks", "\x07", "\x87\x01"],
  ["a function beyond those of Modbus", "\x64\0\0", "\xe4\x01"],
  ["an address without a value", read("holding", 9, 2), "\x83\x02"],
  ["no register", read("holding", 10, 0), "\x83\x03"],
  ["too many registers", `\x03${word(0)}${word(126)}`, "\x83\x03"],
  ["a question that is too short", "\x03\0", "\x83\x03"],
  ["a question that is too long", `${read("holding", 10, 1)}\0`, "\x83\x03"],
  ["a coil of neither level", "\x05\0\0\x12\x34", "\x85\x03"],
  ["a count of bytes that is wrong", "\x10\0\x0a\0\x01\x04\0\x01\0\x01", "\x90\x03"],
  ["a part of a value", write("holding", 30, 1), "\x86\x02"],
  ["a key that cannot be set", write("holding", 40, 1), "\x86\x02"],
])("%s", async (_, question, answer) => {
  const { net } = make();
  expect(await ask(net.connect(address), question)).toBe(answer);
});

test("only what may be written is: 1,000 writes change nothing, and each gets an exception", async () => {
  const { net, boiler, heater, modbus } = make({ may: "GET *" });
  const peer = net.connect(address);
  for (let times = 0; times < 500; times++) {
    expect(await ask(peer, write("coil", 0, 1))).toBe("\x85\x02");
    expect(await ask(peer, write("holding", 10, 30))).toBe("\x86\x02");
  }
  expect([boiler.changes, heater.getState()]).toEqual([[], { on: 0 }]);
  modbus.close();
});

test("what may not be read is an exception", async () => {
  const { net } = make({ may: "GET heater" });
  const peer = net.connect(address);
  expect(await ask(peer, read("coil", 0, 1))).toBe("\x01\x01\0");
  expect(await ask(peer, read("coil", 0, 2))).toBe("\x81\x02");
});

test.each([
  ["192.0.2.1", true],
  ["192.0.3.1", false],
  ["2001:db8::1", true],
  ["2001:db9::1", false],
])("a client from %s is served: %s", (from, isServed) => {
  const { net } = make({ from: ["192.0.2.0/24", "2001:db8::/32"] });
  expect(net.connect(address, from).closed).toBe(!isServed);
});

test("questions come in any pieces, and several at once; answers are in order", async () => {
  const { net } = make();
  const peer = net.connect(address);
  const questions = [read("coil", 0, 1), read("holding", 10, 1), read("coil", 1, 1)];
  for (const byte of questions.map((one, index) => tcpFrame(index, 1, one)).join("")) peer.send(byte);
  await settled();
  peer.send(questions.map((one, index) => tcpFrame(index + 3, 1, one)).join(""));
  await settled();
  const answers = ["\x01\x01\0", "\x03\x02\0\x3c", "\x01\x01\0"];
  expect(peer.take()).toBe([...answers, ...answers].map((one, index) => tcpFrame(index, 1, one)).join(""));
});

test.each([
  ["another protocol", "GET / HTTP/1.1\r\n\r\n"],
  ["a length beyond the longest", "\0\x01\0\0\x01\0\x01\x03"],
  ["a length of no function", "\0\x01\0\0\0\x01\x01"],
])("a client that sends %s is left", (_, bytes) => {
  const { net } = make();
  const peer = net.connect(address);
  peer.send(bytes);
  expect(peer.closed).toBe(true);
});

test("a client that sends a byte a second is left, however long it goes on", () => {
  const { net, clock } = make();
  const peer = net.connect(address);
  const frame = tcpFrame(1, 1, write("holding", 20, 1, 2, 3, 4));
  for (const byte of frame) {
    peer.send(byte);
    clock.advance(1_000);
  }
  expect([peer.closed, peer.received]).toEqual([true, ""]);
});

test("a client that takes no answers is not read, and is left after a while", async () => {
  const { net, clock } = make();
  const peer = net.connect(address);
  peer.setRoom(0);
  for (let times = 0; times < 1_000; times++) peer.send(tcpFrame(times, 1, read("coil", 0, 1)));
  await settled();
  expect(peer.beingRead).toBe(false);
  clock.advance(60_000);
  expect(peer.closed).toBe(true);
});

test("the 33rd client takes the place of the one that has been silent for longest", async () => {
  const { net, clock } = make();
  const peers = Array.from({ length: 32 }, () => {
    clock.advance(1);
    return net.connect(address);
  });
  clock.advance(1);
  expect(await ask(peers[0] as SimulatedPeer, read("coil", 0, 1))).toBe("\x01\x01\0");
  const last = net.connect(address);
  expect(peers.map(({ closed }) => closed).indexOf(true)).toBe(1);
  expect(await ask(last, read("coil", 0, 1))).toBe("\x01\x01\0");
});

test("a client that has asked keeps its place, however many come that say nothing", async () => {
  const { net, clock } = make();
  const master = net.connect(address);
  expect(await ask(master, read("coil", 0, 1))).toBe("\x01\x01\0");
  const crowd = Array.from({ length: 100 }, () => {
    clock.advance(1);
    return net.connect(address);
  });
  expect(crowd.filter(({ closed }) => closed).length).toBe(69);
  expect(await ask(master, read("coil", 0, 1))).toBe("\x01\x01\0");
});

test("a client that is about to ask keeps its place, however many come from another address", async () => {
  const { net, clock } = make();
  const early = net.connect(address, "192.0.2.7");
  const crowd = Array.from({ length: 100 }, () => {
    clock.advance(1);
    return net.connect(address, "192.0.2.66");
  });
  const late = net.connect(address, "192.0.2.8");
  for (let times = 0; times < 50; times++) crowd.push(net.connect(address, "192.0.2.66"));
  expect(await ask(early, read("coil", 0, 1))).toBe("\x01\x01\0");
  expect(await ask(late, read("coil", 0, 1))).toBe("\x01\x01\0");
  expect(crowd.filter(({ closed }) => closed).length).toBe(120);
});

test("a question that waits for a noun is answered while the server closes; idle clients are left", async () => {
  const { net, boiler, modbus } = make();
  let release = () => {};
  boiler.wait = new Promise((resolve) => {
    release = resolve;
  });
  const [idle, busy] = [net.connect(address), net.connect(address)];
  busy.send(tcpFrame(1, 1, read("holding", 10, 1)));
  const finished = modbus.finish(1_000);
  expect([idle.closed, busy.closed]).toEqual([true, false]);
  expect(() => net.connect(address)).toThrow("nobody listens");
  release();
  await finished;
  expect([busy.received, busy.closed]).toEqual([tcpFrame(1, 1, "\x03\x02\0\x3c"), true]);
});

test("any bytes: the server answers questions or leaves, and what it may not write stays", async () => {
  const { net, boiler, heater } = make({ may: "GET *" });
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }).map((bytes) => String.fromCharCode(...bytes)),
          fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 260 })).map(([code, bytes]) => {
            const question = String.fromCharCode(code, ...bytes).slice(0, 253);
            return tcpFrame(7, 1, question);
          }),
        ),
        { maxLength: 5 },
      ),
      async (sent) => {
        const peer = net.connect(address);
        for (const bytes of sent) peer.send(bytes);
        await settled();
        peer.reset();
      },
    ),
    { numRuns: 500 },
  );
  expect([boiler.changes, heater.getState()]).toEqual([[], { on: 0 }]);
  expect(await ask(net.connect(address), read("coil", 0, 1))).toBe("\x01\x01\0");
});

class Wire implements Link {
  handler: LinkHandler | undefined;
  readonly sent: string[] = [];
  open(handler: LinkHandler, done: (reason?: string) => void): void {
    this.handler = handler;
    done();
  }
  send(bytes: string): void {
    this.sent.push(bytes);
  }
  close(): void {
    this.handler = undefined;
  }
}

function makeLine() {
  const { clock, server, boiler } = make();
  const wire = new Wire();
  const map = new RegisterMap(
    server.nouns,
    () => true,
    registers,
    () => {},
  );
  new ModbusLine(clock, wire, { unit: 5, baud: 9_600 }, map, () => {});
  const hear = async (...frames: string[]) => {
    for (const frame of frames) wire.handler?.onBytes(frame);
    await settled();
    clock.advance(10);
    return wire.sent.splice(0);
  };
  return { wire, clock, boiler, hear };
}

test("on a line, a unit answers its own questions among the traffic of others", async () => {
  const { hear, boiler } = makeLine();
  const question = rtuFrame(5, read("holding", 10, 1));
  const answer = rtuFrame(5, "\x03\x02\0\x3c");
  expect(await hear(question)).toEqual([answer]);
  // Another unit's question and answer, which has this unit's question inside it, and noise.
  expect(await hear(rtuFrame(9, read("holding", 0, 4)))).toEqual([]);
  expect(await hear(rtuFrame(9, `\x03\x08${rtuFrame(5, write("holding", 10, 9))}`))).toEqual([]);
  expect(await hear(`\xff\0\x05${question}`)).toEqual([answer]);
  for (const byte of question.slice(0, -1)) expect(await hear(byte)).toEqual([]);
  expect(await hear(question.slice(-1))).toEqual([answer]);
  expect(await hear(rtuFrame(0, write("holding", 10, 33)))).toEqual([]);
  expect(boiler.state.target).toBe(33);
  const wrong = question.slice(0, -1) + String.fromCharCode(question.charCodeAt(7) ^ 1);
  expect(await hear(wrong, question)).toEqual([rtuFrame(5, "\x03\x02\0\x21")]);
});

test("on a line that returns what is sent, its own answer is no question; a late answer is not sent", async () => {
  const { hear, wire, clock, boiler } = makeLine();
  const question = rtuFrame(5, write("holding", 10, 40));
  expect(await hear(question)).toEqual([question]);
  // The line's copy.
  expect(await hear(question)).toEqual([]);
  expect(boiler.changes).toHaveLength(1);
  let release = () => {};
  boiler.wait = new Promise((resolve) => {
    release = resolve;
  });
  wire.handler?.onBytes(rtuFrame(5, read("holding", 10, 1)));
  wire.handler?.onBytes(rtuFrame(9, read("holding", 10, 1)));
  release();
  await settled();
  clock.advance(100);
  expect(wire.sent).toEqual([]);
});

test("1,000 streams of traffic on a line: each question for the unit is answered once, no other one", async () => {
  const { hear, boiler } = makeLine();
  const other = fc.tuple(fc.integer({ min: 6, max: 247 }), fc.nat(60_000), fc.integer({ min: 1, max: 20 }));
  await fc.assert(
    fc.asyncProperty(fc.array(other, { maxLength: 4 }), fc.boolean(), async (others, isNoisy) => {
      for (const [unit, at, count] of others) {
        expect(await hear(rtuFrame(unit, read("holding", at, count)))).toEqual([]);
        const data = Array.from({ length: count }, (_, index) => word((at * 31 + index * 977) & 0xffff)).join("");
        expect(await hear(rtuFrame(unit, `\x03${String.fromCharCode(2 * count)}${data}`))).toEqual([]);
      }
      const [answer = ""] = await hear((isNoisy ? "\0\xff" : "") + rtuFrame(5, read("holding", 10, 1)));
      expect(findQuestion(answer)?.bytes).toBe(`\x03\x02${word(boiler.state.target)}`);
    }),
    { numRuns: 1_000 },
  );
});
