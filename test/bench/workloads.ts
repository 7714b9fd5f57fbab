/** What the servers are asked to do. */
import { type BenchNoun, everyKind, heating, meters, note, switches } from "./nouns.ts";
import { browserFields, everyLineNew, requestText, serialMark, tokenField } from "./request-text.ts";
import type { ServerName } from "./servers.ts";

/** How a server is set up for a workload. One process of it serves all workloads of the same setting. */
export interface Setting {
  readonly name: string;
  readonly nouns: readonly BenchNoun[];
  /** Whether the nouns' hardware is simulated. */
  readonly isSimulated?: boolean;
  /** How many connections are held open that ask nothing. */
  readonly idleConnections: number;
  /** How many streams of events there may be. */
  readonly streams?: number;
  /** Whether each request must bring a token. */
  readonly tokens: boolean;
}

/** One workload. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly setting: Setting;
  /**
   * What is asked, one after the other and again from the first. Where a request holds `serialMark`, each has another
   * number there.
   */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Requests sent at once on a connection, 1 unless given. */
  readonly pipelined?: number;
  /** Whether each request has a connection of its own. */
  readonly connectionEach?: boolean;
  /** Whose processor time is measured; none where only instructions count. */
  readonly servers: readonly ServerName[];
}

const plain = { idleConnections: 0, tokens: false };

/** The setting of most workloads. */
export const usual: Setting = { ...plain, name: "usual", nouns: switches(1) };
/** The setting with idle connections. */
export const crowded: Setting = { ...plain, name: "crowded", nouns: switches(1), idleConnections: 1_000 };
/** The setting with streams of events. */
export const watched = { ...plain, name: "watched", nouns: switches(1), streams: 1_000 } as const satisfies Setting;
const hardware: Setting = { ...plain, name: "hardware", nouns: everyKind, isSimulated: true };
const texts: Setting = { ...plain, name: "texts", nouns: [...switches(1), note] };
const metered: Setting = { ...plain, name: "metered", nouns: meters, isSimulated: true };
const closed: Setting = { ...plain, name: "closed", nouns: switches(1), tokens: true };
const unguarded: Setting = { ...plain, name: "unguarded", nouns: heating() };
const guarded: Setting = { ...plain, name: "guarded", nouns: heating({ pump: { led: 1 } }) };
/** The setting with ten switches. */
export const ten: Setting = { ...plain, name: "ten", nouns: switches(10) };
const thousand: Setting = { ...plain, name: "thousand", nouns: switches(1_000) };

const all: readonly ServerName[] = ["nound", "floor", "nginx", "node"];
const withNouns: readonly ServerName[] = ["nound", "node"];
const none: readonly ServerName[] = [];
const get = { setting: usual, requests: [requestText({})], connections: 16, servers: none };

function getOf(noun: string, title: string): Workload {
  const requests = [requestText({ noun })];
  return { ...get, name: `get-${noun}`, title: `GET of a ${title}`, setting: hardware, requests };
}

function putTo(noun: string, body: string): string {
  return requestText({ method: "PUT", noun, body });
}

/** @returns a state with a text of one character or escape that is never the same. @param most its bytes. */
function text(character: string, most = 4_096): string {
  const [before, behind, encoded] = [`{"text":"${serialMark}`, '"}', Buffer.from(character).toString("latin1")];
  const count = Math.floor((most - before.length - behind.length) / encoded.length);
  return before + encoded.repeat(count) + behind;
}

/** The GET that others are compared with. */
export const bareGet: Workload = { ...get, name: "get", title: "GET", servers: [...all, "microhttpd"] };

/** All of them. */
export const workloads: readonly Workload[] = [
  bareGet,
  { ...get, name: "put", title: "PUT", requests: [putTo("led", '{"led":1}')], servers: all },
  {
    ...get,
    name: "put-chunked",
    title: "PUT, the body a chunk",
    requests: [requestText({ method: "PUT", body: '{"led":1}', chunked: "whole" })],
  },
  {
    ...get,
    name: "post",
    title: "POST, a toggle",
    requests: [requestText({ method: "POST", body: "{}" })],
    servers: all,
  },
  {
    ...get,
    name: "close",
    title: "GET, a connection each",
    requests: [requestText({ fields: "Connection: close\r\n" })],
    connectionEach: true,
    servers: all,
  },
  {
    ...get,
    name: "browser",
    title: "GET by a browser",
    requests: [requestText({ fields: browserFields() })],
  },
  {
    ...get,
    name: "browser-new",
    title: "GET by a browser, one field never the same",
    requests: [requestText({ fields: browserFields(serialMark) })],
    servers: all,
  },
  {
    ...get,
    name: "browser-all-new",
    title: "GET by a browser, no field ever the same",
    requests: [everyLineNew(requestText({ fields: browserFields() }))],
  },
  getOf("level", "value"),
  getOf("pump", "gpio-output"),
  getOf("button", "gpio-input"),
  getOf("meter", "gpio-input with edges"),
  getOf("lamp", "led"),
  getOf("fan", "pwm"),
  getOf("battery", "adc"),
  {
    ...get,
    name: "put-pin",
    title: "PUT of a pin, on and off",
    setting: hardware,
    requests: [putTo("pump", '{"pump":1}'), putTo("pump", '{"pump":0}')],
  },
  {
    ...get,
    name: "put-new",
    title: "PUT of an ever new value",
    setting: hardware,
    requests: [putTo("level", `{"level":1${serialMark}}`)],
    servers: withNouns,
  },
  {
    ...get,
    name: "put-ascii",
    title: "PUT of 4 KB of x, never the same",
    setting: texts,
    requests: [putTo("note", text("x"))],
  },
  {
    ...get,
    name: "put-wide",
    title: "PUT of 4 KB of €, never the same",
    setting: texts,
    requests: [putTo("note", text("€"))],
  },
  {
    ...get,
    name: "put-escapes",
    title: 'PUT of 4 KB of \\", never the same',
    setting: texts,
    requests: [putTo("note", text('\\"'))],
  },
  {
    ...get,
    name: "put-chunks",
    title: "PUT of 4 KB in chunks of one byte, never the same",
    setting: texts,
    // As many bytes on the wire.
    requests: [requestText({ method: "PUT", noun: "note", body: text("x", 700), chunked: "bytes" })],
  },
  {
    ...get,
    name: "tokens",
    title: "GET with a token",
    setting: closed,
    requests: [requestText({ fields: tokenField })],
  },
  { ...get, name: "pipelined", title: "GET, 8 pipelined", pipelined: 8 },
  {
    ...get,
    name: "all-10",
    title: "GET / with 10 nouns",
    setting: ten,
    requests: [requestText({ noun: "" })],
  },
  {
    ...get,
    name: "description",
    title: "GET of the description of 10 nouns",
    setting: ten,
    requests: [requestText({ noun: ".well-known/wot" })],
  },
  {
    ...get,
    name: "nouns-1000",
    title: "GET of the last of 1,000 nouns",
    setting: thousand,
    requests: [requestText({ noun: "led999" })],
  },
  {
    ...get,
    name: "nouns-each",
    title: "GET, 1,000 nouns in turn",
    setting: thousand,
    requests: thousand.nouns.map(({ name }) => requestText({ noun: name })),
  },
  ...["metered", "unmetered"].map(
    (noun): Workload => ({
      ...get,
      name: `pulse-${noun}`,
      title: `A level of a simulated line, ${noun}`,
      setting: metered,
      requests: [1, 0].map((pulse) => putTo(`simulated.${noun}`, JSON.stringify({ pulse }))),
    }),
  ),
  ...[unguarded, guarded].flatMap((setting): readonly Workload[] => {
    const words = `${setting.name} nouns`;
    const of = (workload: string, title: string, noun: string, bodies: readonly string[]): Workload => {
      const requests = bodies.map((body) => putTo(noun, body));
      return { ...get, name: `${workload}-${setting.name}`, title, setting, requests };
    };
    return [
      { ...of("get", `GET beside ${words}`, "led", []), requests: get.requests },
      of("put", `PUT beside ${words}`, "led", ['{"led":1}']),
      of("put-on-off", `PUT of one of ${words}, on and off`, "heater", ['{"led":1}', '{"led":0}']),
      of("put-named", `PUT of one that ${words} name, on and off`, "pump", ['{"led":1}', '{"led":0}']),
    ];
  }),
  { ...get, name: "idle-1000", title: "GET beside 1,000 idle connections", setting: crowded },
];

/** Those that are timed: a few kinds of requests, beside other servers. */
export const timedWorkloads = workloads.filter(({ servers }) => servers.length > 0);
