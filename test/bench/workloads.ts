/** What the servers are asked to do. */
import { browserFields, type RequestOptions } from "./request-text.ts";
import type { ServerName } from "./results.ts";

/** How a server is set up for a workload. One process of it serves all workloads of the same setting. */
export interface Setting {
  /** How many nouns are registered. */
  readonly nouns: number;
  /** How many connections are held open that ask nothing. */
  readonly idleConnections: number;
}

/** One workload. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly setting: Setting;
  readonly request: RequestOptions;
  readonly connections: number;
  /** Requests sent at once on a connection. */
  readonly pipelined?: number;
  /** Whether no two requests are the same. */
  readonly unique?: boolean;
  /** Whether the requests go to each noun in turn. */
  readonly everyNoun?: boolean;
  readonly servers: readonly ServerName[];
}

/** The setting of most workloads. */
export const usual: Setting = { nouns: 1, idleConnections: 0 };
/** The setting with idle connections. */
export const crowded: Setting = { nouns: 1, idleConnections: 1_000 };

const all: readonly ServerName[] = ["nound", "floor", "nginx", "node", "lighttpd"];
const quickOnes: readonly ServerName[] = ["nound", "floor", "nginx", "node"];
const withNouns: readonly ServerName[] = ["nound", "node"];
const get = { setting: usual, request: {}, connections: 16 };

/** All of them. */
export const workloads: readonly Workload[] = [
  { ...get, name: "get", title: "GET", servers: all },
  { ...get, name: "put", title: "PUT", request: { method: "PUT", body: '{"led":1}' }, servers: all },
  { ...get, name: "post", title: "POST, a toggle", request: { method: "POST", body: "{}" }, servers: all },
  {
    ...get,
    name: "close",
    title: "GET, a connection each",
    request: { fields: "Connection: close\r\n" },
    servers: all,
  },
  { ...get, name: "browser", title: "GET by a browser", request: { fields: browserFields }, servers: quickOnes },
  {
    ...get,
    name: "browser-new",
    title: "GET by a browser, never the same",
    request: { fields: browserFields },
    unique: true,
    servers: quickOnes,
  },
  { ...get, name: "get-128", title: "GET, 128 connections", connections: 128, servers: quickOnes },
  { ...get, name: "pipelined", title: "GET, 8 pipelined", pipelined: 8, servers: quickOnes },
  {
    ...get,
    name: "nouns-10",
    title: "GET, 10 nouns",
    setting: { ...usual, nouns: 10 },
    servers: withNouns,
  },
  {
    ...get,
    name: "nouns-1000",
    title: "GET, 1,000 nouns",
    setting: { ...usual, nouns: 1_000 },
    servers: withNouns,
  },
  {
    ...get,
    name: "nouns-each",
    title: "GET, 1,000 nouns in turn",
    setting: { ...usual, nouns: 1_000 },
    everyNoun: true,
    servers: withNouns,
  },
  {
    ...get,
    name: "idle-1000",
    title: "GET beside 1,000 idle connections",
    setting: crowded,
    servers: quickOnes,
  },
];

/** The names of the nouns of a setting: `led`, `led1`, `led2`, ... */
export function nounNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? "led" : `led${index}`));
}
