/** Streams of events: what one costs while it is silent, what a change costs, and what a GET costs beside them. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Client } from "./client.ts";
import { takeTurn, withServers } from "./measurement.ts";
import { requestText } from "./request-text.ts";
import type { RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { median } from "./statistics.ts";
import { markdownTable } from "./table.ts";
import { bareGet, usual, watched } from "./workloads.ts";

/** Rounds, and changes of each server in one. */
const rounds = 3;
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

/** @returns µs of processor time of a change that all watchers receive. */
async function costOfChanges(server: RunningServer, watchers: Watchers): Promise<number> {
  const client = await Client.connect(server.port);
  const before = server.processorTime();
  for (let change = 0; change < changes; change++) {
    const expected = watchers.events + count;
    await client.ask(requestText({ method: "POST", body: "{}" }));
    await watchers.reach(expected);
  }
  client.close();
  return (server.processorTime() - before) / 1_000 / changes;
}

/** @returns the table of what streams cost each server that has them. */
export async function measureStreams(
  servers: readonly Server[],
  scratch: string,
  progress: (step: string) => void,
): Promise<string> {
  const streaming = servers.filter(({ name }) => name === "nound" || name === "floor" || name === "node");
  const rows = await withServers(async (start) => {
    const all = [];
    for (const { title, ...server } of streaming) {
      progress(`${count} streams: ${title}`);
      const alone = await start({ title, ...server }, usual);
      const beside = await start({ title, ...server }, watched);
      const before = beside.residentMemory();
      const watchers = await Watchers.open(beside.port, count);
      const bytesEach = (beside.residentMemory() - before) / count;
      all.push({ title, alone, beside, watchers, bytesEach, change: [] as number[], gets: [[], []] as number[][] });
    }
    for (let round = 1; round <= rounds; round++) {
      progress(`${count} streams, round ${round} of ${rounds}`);
      for (const { alone, beside, watchers, change, gets } of all) {
        change.push(await costOfChanges(beside, watchers));
        for (const [at, server] of [alone, beside].entries()) gets[at]?.push((await takeTurn(server, bareGet)).cost);
      }
    }
    for (const { watchers } of all) watchers.close();
    return all.map(({ title, bytesEach, change, gets }) => [
      title,
      (bytesEach / 1_024).toFixed(2),
      (median(change) / 1_000).toFixed(2),
      ...gets.map((costs) => median(costs).toFixed(1)),
    ]);
  }, scratch);
  const head = ["", "idle, KB each", "a change to all, ms of CPU", "GET beside none, µs", "GET beside them, µs"];
  return markdownTable(head, rows);
}
