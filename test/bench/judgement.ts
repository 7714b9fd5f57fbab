/** The lines that must hold, judged by what was measured. */
import type { Results, Run, ServerName, StreamsResult } from "./results.ts";
import { median, medianRatio } from "./statistics.ts";

/** A line with its verdict. */
export interface Judgement {
  readonly line: string;
  /** What was measured, in words. */
  readonly measured: string;
  /** undefined when it could not be judged. */
  readonly held: boolean | undefined;
}

/** What is compared with a bound; undefined when it was not measured. */
interface Measured {
  readonly value: number;
  readonly words: string;
  /** Whether the measurement went less far than the line asks, as a quick one does. */
  readonly short?: boolean;
}

type Bound = { readonly atLeast: number } | { readonly atMost: number };

function judge(line: string, measured: Measured | undefined, bound: Bound): Judgement {
  if (measured === undefined) {
    return { line, measured: "not measured", held: undefined };
  }
  const held = "atLeast" in bound ? measured.value >= bound.atLeast : measured.value <= bound.atMost;
  return { line, measured: measured.words, held: measured.short === true && held ? undefined : held };
}

type Figure = "requestsPerSecond" | "cpuMicroseconds";

const units: { readonly [figure in Figure]: (value: number) => string } = {
  requestsPerSecond: (value) => `${Math.round(value).toLocaleString("en")}/s`,
  cpuMicroseconds: (value) => `${value.toFixed(1)} µs`,
};

function runsOf(results: Results, workload: string, server: ServerName): readonly Run[] | undefined {
  return results.workloads.find(({ name }) => name === workload)?.runs[server];
}

/** The ratio of one figure of two sets of runs, made in the same rounds. */
function ratio(figure: Figure, mine: readonly Run[] | undefined, other: readonly Run[] | undefined) {
  if (mine === undefined || other === undefined) {
    return undefined;
  }
  const [above, below] = [mine, other].map((runs) => runs.map((run) => run[figure])) as [number[], number[]];
  const value = medianRatio(above, below);
  return { value, words: `${value.toFixed(2)} × (${units[figure](median(above))}, ${units[figure](median(below))})` };
}

function against(results: Results, workload: string, figure: Figure, other: ServerName): Measured | undefined {
  return ratio(figure, runsOf(results, workload, "nound"), runsOf(results, workload, other));
}

function instructions(results: Results, name: string): Measured | undefined {
  const [mine, bare] = [name, "get"].map((wanted) => results.instructions.find((count) => count.name === wanted));
  if (mine === undefined || bare === undefined) {
    return undefined;
  }
  const value = mine.perRequest / bare.perRequest;
  const [above, below] = [mine, bare].map((count) => Math.round(count.perRequest).toLocaleString("en"));
  return { value, words: `${value.toFixed(3)} × (${above} instructions, ${below})` };
}

function memory(results: Results, part: "idle" | "afterLoad" | "idleConnections"): Measured | undefined {
  const found = results.servers.find(({ name }) => name === "nound")?.memory;
  if (found === undefined) {
    return undefined;
  }
  const value = found[part] / 1e6;
  if (part !== "afterLoad") {
    return { value, words: `${value.toFixed(2)} MB` };
  }
  const looks = [found.afterMillion, { bytes: found.afterLoad, requests: found.requests }];
  const words = looks
    .flatMap((look) => look ?? [])
    .map(({ bytes, requests }) => `${(bytes / 1e6).toFixed(2)} MB after ${requests.toLocaleString("en")} requests`);
  return { value, words: words.join(", "), short: found.requests < 1_000_000 };
}

function startsOf(results: Results, server: ServerName): readonly number[] | undefined {
  return results.servers.find(({ name }) => name === server)?.startMilliseconds;
}

function start(results: Results, theirs: readonly number[] | undefined): Measured | undefined {
  const mine = startsOf(results, "nound");
  if (mine === undefined || theirs === undefined) {
    return undefined;
  }
  const value = medianRatio(mine, theirs);
  return { value, words: `${value.toFixed(2)} × (${median(mine).toFixed(2)} ms, ${median(theirs).toFixed(2)} ms)` };
}

type Pair = readonly [mine: string, other: string];

/** What a kind of noun must show: by its workload, and in words. */
type Row = readonly [workload: string, words: string];

/** GET of these is answered from what the noun keeps. */
const keptStates: readonly Row[] = [
  ["get", "GET of a switch"],
  ["get-level", "GET of a value"],
  ["get-pump", "GET of a gpio-output"],
  ["get-button", "GET of a gpio-input"],
];

/** The most that other requests may take of Node's processor time. */
const most: readonly (readonly [...row: Row, factor: number])[] = [
  ["get-meter", "GET of a gpio-input with edges", 0.9],
  ["get-lamp", "GET of a led", 0.9],
  ["get-fan", "GET of a pwm", 0.9],
  ["get-battery", "GET of an adc", 0.9],
  ["put-pin", "PUT of a pin", 0.7],
  ["put-new", "PUT of an ever new value", 1.0],
  ["nouns-each", "1,000 nouns in turn", 1.1],
  ["browser-new", "A browser's GET, one field new", 1.0],
  ["browser-all-new", "A browser's GET, every field new", 1.5],
];

/**
 * The most that nound's processor time for a workload may be of that for another. Such two take turns (see `heats`).
 */
const comparisons: readonly (readonly [...pair: Pair, words: string, factor: number])[] = [
  ["put-wide", "put-ascii", "PUT of 4 KB of €: at most 3 × the CPU of one of x", 3],
  ["put-escapes", "put-ascii", 'PUT of 4 KB of \\": at most 4 × the CPU of one of x', 4],
  ["put-chunks", "put-ascii", "PUT of 4 KB in chunks of one byte: at most 4 × the CPU of one of x", 4],
  ["browser", "get", "A browser's GET, repeated: at most 1.4 × a bare one's CPU", 1.4],
  ["put-chunked", "put", "PUT in a chunk: at most 2.5 × a PUT's CPU", 2.5],
  ["all-10", "nouns-10", "GET / with 10 nouns: at most 3 × the CPU of a GET of one", 3],
];

/** The workloads that a line compares with each other, by their names. */
export const compared: readonly Pair[] = comparisons.map(([mine, other]) => [mine, other]);

function streamsOf(results: Results, server: ServerName): StreamsResult | undefined {
  return results.streams.find((result) => result.server === server);
}

/** The cost of a change that all streams receive, compared with a C program that sends the same bytes to as many. */
function change(results: Results): Measured | undefined {
  const [mine, other] = [streamsOf(results, "nound"), streamsOf(results, "floor")];
  if (mine === undefined || other === undefined) return undefined;
  const value = medianRatio(mine.changeMicroseconds, other.changeMicroseconds);
  const words = [mine, other]
    .map(({ changeMicroseconds }) => `${Math.round(median(changeMicroseconds))} µs`)
    .join(", ");
  return { value, words: `${value.toFixed(2)} × (${words})` };
}

function streamMemory(results: Results): Measured | undefined {
  const bytes = streamsOf(results, "nound")?.bytesEach;
  return bytes === undefined ? undefined : { value: bytes / 1_024, words: `${(bytes / 1_024).toFixed(2)} KB` };
}

/** @returns all lines, in the order in which they are promised. */
export function judgements(results: Results): readonly Judgement[] {
  const vs = (workload: string, figure: Figure, other: ServerName) => against(results, workload, figure, other);
  /** nound's processor time for a workload, as a multiple of that for another. */
  const cpu = (workload: string, other: string) =>
    ratio("cpuMicroseconds", runsOf(results, workload, "nound"), runsOf(results, other, "nound"));
  const streams = streamsOf(results, "nound");
  const besideStreams = ratio("cpuMicroseconds", streams?.beside, streams?.alone);
  return [
    ...keptStates.flatMap(([name, words]) => [
      judge(`${words}: at most 1.25 × nginx's CPU`, vs(name, "cpuMicroseconds", "nginx"), { atMost: 1.25 }),
      judge(`${words}: at most 0.55 × Node's CPU`, vs(name, "cpuMicroseconds", "node"), { atMost: 0.55 }),
      judge(`${words}: at least 1.8 × Node's requests per second`, vs(name, "requestsPerSecond", "node"), {
        atLeast: 1.8,
      }),
    ]),
    ...most.map(([name, words, factor]) =>
      judge(`${words}: at most ${factor} × Node's CPU`, vs(name, "cpuMicroseconds", "node"), { atMost: factor }),
    ),
    judge("PUT: at least 1.5 × Node's requests per second", vs("put", "requestsPerSecond", "node"), { atLeast: 1.5 }),
    judge("POST: at least 1.5 × Node's requests per second", vs("post", "requestsPerSecond", "node"), { atLeast: 1.5 }),
    judge("1,000 nouns: within 5 % of one", instructions(results, "nouns-1000"), { atMost: 1.05 }),
    judge("1,000 idle connections: within 5 % of none", instructions(results, "idle-1000"), { atMost: 1.05 }),
    judge("Resident when idle: at most 1.8 MB", memory(results, "idle"), { atMost: 1.8 }),
    judge("Resident after a million requests: at most 2.0 MB", memory(results, "afterLoad"), { atMost: 2 }),
    judge("Resident with 1,000 idle connections: at most 5 MB", memory(results, "idleConnections"), { atMost: 5 }),
    judge("First answer: at most 1/10 of Node's time", start(results, startsOf(results, "node")), { atMost: 0.1 }),
    judge("First answer: at most 5 × the engine with an empty script", start(results, results.engineMilliseconds), {
      atMost: 5,
    }),
    judge("A connection each: at most 1.5 × the floor's CPU", vs("close", "cpuMicroseconds", "floor"), { atMost: 1.5 }),
    judge("A change to 1,000 watchers: at most 1.3 × the floor's CPU", change(results), { atMost: 1.3 }),
    judge("Resident for an idle stream: at most 3 KB", streamMemory(results), { atMost: 3 }),
    judge("GET beside 1,000 idle streams: at most 1.05 × the CPU of one beside none", besideStreams, { atMost: 1.05 }),
    ...comparisons.map(([mine, other, line, factor]) => judge(line, cpu(mine, other), { atMost: factor })),
  ];
}
