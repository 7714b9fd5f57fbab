/** Servers of TLS that send a device what they should not, or stop in the middle. */
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { Alteration } from "../../harness/altering-stream.ts";
import { certificate } from "../../harness/certificates.ts";
import { memoryNotJudged, slowness } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { configurationFile, NoundProcess, temporaryPath } from "../../harness/nound-process.ts";
import { childrenOf, openDescriptors, ownMemory } from "../../harness/process-status.ts";
import {
  AlteringServer,
  askingProgram,
  isIgnoredVersion,
  openRudeServer,
  type Rudeness,
  versions,
} from "../altering-server.ts";
import type { HostileCase, Outcome } from "../case.ts";
import { judgesTime } from "../time.ts";

/** Servers of each version. A device makes at most eight connections at once. */
const abreast = 4;
/** ms that the device waits for a handshake, and for an answer: an altered length may promise bytes that never come. */
const patience = 500 * slowness;
/** kB that a process may have more than after right connections: that with the engine, and the connector. */
const mostGrowth = [256, 16] as const;

const authority = certificate({ name: "House", isAuthority: true });
const shown = certificate({ name: "server", hosts: ["127.0.0.1"], issuer: authority });
const settings = {
  authorities: temporaryPath("authority.pem"),
  certificate: "",
  key: "",
  name: "",
  alpn: "",
  keys: "",
};
writeFileSync(settings.authorities, authority.pem);

/** @returns the alteration of a server's connection. */
type Plan = (server: number, connection: number) => Alteration;

const unaltered: Plan = () => ({ place: -1, change: "byte" });

function openServers(plan: Plan): Promise<readonly AlteringServer[]> {
  const servers = versions.flatMap((version) => Array.from({ length: abreast }, () => version));
  return Promise.all(
    servers.map((version, server) => AlteringServer.open(shown, version, (connection) => plan(server, connection))),
  );
}

/** What a device's connections to some servers came to, and what it has after them. */
interface Visit {
  /** For each connection `answered`, or why not. */
  readonly outcomes: readonly (readonly string[])[];
  /** Of the process with the engine, and of the connector. */
  readonly descriptors: readonly number[];
  /** kB */
  readonly memory: readonly number[];
}

/** Connects so many times to each server. @throws Error unless all processes of connections end, and the device does. */
async function visit(targets: readonly string[], tries: number, wait: number, burden = 0): Promise<Visit> {
  const asked = { targets, tls: targets.map(() => settings), tries, patience: wait, burden };
  const environment = { ASKED: JSON.stringify(asked) };
  const device = new NoundProcess([], "", { application: configurationFile(askingProgram), environment });
  const lines = (): readonly string[] => device.printed.split("\n").slice(0, -1);
  let ending: string | undefined;
  const haveCome = (count: number): boolean => {
    if (ending !== undefined) throw new Error(`The device has ended, and said: ${ending}`);
    return lines().length >= count;
  };
  try {
    void device.ended.then(({ stderr }) => {
      ending = stderr;
    });
    const all = targets.length * tries;
    for (let wanted = 0; wanted < all; wanted = Math.min(all, lines().length + 100))
      await eventually(`${wanted} connections have come to something`, () => haveCome(wanted));
    await eventually("all connections have come to something", () => haveCome(all));
    const { pid, connector } = device;
    await eventually("every process of a connection has ended", () => childrenOf(connector).length === 0);
    const outcomes = targets.map((_, server) =>
      lines().flatMap((line) => (line.startsWith(`${server} `) ? [line.slice(`${server} `.length)] : [])),
    );
    const after = { descriptors: [pid, connector].map(openDescriptors), memory: [pid, connector].map(ownMemory) };
    const { status, stderr } = await device.stop();
    if (status !== 0 || stderr !== "") throw new Error(`The device ended with ${status} and said: ${stderr}`);
    return { outcomes, ...after };
  } finally {
    device.kill();
  }
}

/** Bytes that a server of each version sends to the end of its answer, and what a device has after that. */
async function rightConnections(): Promise<Visit & { readonly lengths: readonly number[] }> {
  const servers = await openServers(unaltered);
  const right = await visit(
    servers.map(({ address }) => address),
    4,
    10_000 * slowness,
  );
  const wrong = right.outcomes.flat().find((outcome) => outcome !== "answered");
  if (wrong !== undefined) throw new Error(`A connection that nobody altered came to: ${wrong}`);
  for (const server of servers) server.close();
  return { ...right, lengths: servers.map(({ connections }) => connections[0]?.sent ?? 0) };
}

/** @throws Error if a connection was answered though it was altered, or one that was not was refused. */
function judge(server: AlteringServer, outcomes: readonly string[], places: readonly number[]): number {
  for (const [index, outcome] of outcomes.entries()) {
    const { isAltered, written } = server.connections[index] ?? {};
    const bytes = Buffer.concat(written ?? []);
    const place = places[index] ?? 0;
    const mayBeAnswered = isAltered !== true || isIgnoredVersion(bytes, place);
    if (outcome.startsWith("wrong") || (outcome === "answered" && !mayBeAnswered))
      throw new Error(`Byte ${place} of ${bytes.length} was altered: ${outcome}.`);
  }
  return outcomes.filter((outcome) => outcome !== "answered").length;
}

/**
 * Connects to servers that alter what they send.
 * @param count connections to each server, of which one sends at most so many bytes.
 */
async function attack(
  count: (longest: number) => number,
  alterationOf: (server: number, connection: number, length: number) => Alteration,
) {
  const right = await rightConnections();
  const tries = count(Math.max(...right.lengths));
  const plans = right.lengths.map((length, server) =>
    Array.from({ length: tries }, (_, connection) => alterationOf(server, connection, length)),
  );
  const servers = await openServers((server, connection) => plans[server]?.[connection] ?? unaltered(0, 0));
  const seen = await visit(
    servers.map(({ address }) => address),
    tries,
    patience,
  );
  for (const server of servers) server.close();
  let refused = 0;
  for (const [index, server] of servers.entries())
    refused += judge(server, seen.outcomes[index] ?? [], plans[index]?.map(({ place }) => place) ?? []);
  const growth = seen.memory.map((size, process) => size - (right.memory[process] ?? 0));
  if (String(seen.descriptors) !== String(right.descriptors))
    throw new Error(`The processes have ${seen.descriptors} descriptors, not ${right.descriptors}.`);
  if (memoryNotJudged === undefined && growth.some((size, process) => size > (mostGrowth[process] ?? 0)))
    throw new Error(`The processes grew by ${growth.join(" and ")} kB.`);
  const reasons = new Set(seen.outcomes.flat());
  const survived = `${reasons.size} different reasons; ${growth.join(" and ")} kB`;
  return { tried: servers.length * tries, refused, survived };
}

function mutate(): Promise<Outcome> {
  const tries = judgesTime ? Math.ceil(10_000 / (abreast * versions.length)) : 20;
  return attack(
    () => tries,
    (_, __, length) => ({ place: Math.floor(Math.random() * length), change: "byte" }),
  );
}

/** Each server ends the connection after other numbers of bytes, all those of its version together after each. */
async function cut(change: "fin" | "rst"): Promise<Outcome> {
  const step = judgesTime ? 1 : 61;
  return await attack(
    (longest) => Math.ceil(longest / step / abreast),
    (server, connection, length) => ({
      place: ((connection * abreast + (server % abreast)) * step) % length,
      change,
    }),
  );
}

/** Each server begins to be slow at another byte. */
function crawl(): Promise<Outcome> {
  return attack(
    () => 1,
    (server, _, length) => ({
      place: Math.floor((length * (server % abreast)) / abreast),
      change: "slow",
    }),
  );
}

/** More than the buffers of the kernel hold, for a server that reads nothing. */
const burden = 12_000_000;

/** Servers that read nothing, and send for as long as somebody is there. The device goes, and so must its processes. */
async function outstay(rudeness: Rudeness): Promise<Outcome> {
  const servers = await Promise.all(versions.map((version) => openRudeServer(shown, version, rudeness)));
  const targets = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
  await visit(targets, 1, 10 * patience, burden);
  for (const server of servers) server.close();
  return { tried: targets.length, refused: targets.length, survived: "" };
}

/** The cases. */
export const tlsServers: readonly HostileCase[] = [
  { name: "TLS servers: an altered byte of handshakes and records", run: mutate },
  { name: "TLS servers: an end by FIN at any byte", run: () => cut("fin") },
  { name: "TLS servers: a reset at any byte", run: () => cut("rst") },
  { name: "TLS servers: a byte a second from any byte on", run: crawl },
  { name: "TLS servers: records without a pause, and nothing read", run: () => outstay("flood") },
  { name: "TLS servers: a byte a second, and nothing read", run: () => outstay("drip") },
];
