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

function judge(line: string, measured: Measured | undefined, { atMost }: { readonly atMost: number }): Judgement {
  if (measured === undefined) {
    return { line, measured: "not measured", held: undefined };
  }
  const held = measured.value <= atMost;
  return { line, measured: measured.words, held: measured.short === true && held ? undefined : held };
}

function runsOf(results: Results, workload: string, server: ServerName): readonly Run[] | undefined {
  return results.workloads.find(({ name }) => name === workload)?.runs[server];
}

/** The ratio of the processor times of two sets of runs, made in the same rounds. */
function ratio(mine: readonly Run[] | undefined, other: readonly Run[] | undefined): Measured | undefined {
  if (mine === undefined || other === undefined) {
    return undefined;
  }
  const [above, below] = [mine, other].map((runs) => runs.map((run) => run.cpuMicroseconds)) as [number[], number[]];
  const value = medianRatio(above, below);
  return { value, words: `${value.toFixed(2)} × (${median(above).toFixed(1)} µs, ${median(below).toFixed(1)} µs)` };
}

function instructions(results: Results, name: string, other = "get"): Measured | undefined {
  const [mine, bare] = [name, other].map((wanted) => results.instructions.find((count) => count.name === wanted));
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

/** What must be shown of a workload, in words. */
type Row = readonly [workload: string, words: string];

/** GET of these is answered from what the noun keeps. */
const keptStates: readonly Row[] = [
  ["get", "GET of a switch"],
  ["get-level", "GET of a value"],
  ["get-pump", "GET of a gpio-output"],
  ["get-button", "GET of a gpio-input"],
];

/**
 * The most instructions that other requests may take, as a multiple of those of a GET: what was measured on 2026-11-26,
 * with 5 % of room. A GET took 20,300 then. It had taken 26,500 when eight of these bounds were lower, so each allows
 * fewer instructions than before.
 */
const most: readonly (readonly [...row: Row, factor: number])[] = [
  ["put", "PUT", 1.3],
  ["post", "POST", 1.4],
  ["get-meter", "GET of a gpio-input with edges", 1.35],
  ["get-lamp", "GET of a led", 1.85],
  ["get-fan", "GET of a pwm", 2.3],
  ["get-battery", "GET of an adc", 2.85],
  ["put-pin", "PUT of a pin", 1.7],
  ["put-new", "PUT of an ever new value", 4.5],
  ["nouns-each", "1,000 nouns in turn", 5],
  ["browser-new", "A browser's GET, one field new", 2.6],
  ["browser-all-new", "A browser's GET, every field new", 9],
];

/** The most instructions that requests to a device with guards may take, as a multiple of those without. */
const guarded: readonly (readonly [...row: Row, factor: number])[] = [
  ["get", "GET of a noun without a guard", 1.005],
  ["put", "PUT of a noun without a guard", 1.005],
  ["put-on-off", "PUT that a guard judges", 1.3],
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
  const vs = (workload: string, other: ServerName) =>
    ratio(runsOf(results, workload, "nound"), runsOf(results, workload, other));
  /** nound's processor time for a workload, as a multiple of that for another. */
  const cpu = (workload: string, other: string) =>
    ratio(runsOf(results, workload, "nound"), runsOf(results, other, "nound"));
  const streams = streamsOf(results, "nound");
  const besideStreams = ratio(streams?.beside, streams?.alone);
  return [
    ...keptStates.map(([name, words]) =>
      judge(`${words}: at most 1.25 × nginx's CPU`, vs(name, "nginx"), { atMost: 1.25 }),
    ),
    judge("GET of a switch: at most 1.2 × the floor's CPU", vs("get", "floor"), { atMost: 1.2 }),
    judge("GET of a switch: at most 1.25 × libmicrohttpd's CPU", vs("get", "microhttpd"), { atMost: 1.25 }),
    ...most.map(([name, words, factor]) =>
      judge(`${words}: at most ${factor} × the instructions of a GET`, instructions(results, name), { atMost: factor }),
    ),
    ...guarded.map(([name, words, factor]) =>
      judge(
        `${words}: at most ${factor} × the instructions without guards`,
        instructions(results, `${name}-guarded`, `${name}-unguarded`),
        { atMost: factor },
      ),
    ),
    judge("1,000 nouns: within 5 % of one", instructions(results, "nouns-1000"), { atMost: 1.05 }),
    judge("1,000 idle connections: within 5 % of none", instructions(results, "idle-1000"), { atMost: 1.05 }),
    judge("Resident when idle: at most 1.8 MB", memory(results, "idle"), { atMost: 1.8 }),
    judge("Resident after a million requests: at most 2.0 MB", memory(results, "afterLoad"), { atMost: 2 }),
    judge("Resident with 1,000 idle connections: at most 5 MB", memory(results, "idleConnections"), { atMost: 5 }),
    judge("First answer: at most 5 × the engine with an empty script", start(results, results.engineMilliseconds), {
      atMost: 5,
    }),
    judge("A connection each: at most 1.5 × the floor's CPU", vs("close", "floor"), { atMost: 1.5 }),
    judge("A change to 1,000 watchers: at most 1.3 × the floor's CPU", change(results), { atMost: 1.3 }),
    judge("Resident for an idle stream: at most 3 KB", streamMemory(results), { atMost: 3 }),
    judge("GET beside 1,000 idle streams: at most 1.05 × the CPU of one beside none", besideStreams, { atMost: 1.05 }),
    ...comparisons.map(([mine, other, line, factor]) => judge(line, cpu(mine, other), { atMost: factor })),
  ];
}
