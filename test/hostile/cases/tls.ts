/** Clients of an encrypted address that send what they should not, or stop in the middle. */
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { freeAddress, portOf } from "../../harness/address.ts";
import { alteredClient } from "../../harness/altered-tls-client.ts";
import type { Alteration } from "../../harness/altering-stream.ts";
import { certificate } from "../../harness/certificates.ts";
import { eventually } from "../../harness/eventually.ts";
import { type NoundProcess, privateFile, startNound } from "../../harness/nound-process.ts";
import { childrenOf } from "../../harness/process-status.ts";
import { nouns } from "../../wire/nouns.ts";
import { type HostileCase, type Outcome, type Toll, withstand } from "../case.ts";
import { HonestClient } from "../honest-client.ts";
import { judgesTime } from "../time.ts";

/** Clients at once. Half of the connections may be in their handshake. */
const abreast = 12;
const versions = ["TLSv1.2", "TLSv1.3"] as const;

interface Sealed {
  readonly nound: NoundProcess;
  readonly port: number;
}

async function start(): Promise<Sealed> {
  const own = certificate({ name: "hall", hosts: ["127.0.0.1"] });
  const https = { certificate: privateFile("certificate.pem", own.pem), key: privateFile("key.pem", own.key) };
  const [plain, sealed] = [await freeAddress(), await freeAddress()];
  const led = { kind: "switch", key: "led", values: [0, 1], default: 0 } as const;
  const nound = await startNound({ nouns: { ...nouns, led }, listen: [plain, `https://${sealed}`], https });
  return { nound, port: portOf(sealed) };
}

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** Attacks, and waits until the acceptor has no process and no descriptor of the attackers. */
async function withstandSealed(attack: (sealed: Sealed) => Promise<Toll>): Promise<Outcome> {
  const sealed = await start();
  const { acceptor } = sealed.nound;
  // What is set up once, in all processes.
  await Promise.all(versions.map((version) => alteredClient(sealed.port, { place: -1, change: "byte" }, version)));
  await eventually("the first connections have ended", () => childrenOf(acceptor).length === 0);
  const descriptors = descriptorsOf(acceptor);
  return await withstand(sealed.nound, async () => {
    const toll = await attack(sealed);
    await eventually("every process of a connection has ended", () => childrenOf(acceptor).length === 0);
    await eventually("the acceptor's descriptors are closed", () => descriptorsOf(acceptor) === descriptors);
    return toll;
  });
}

/** Does something for each number below `count`, several at once. */
async function each(count: number, act: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: abreast }, worker));
}

/** Bytes that a client sends which alters nothing. @throws Error when it has no answer. */
async function lengthOf(port: number, version: (typeof versions)[number]): Promise<number> {
  const { sent, isAnswered } = await alteredClient(port, { place: -1, change: "byte" }, version);
  if (!isAnswered) throw new Error(`${version}: a right client has no answer.`);
  return sent;
}

/** One altered byte each, anywhere. A record after the handshake in which a byte was altered must get no answer. */
async function mutate({ port }: Sealed): Promise<Toll> {
  const tried = judgesTime ? 10_000 : 400;
  let refused = 0;
  for (const version of versions) {
    const length = await lengthOf(port, version);
    await each(tried / 2, async () => {
      const place = Math.floor(Math.random() * length);
      const { handshake, isAnswered } = await alteredClient(port, { place, change: "byte" }, version);
      if (isAnswered && place >= handshake) throw new Error(`${version}: byte ${place} was altered, and answered.`);
      refused += isAnswered ? 0 : 1;
    });
  }
  return { tried, refused };
}

/** The connection ends after each number of bytes. */
async function cut({ port }: Sealed, change: Alteration["change"]): Promise<Toll> {
  const step = judgesTime ? 1 : 17;
  let [tried, refused] = [0, 0];
  for (const version of versions) {
    const length = await lengthOf(port, version);
    await each(Math.floor(length / step), async (number) => {
      const place = number * step;
      const { isAnswered } = await alteredClient(port, { place, change }, version);
      if (isAnswered) throw new Error(`${version}: an end after ${place} of ${length} bytes was answered.`);
      tried += 1;
      refused += 1;
    });
  }
  return { tried, refused };
}

const half = 500;
/** How often plain GETs are timed, without and beside the half handshakes in turn: the load of a machine changes. */
const turns = 4;
/** s of each. */
const seconds = 2;
/** How much slower a plain GET may be beside them. */
const mostRatio = 1.2;

/** A client that sends the begin of a ClientHello and waits. It comes again when the server ends it, until told. */
function stayHalf(port: number, isOver: () => boolean): Socket[] {
  const sockets: Socket[] = [];
  const open = (index: number): void => {
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write("\x16\x03\x01\x02\x00\x01\x00", "latin1"));
    sockets[index] = socket.on("error", () => undefined);
    socket.resume().once("close", () => {
      if (!isOver()) setTimeout(() => isOver() || open(index), 1_000);
    });
  };
  for (let index = 0; index < half; index++) open(index);
  return sockets;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

async function timesOfGets(nound: NoundProcess): Promise<readonly number[]> {
  const client = new HonestClient(nound, { interval: 5 });
  await delay(seconds * 1_000);
  const { times, failures } = await client.stop();
  if (failures.length > 0) throw new Error(`A plain GET failed: ${failures[0]}`);
  return times;
}

async function timesBesideHalf(nound: NoundProcess, port: number): Promise<readonly number[]> {
  let isOver = false;
  const sockets = stayHalf(port, () => isOver);
  await delay(1_000);
  const times = await timesOfGets(nound);
  isOver = true;
  for (const socket of sockets) socket.destroy();
  await eventually("no handshake is left", () => childrenOf(nound.acceptor).length === 0);
  return times;
}

async function halfHandshakes(): Promise<Outcome> {
  let compared = "";
  const outcome = await withstandSealed(async ({ nound, port }) => {
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turns; turn++) {
      alone.push(...(await timesOfGets(nound)));
      beside.push(...(await timesBesideHalf(nound, port)));
    }
    const ratio = median(beside) / median(alone);
    compared =
      `GET ${median(alone).toFixed(2)} ms alone, ${median(beside).toFixed(2)} beside, ${ratio.toFixed(2)} times, ` +
      `load ${loadavg()[0]?.toFixed(1)}`;
    if (judgesTime && ratio > mostRatio) throw new Error(`${compared}: at most ${mostRatio} times.`);
    return { tried: half * turns, refused: half * turns };
  });
  return { ...outcome, survived: `${outcome.survived}; ${compared}` };
}

/** The cases. */
export const tls: readonly HostileCase[] = [
  { name: "TLS: handshakes and records with an altered byte", run: () => withstandSealed(mutate) },
  { name: "TLS: connections ended by FIN at any byte", run: () => withstandSealed((sealed) => cut(sealed, "fin")) },
  { name: "TLS: connections reset at any byte", run: () => withstandSealed((sealed) => cut(sealed, "rst")) },
  { name: `TLS: ${half} half handshakes beside plain GETs`, run: halfHandshakes },
];
