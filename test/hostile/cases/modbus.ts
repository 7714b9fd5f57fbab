/**
 * Masters of Modbus that mean no good: every function with every length, lengths that there are not, frames in pieces
 * and byte by byte, floods. Nothing may be written there, an honest master is answered meanwhile, and HTTP's honest
 * client, too.
 */

import { setTimeout as delay } from "node:timers/promises";
import { freeAddress } from "../../harness/address.ts";
import { eventually, within } from "../../harness/eventually.ts";
import { startConfigured } from "../../harness/nound-process.ts";
import { openDescriptors } from "../../harness/process-status.ts";
import { get } from "../../harness/request.ts";
import { nouns as ordinary } from "../../wire/nouns.ts";
import { Attacker, sourceAddress } from "../attacker.ts";
import { type HostileCase, type Toll, warmUp, withstand } from "../case.ts";
import { randomBytes } from "../random-bytes.ts";
import { inTime } from "../time.ts";

/** ms for which a master may take nothing of its answers. */
const sendTime = 10_000;

const nouns = {
  ...ordinary,
  lever: { kind: "switch", key: "on", values: [false, true], default: false },
  dial: { kind: "value", shape: { number: { type: "integer", minimum: 0, maximum: 65_535 } }, default: { number: 7 } },
};

/** Each address has something, so that a question is refused for what it is, and a write for `may` alone. */
const registers = {
  coil: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [at, "lever.on"])),
  holding: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [at, "dial.number"])),
};

function bytesOf(number: number): string {
  return String.fromCharCode(number >> 8, number & 0xff);
}

/** @param length the one that the head names; that of the bytes if left out. */
function frame(transaction: number, bytes: string, length = bytes.length + 1): string {
  return `${bytesOf(transaction & 0xffff)}\0\0${bytesOf(length)}\x01${bytes}`;
}

/** The dial's register. */
const question = "\x03\0\0\0\x01";

/** A connection of a master, hostile or honest. */
class Master extends Attacker {
  /** The whole answers, from the function on, by their numbers. */
  readonly taken: { readonly number: number; readonly bytes: string }[] = [];
  private left = "";

  constructor(address: string, source?: string) {
    super(address, source);
    this.socket.removeAllListeners("data");
    this.socket.on("data", (bytes: Buffer) => this.take(bytes.toString("latin1")));
  }

  private take(bytes: string): void {
    this.left += bytes;
    while (this.left.length >= 6) {
      const end = 6 + this.left.charCodeAt(4) * 256 + this.left.charCodeAt(5);
      if (this.left.length < end) break;
      const number = this.left.charCodeAt(0) * 256 + this.left.charCodeAt(1);
      this.taken.push({ number, bytes: this.left.slice(7, end) });
      this.left = this.left.slice(end);
    }
    this.socket.emit("answer");
  }

  /** Waits for so many answers in all. @throws Error if the server ends before. */
  async answersOf(count: number): Promise<void> {
    const reached = async (): Promise<void> => {
      while (this.taken.length < count && !this.ended) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            for (const event of ["answer", "end", "close", "error"]) this.socket.off(event, wake);
            resolve();
          };
          for (const event of ["answer", "end", "close", "error"]) this.socket.on(event, wake);
        });
      }
    };
    await within(`${count} answers of Modbus`, reached());
    if (this.taken.length < count) throw new Error(`The server ended after ${this.taken.length} of ${count} answers.`);
  }
}

async function openMasters(address: string, count: number, source?: string): Promise<Master[]> {
  const masters = Array.from({ length: count }, () => new Master(address, source));
  await Promise.all(masters.map((one) => one.connected()));
  return masters;
}

/**
 * Asks again and again, on a new connection where the last one was closed.
 * @param isNewEachTime whether each question has a new connection. @returns a function that ends and judges.
 */
function beginHonestly(address: string, isNewEachTime = false): () => Promise<void> {
  let isOver = false;
  let asked = 0;
  let answered = 0;
  const asking = (async () => {
    let master = new Master(address);
    while (!isOver) {
      asked += 1;
      try {
        if (isNewEachTime) master.drop();
        if (isNewEachTime || master.ended) master = new Master(address);
        await master.connected();
        const before = master.taken.length;
        master.send(frame(asked, question));
        await master.answersOf(before + 1);
        const last = master.taken.at(-1);
        if (last?.bytes !== "\x03\x02\0\x07" || last.number !== (asked & 0xffff)) {
          throw new Error(`An honest master got ${JSON.stringify(last)}.`);
        }
        answered += 1;
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith("The server ended"))) throw error;
      }
      await delay(10);
    }
    master.drop();
  })();
  asking.catch(() => undefined); // told below
  return async () => {
    isOver = true;
    await asking;
    if (answered < 0.95 * asked || answered === 0) {
      throw new Error(`An honest master had ${answered} of ${asked} questions answered.`);
    }
  };
}

interface Attacked {
  readonly modbus: string;
  readonly pid: number;
}

function hostile(name: string, attack: (server: Attacked) => Promise<Toll>): HostileCase {
  return {
    name: `Modbus: ${name}`,
    run: async () => {
      const [listen, modbus] = [await freeAddress(), await freeAddress()];
      const modbusServer = { listen: [modbus], may: "GET *", registers };
      const nound = await startConfigured({ listen, nouns, modbusServer }, listen);
      await warmUp(nound);
      const [first] = await openMasters(modbus, 1);
      first?.send(frame(1, question));
      await first?.answersOf(1);
      first?.drop();
      return await withstand(nound, async () => {
        const end = beginHonestly(modbus);
        const toll = await attack({ modbus, pid: nound.pid });
        await end();
        const reader = new Attacker(listen);
        let body = "";
        reader.socket.on("data", (bytes: Buffer) => {
          body += bytes.toString("latin1");
        });
        reader.send(get("/lever") + get("/dial"));
        await reader.answers(2);
        reader.drop();
        if (!body.includes('{"on":false}') || !body.includes('{"number":7}')) {
          throw new Error(`What may only be read was written: ${body}`);
        }
        return toll;
      });
    },
  };
}

/** 256 functions, each with questions of 0 to 252 bytes behind it: zeros, ones, and bytes without sense. */
async function tryAll({ modbus }: Attacked): Promise<Toll> {
  const random = randomBytes(71);
  let tried = 0;
  let refused = 0;
  for (const fill of ["\0", "\xff", ""]) {
    for (let code = 0; code < 256; code++) {
      const master = new Master(modbus);
      await master.connected();
      let sent = 0;
      // The longest frame has 253 bytes from the function on.
      for (let length = 0; length < 253; length++) {
        const data = fill === "" ? random(length) : fill.repeat(length);
        master.send(frame(sent, String.fromCharCode(code) + data));
        sent += 1;
      }
      await master.answersOf(sent);
      for (const [index, { number, bytes }] of master.taken.entries()) {
        const isRefusal = bytes.length === 2 && bytes.charCodeAt(0) === (code | 0x80);
        const isRead = bytes.charCodeAt(0) === code && code >= 1 && code <= 4 && bytes.length >= 3;
        if (number !== index || !(isRefusal || isRead)) {
          throw new Error(`The function ${code} with ${index} bytes was answered by ${JSON.stringify(bytes)}.`);
        }
        refused += isRefusal ? 1 : 0;
      }
      tried += sent;
      master.drop();
    }
  }
  return { tried, refused };
}

/** Lengths that no frame has, and other protocols. @throws Error where one is answered, or not closed. */
async function lie({ modbus }: Attacked): Promise<Toll> {
  const lengths = [0, 1, ...Array.from({ length: 600 }, (_, index) => 255 + index), 0x7fff, 0x8000, 0xffff];
  let tried = 0;
  const close = async (bytes: string): Promise<void> => {
    const master = new Master(modbus, sourceAddress(tried));
    await master.connected();
    master.send(bytes);
    await master.gone();
    if (master.taken.length > 0) throw new Error(`${JSON.stringify(bytes)} was answered.`);
    master.drop();
    tried += 1;
  };
  for (const length of lengths) await close(frame(1, question, length));
  for (let bit = 0; bit < 16; bit++) await close(`\0\x01${bytesOf(1 << bit)}\0\x06\x01${question}`);
  return { tried, refused: tried };
}

/** Bytes without sense, then FIN; and whole questions that end by RST at any byte. */
async function breakOff({ modbus }: Attacked): Promise<Toll> {
  const random = randomBytes(72);
  let tried = 0;
  for (let round = 0; round < 60; round++) {
    const crowd = await openMasters(modbus, 20, sourceAddress(round));
    for (const [index, one] of crowd.entries()) {
      if (index % 2 === 0) one.send(random(1 + (random(1).charCodeAt(0) % 64) * 8));
      else one.send(frame(1, question).slice(0, (round + index) % 13));
      if (index % 4 < 2) one.finish();
      else one.reset();
    }
    await Promise.all(crowd.filter((_, index) => index % 4 < 2).map((one) => one.gone()));
    for (const one of crowd) one.drop();
    tried += crowd.length;
  }
  return { tried, refused: Number.NaN };
}

/** Thirty at once, which have questions whole only after their time. */
async function creep({ modbus, pid }: Attacked): Promise<Toll> {
  const descriptors = openDescriptors(pid);
  const crowd = await openMasters(modbus, 30);
  const bytes = frame(1, question);
  for (let at = 0; at < bytes.length - 1 && crowd.some((one) => !one.ended); at++) {
    for (const one of crowd) one.send(bytes[at] ?? "");
    await delay(1_000);
  }
  await eventually("all are closed", () => crowd.every((one) => one.ended));
  if (crowd.some(({ taken }) => taken.length > 0)) throw new Error("A question that never ended was answered.");
  for (const one of crowd) one.drop();
  await eventually("their descriptors are closed", () => openDescriptors(pid) <= descriptors + 1);
  return { tried: crowd.length, refused: crowd.length };
}

/**
 * Two thousand that say nothing and never go, while others come to ask one question each.
 * @throws Error when more are held than may be.
 */
async function crowdIn({ modbus, pid }: Attacked): Promise<Toll> {
  const most = 32;
  const end = beginHonestly(modbus, true);
  const room = openDescriptors(pid) + most + 4;
  const crowd: Master[] = [];
  for (let round = 0; round < 40; round++) {
    crowd.push(...(await openMasters(modbus, 50, sourceAddress(round))));
    const open = openDescriptors(pid);
    if (open > room) throw new Error(`The server has ${open} descriptors open, more than ${room}.`);
    await delay(20);
  }
  await eventually("all but as many as may be are closed", () => {
    return crowd.filter((one) => one.ended).length >= crowd.length - most;
  });
  const refused = crowd.filter((one) => one.ended).length;
  await end();
  for (const one of crowd) one.drop();
  return { tried: crowd.length, refused };
}

/** Ten times 10,000 questions and writes at once. Each is answered. */
async function pipeline({ modbus }: Attacked): Promise<Toll> {
  const each = 10_000;
  const crowd = await openMasters(modbus, 10);
  const pair = frame(1, question) + frame(2, "\x06\0\0\0\x63");
  for (const one of crowd) one.send(pair.repeat(each / 2));
  await Promise.all(crowd.map((one) => one.answersOf(each)));
  const refused = crowd.flatMap(({ taken }) => taken).filter(({ bytes }) => bytes.charCodeAt(0) >= 0x80).length;
  if (refused !== (crowd.length * each) / 2) throw new Error(`${refused} writes were refused.`);
  for (const one of crowd) one.drop();
  return { tried: crowd.length * each, refused };
}

/** Nobody takes an answer. @throws Error when the server does not close once `sendTime` is over. */
async function pipelineDeaf({ modbus, pid }: Attacked): Promise<Toll> {
  const descriptors = openDescriptors(pid);
  const crowd = await openMasters(modbus, 5);
  const questions = frame(1, "\x03\0\0\0\x7d").repeat(40_000); // answers of 10 MB
  await eventually("all are accepted", () => openDescriptors(pid) >= descriptors + crowd.length);
  for (const one of crowd) {
    one.socket.pause();
    one.send(questions);
  }
  // The honest ones have one each, and may not have had them before.
  const areClosed = () => openDescriptors(pid) <= descriptors + 2;
  await inTime("masters that take nothing are closed", areClosed, 3 * sendTime);
  for (const one of crowd) one.drop();
  return { tried: crowd.length, refused: crowd.length };
}

/** The cases. */
export const modbus: readonly HostileCase[] = [
  hostile("every function with every length", tryAll),
  hostile("lengths that no frame has, other protocols", lie),
  hostile("bytes without sense, questions broken off", breakOff),
  hostile("one byte a second", creep),
  hostile("2,000 connections against a cap of 32", crowdIn),
  hostile("pipelined questions, ten times 10,000", pipeline),
  hostile("pipelining masters that do not read answers", pipelineDeaf),
];
