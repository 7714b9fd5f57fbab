/** Streams of events: what one costs while it is silent, what a change costs, and what a GET costs beside them. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "./client.ts";
import { loadInTurns } from "./loads.ts";
import type { Extent } from "./measurement.ts";
import { requestText } from "./request-text.ts";
import type { Run, StreamsResult } from "./results.ts";
import { RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { pauseMilliseconds, turnPlan } from "./turns.ts";
import { bareGet, usual, watched } from "./workloads.ts";

/** Changes of each server in one round. */
const changes = 40;
/** Watchers of each server. */
const count = watched.streams;

/** Clients that watch one noun, and how many events they have had together. */
class Watchers {
  events = 0;
  private readonly sockets: Socket[] = [];
  private wake = (): void => {};

  static async open(port: number, count: number): Promise<Watchers> {
    const watchers = new Watchers();
    for (let opened = 0; opened < count; opened++) {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.setEncoding("latin1").on("data", (text: string) => watchers.count(text));
      socket.on("error", () => socket.destroy());
      socket.write(requestText({ fields: "Accept: text/event-stream\r\n" }));
      watchers.sockets.push(socket);
      await watchers.reach(opened + 1);
    }
    return watchers;
  }

  /** Waits until there have been so many events. */
  async reach(events: number): Promise<void> {
    while (this.events < events) {
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${this.events} events came, and not ${events}`)), 20_000);
        this.wake = () => {
          clearTimeout(late);
          resolve();
        };
      });
    }
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private count(text: string): void {
    // An event is short, and comes whole.
    this.events += text.split("data: ").length - 1;
    this.wake();
  }
}

/** A server whose noun is watched, and another process of it whose noun is not. */
interface WatchedServer {
  readonly server: Server;
  readonly alone: RunningServer;
  readonly beside: RunningServer;
  readonly watchers: Watchers;
  /** Resident bytes for each watcher. */
  readonly bytesEach: number;
}

/** @param started all processes, so that they can be ended whatever fails. */
async function startWatched(server: Server, scratch: string, started: RunningServer[]): Promise<WatchedServer> {
  const alone = await RunningServer.start(server, usual, scratch);
  started.push(alone);
  const beside = await RunningServer.start(server, watched, scratch);
  started.push(beside);
  const before = beside.residentMemory();
  const watchers = await Watchers.open(beside.port, count);
  return { server, alone, beside, watchers, bytesEach: (beside.residentMemory() - before) / count };
}

/** Changes the nouns of all servers, in turn. @returns the processor time of a change for each server, in µs. */
async function changeInTurns(servers: readonly WatchedServer[]): Promise<readonly number[]> {
  const clients = await Promise.all(servers.map(({ beside }) => Client.connect(beside.port)));
  const before = servers.map(({ beside }) => beside.processorTime());
  for (const load of turnPlan(servers.length, changes)) {
    const watchers = servers[load]?.watchers;
    const expected = (watchers?.events ?? 0) + count;
    await clients[load]?.ask(requestText({ method: "POST", body: "{}" }));
    await watchers?.reach(expected);
  }
  await delay(pauseMilliseconds);
  for (const client of clients) client.close();
  return servers.map(({ beside }, index) => (beside.processorTime() - (before[index] ?? 0)) / 1_000 / changes);
}

/** Puts GETs on all servers, in turns. @returns a run for each server: alone, and beside its streams. */
async function getInTurns(servers: readonly WatchedServer[]) {
  const runs = await loadInTurns(
    servers.flatMap(({ alone, beside }) => [alone, beside]).map((server) => ({ server, workload: bareGet })),
  );
  return servers.map((_, index) => runs.slice(2 * index, 2 * index + 2));
}

/** @returns what streams cost each server. */
export async function measureStreams(
  servers: readonly Server[],
  { rounds }: Extent,
  scratch: string,
  progress: (step: string) => void,
): Promise<readonly StreamsResult[]> {
  const started: RunningServer[] = [];
  try {
    const watchedServers: WatchedServer[] = [];
    for (const server of servers) {
      progress(`${count} streams: ${server.title}`);
      watchedServers.push(await startWatched(server, scratch, started));
    }
    const changesOf: (readonly number[])[] = [];
    const getsOf: (readonly (readonly Run[])[])[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress(`${count} streams, round ${round} of ${rounds}`);
      changesOf.push(await changeInTurns(watchedServers));
      getsOf.push(await getInTurns(watchedServers));
    }
    for (const { watchers } of watchedServers) watchers.close();
    return watchedServers.map(({ server, bytesEach }, index) => ({
      server: server.name,
      title: server.title,
      count,
      bytesEach,
      changeMicroseconds: changesOf.flatMap((round) => round[index] ?? []),
      alone: getsOf.flatMap((round) => round[index]?.[0] ?? []),
      beside: getsOf.flatMap((round) => round[index]?.[1] ?? []),
    }));
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}
