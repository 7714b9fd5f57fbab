/** Streams of events: what one costs while it is silent, what a change costs, and what a GET costs beside them. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Client } from "./client.ts";
import type { Extent } from "./measurement.ts";
import { processorTime } from "./process-account.ts";
import { requestText } from "./request-text.ts";
import type { Run, StreamsResult } from "./results.ts";
import { RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { usual, watched, workloads } from "./workloads.ts";

/** Changes of one round. */
const changes = 20;

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

/** @returns the server's processor time for a change that all watchers receive, in µs. */
async function oneRound(server: RunningServer, watchers: Watchers, count: number): Promise<number> {
  const client = await Client.connect(server.port);
  const before = processorTime(server.pid);
  for (let change = 0; change < changes; change++) {
    const expected = watchers.events + count;
    await client.ask(requestText({ method: "POST", body: "{}" }));
    await watchers.reach(expected);
  }
  client.close();
  return (processorTime(server.pid) - before) / 1_000 / changes;
}

/** @returns what streams cost a server. */
export async function measureStreams(
  server: Server,
  { rounds, runSeconds }: Extent,
  scratch: string,
  progress: (step: string) => void,
): Promise<StreamsResult> {
  const get = workloads.find(({ name }) => name === "get");
  const count = watched.streams ?? 0;
  const without = await RunningServer.start(server, usual, scratch);
  const beside = await RunningServer.start(server, watched, scratch);
  try {
    progress(`${count} streams: ${server.title}`);
    const before = beside.residentMemory();
    const watchers = await Watchers.open(beside.port, count);
    const bytesEach = (beside.residentMemory() - before) / count;
    const changeMicroseconds: number[] = [];
    const alone: Run[] = [];
    const crowded: Run[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress(`${count} streams, round ${round} of ${rounds}: ${server.title}`);
      changeMicroseconds.push(await oneRound(beside, watchers, count));
      if (get === undefined) continue;
      alone.push(await without.load(get, runSeconds));
      crowded.push(await beside.load(get, runSeconds));
    }
    watchers.close();
    return { server: server.name, title: server.title, count, bytesEach, changeMicroseconds, alone, beside: crowded };
  } finally {
    await without.stop();
    await beside.stop();
  }
}
