/**
 * Instructions for a request, counted by valgrind's callgrind. A short run and a long one are compared, so that the start and the
 * end of the program are not in the figure. Unlike times, the figure is the same on a busy machine.
 */
import { Client, openIdle } from "./client.ts";
import { browserFields, requestText, withSerial, withSerialEverywhere } from "./request-text.ts";
import type { InstructionCount } from "./results.ts";
import { RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { crowded, nounNames, type Setting, usual } from "./workloads.ts";

/** One kind of request. */
interface Kind {
  readonly name: string;
  readonly title: string;
  readonly setting: Setting;
  /** The request with a number, counted from 0. */
  readonly request: (serial: number) => string;
  /** Requests that are sent at once, 1 unless given. */
  readonly pipelined?: number;
  /** Whether each request has a connection of its own. */
  readonly connectionEach?: boolean;
}

const bare = requestText({});
const browser = requestText({ fields: browserFields });
const thousand: Setting = { ...usual, nouns: 1_000 };
const eachNoun = nounNames(thousand.nouns).map((noun) => requestText({ noun }));

const kinds: readonly Kind[] = [
  { name: "get", title: "GET", setting: usual, request: () => bare },
  { name: "nouns-1000", title: "GET, 1,000 nouns", setting: thousand, request: () => eachNoun[999] ?? "" },
  {
    name: "nouns-each",
    title: "GET, 1,000 nouns in turn",
    setting: thousand,
    request: (serial) => eachNoun[serial % 1_000] ?? "",
  },
  { name: "idle-1000", title: "GET beside 1,000 idle connections", setting: crowded, request: () => bare },
  {
    name: "put",
    title: "PUT",
    setting: usual,
    request: () => requestText({ method: "PUT", body: '{"led":1}' }),
  },
  {
    name: "post",
    title: "POST, a toggle",
    setting: usual,
    request: () => requestText({ method: "POST", body: "{}" }),
  },
  {
    name: "close",
    title: "GET, a connection each",
    setting: usual,
    request: () => requestText({ fields: "Connection: close\r\n" }),
    connectionEach: true,
  },
  { name: "pipelined", title: "GET, 8 pipelined", setting: usual, request: () => bare, pipelined: 8 },
  { name: "browser", title: "GET by a browser", setting: usual, request: () => browser },
  {
    name: "browser-new",
    title: "GET by a browser, one field never the same",
    setting: usual,
    request: (serial) => withSerial(browser, serial),
  },
  {
    name: "browser-all-new",
    title: "GET by a browser, no field ever the same",
    setting: usual,
    request: (serial) => withSerialEverywhere(browser, serial),
  },
];

/** @param printed what valgrind has printed. @returns the instructions it has counted. @throws Error when it counted none. */
export function collected(printed: string): number {
  const match = /Collected : (\d+)/.exec(printed);
  if (match === null) {
    throw new Error(`valgrind has counted nothing; it said: ${printed.trim()}`);
  }
  return Number(match[1]);
}

async function askAll(kind: Kind, port: number, count: number): Promise<void> {
  let client = await Client.connect(port);
  for (let serial = 0; serial < count; serial += kind.pipelined ?? 1) {
    if (kind.connectionEach === true && serial > 0) {
      client.close();
      client = await Client.connect(port);
    }
    const { pipelined = 1 } = kind;
    const statuses = await client.ask(kind.request(serial).repeat(pipelined), pipelined);
    if (statuses.some((status) => status !== 200)) {
      throw new Error(`${kind.title}: an answer had the status ${statuses.join(", ")}.`);
    }
  }
  client.close();
}

/** @returns all instructions of a program that answers so many requests. */
async function count(server: Server, kind: Kind, requests: number, scratch: string): Promise<number> {
  const valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] as const;
  const running = await RunningServer.start(server, kind.setting, scratch, valgrind);
  const idle = await openIdle(running.port, kind.setting.idleConnections, bare);
  await askAll(kind, running.port, requests);
  for (const client of idle) client.close();
  await running.stop();
  return collected(running.printed);
}

/**
 * Counts all kinds of requests.
 * @param requests how many more the long run has than the short one.
 * @param progress is told what is counted now.
 */
export async function countInstructions(
  server: Server,
  requests: number,
  scratch: string,
  progress: (title: string) => void,
): Promise<readonly InstructionCount[]> {
  const counts: InstructionCount[] = [];
  for (const kind of kinds) {
    progress(`${server.title}, instructions: ${kind.title}`);
    // Both runs are beyond what is done once: the tables are full, and the garbage collector has had its turns.
    const few = await count(server, kind, requests, scratch);
    const many = await count(server, kind, 2 * requests, scratch);
    counts.push({ name: kind.name, title: kind.title, perRequest: (many - few) / requests });
  }
  return counts;
}
