/** What a run of the benchmark has measured: the content of build/bench.json. */
import type { MachineState } from "./machine.ts";

/** The servers that are compared. */
export type ServerName = "nound" | "floor" | "microhttpd" | "nginx" | "node" | "lighttpd";

/** One run of the load generator. */
export interface Run {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Processor time of the server for a request, its children's included, in µs. */
  readonly cpuMicroseconds: number;
  /** Requests that failed, or were answered with a status that is not 2xx. */
  readonly errors: number;
}

/** How long requests took. */
export interface Latency {
  /** ms that half of the requests took at most, and 99 % of them. */
  readonly p50: number;
  readonly p99: number;
}

/** All runs of one workload. */
export interface WorkloadResult {
  readonly name: string;
  readonly title: string;
  /** A run of each round, for each server that took part. */
  readonly runs: { readonly [server in ServerName]?: readonly Run[] };
  /** The same for latencies; none where they are not known. */
  readonly latencies: { readonly [server in ServerName]?: readonly Latency[] };
}

/** Resident bytes after so many requests. */
export interface LoadedMemory {
  readonly bytes: number;
  readonly requests: number;
}

/** Resident memory, in bytes. */
export interface Memory {
  /** After the start and one answer. */
  readonly idle: number;
  /** After the load, its connections closed. */
  readonly afterLoad: number;
  /** How many requests that was after. */
  readonly requests: number;
  /** The same as soon as there had been a million requests; undefined if there were not so many. */
  readonly afterMillion: LoadedMemory | undefined;
  /** With 1,000 connections, each after one answer. */
  readonly idleConnections: number;
}

/** What is measured of a server beside its workloads. */
export interface ServerResult {
  readonly name: ServerName;
  readonly title: string;
  readonly version: string;
  /** Size of the program's file, in bytes; libraries it links apart. */
  readonly size: number;
  /** From execve to the first answer, in ms, once for each round. */
  readonly startMilliseconds: readonly number[];
  readonly memory: Memory;
}

/** What streams of events cost a server. */
export interface StreamsResult {
  readonly server: ServerName;
  readonly title: string;
  /** How many there are. */
  readonly count: number;
  /** Resident bytes for each, while it is silent. */
  readonly bytesEach: number;
  /** Processor time of a change that all receive, in µs, once for each round. */
  readonly changeMicroseconds: readonly number[];
  /** GET without streams, and beside them: a run of each round. */
  readonly alone: readonly Run[];
  readonly beside: readonly Run[];
}

/** Instructions of one kind of request, counted by valgrind: user space alone, the kernel's are not in it. */
export interface InstructionCount {
  readonly name: string;
  readonly title: string;
  readonly perRequest: number;
}

export interface Results {
  readonly machine: MachineState;
  readonly rounds: number;
  /** What could not be measured, and what to install for it. */
  readonly skipped: readonly string[];
  readonly servers: readonly ServerResult[];
  /** From execve to the end of nound's engine with an empty script, in ms, once for each start of the servers. */
  readonly engineMilliseconds: readonly number[];
  readonly workloads: readonly WorkloadResult[];
  readonly streams: readonly StreamsResult[];
  readonly instructions: readonly InstructionCount[];
}
