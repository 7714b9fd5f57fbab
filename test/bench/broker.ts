/** A broker that is told of changes: how long that takes, what it costs, and how much memory. `bench -- --broker` */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../harness/eventually.ts";
import { Mosquitto, OtherClient } from "../harness/mosquitto.ts";
import { Client } from "./client.ts";
import { requestText } from "./request-text.ts";
import { loadCpu, RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { median, medianRatio } from "./statistics.ts";
import { markdownTable } from "./table.ts";
import { pinThisProgram } from "./tools.ts";
import { ten } from "./workloads.ts";

/** Changes whose way to the broker is timed, one after the other. */
const timed = 500;
/** Rounds of a second each in which a server gets so many changes. */
const rounds = 10;
const changesOfRound = 1_000;

/** A server that tells a broker, and its name there. */
interface Told {
  readonly id: string;
  readonly running: RunningServer;
}

function withBroker(nound: Server, broker: string): Server {
  return {
    ...nound,
    command(port, setting, folder) {
      const command = nound.command(port, setting, folder);
      const file = join(folder, "nound.json");
      const configuration: object = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...configuration, mqtt: { broker, id: "bench", interval: 0 } }));
      return command;
    },
  };
}

function nodeAt(node: Server, brokerPort: number): Server {
  return {
    ...node,
    command(port, { nouns }, folder) {
      const file = join(folder, "nouns.json");
      writeFileSync(file, JSON.stringify(Object.fromEntries(nouns.map(({ name, state }) => [name, state]))));
      return [process.execPath, resolve("test/bench/servers/node-mqtt.mjs"), `${port}`, file, `${brokerPort}`];
    },
  };
}

const names = ten.nouns.map(({ name }) => name);
const put = (noun: string, on: number): string => {
  const state = ten.nouns.find(({ name }) => name === noun)?.state ?? {};
  const [key = ""] = Object.keys(state);
  return requestText({ method: "PUT", noun, body: JSON.stringify({ [key]: on }) });
};

/** @returns ms from a PUT until a client of the broker has the change, for each. */
async function timeChanges({ id, running }: Told, listener: OtherClient): Promise<readonly number[]> {
  const client = await Client.connect(running.port);
  const times: number[] = [];
  for (let count = 0; count < timed; count++) {
    const noun = names[count % names.length] ?? "";
    const topic = `nound/${id}/${noun}`;
    const arrived = listener.next(topic);
    const since = performance.now();
    const answered = client.ask(put(noun, Math.floor(count / names.length + 1) % 2));
    await arrived;
    times.push(performance.now() - since);
    await answered;
  }
  client.close();
  return times;
}

/** Changes ten nouns a thousand times within a second. @returns µs of processor time for a change. */
async function load({ running }: Told, round: number): Promise<number> {
  const client = await Client.connect(running.port);
  const before = running.processorTime();
  const begin = performance.now();
  for (let count = 0; count < changesOfRound; count++) {
    const due = begin + (count * 1_000) / changesOfRound;
    if (due > performance.now()) await delay(due - performance.now());
    await client.ask(put(names[count % names.length] ?? "", (Math.floor(count / names.length) + round) % 2));
  }
  await delay(100);
  client.close();
  return (running.processorTime() - before) / 1_000 / changesOfRound;
}

/** @returns the process that a process has forked. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim());
}

/** @returns bytes that a process has for itself alone. */
function privateMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]);
  return 1_024 * (field("Private_Dirty") + field("Private_Clean"));
}

const microseconds = (values: readonly number[]): string => `${Math.round(median(values))} µs`;
const milliseconds = (values: readonly number[]): string => `${median(values).toFixed(2)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;

/** @returns the table, for people. */
export async function measureBroker(
  servers: readonly Server[],
  scratch: string,
  progress: (step: string) => void,
): Promise<string> {
  const find = (wanted: string): Server => {
    const found = servers.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`${wanted} is missing.`);
    return found;
  };
  pinThisProgram(loadCpu);
  const broker = await Mosquitto.start(["set_tcp_nodelay true"]);
  const listener = await OtherClient.connect(broker.port);
  const started: RunningServer[] = [];
  const start = async (server: Server): Promise<RunningServer> => {
    const running = await RunningServer.start(server, ten, scratch);
    started.push(running);
    return running;
  };
  try {
    progress("starting");
    const alone = await start(find("nound"));
    const nound: Told = { id: "bench", running: await start(withBroker(find("nound"), broker.address)) };
    const node: Told = { id: "node", running: await start(nodeAt(find("node"), broker.port)) };
    for (const { id } of [nound, node]) await listener.hears(`nound/${id}`, "online");
    await eventually("the last acknowledgement has come", () => delay(500).then(() => true));
    const [bare, told] = [alone.residentMemory(), nound.running.residentMemory()];
    const connector = childOf(nound.running.pid);
    const connectorBytes = privateMemory(connector);
    progress("the way of a change");
    const times = [await timeChanges(nound, listener), await timeChanges(node, listener)] as const;
    const costs: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1} of ${rounds}`);
      costs[0].push(await load(nound, round));
      costs[1].push(await load(node, round));
    }
    const ratio = medianRatio(...costs).toFixed(2);
    return markdownTable(
      ["", "nound", "Node, npm's mqtt"],
      [
        ["From a PUT to a client of the broker, median", ...times.map(milliseconds)],
        [
          "Processor time of a change, 1,000 a second",
          `${microseconds(costs[0])} (${ratio} ×)`,
          microseconds(costs[1]),
        ],
        ["Resident, ten nouns, without a broker", megabytes(bare), ""],
        ["Resident, ten nouns, with a broker", megabytes(told), megabytes(node.running.residentMemory())],
        ["The connector's own memory", megabytes(connectorBytes), ""],
      ],
    );
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    await listener.end();
    await broker.stop("SIGKILL");
  }
}
