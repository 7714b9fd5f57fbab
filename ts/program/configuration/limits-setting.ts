/** The setting of the limits. Their ranges allow every sensible value and exclude probable typing mistakes. */

import type { ServerLimits } from "../../core/server/options.ts";
import { defaultProcessLimits, type ProcessLimits } from "../../platform/process-limits.ts";
import { optional, record } from "../../settings/record.ts";
import { integer, type Setting } from "../../settings/setting.ts";

/** The limits that a configuration chose. */
export interface LimitsPlan {
  readonly process: Partial<ProcessLimits>;
  readonly server: Partial<ServerLimits>;
}

function between(minimum: number, maximum: number) {
  return optional(() => integer({ minimum, maximum }));
}

/** One hour, in ms. */
const hour = 3_600_000;

/** The limits' former names, each with its new name. */
const former = {
  headTime: "is now called headersTimeout",
  bodyTime: "is now called bodyTimeout",
  idleTime: "is now called keepAliveTimeout",
  answerTime: "is now called sendTimeout",
  connections: "is now called maxConnections",
  pipeline: "is not needed any more: a connection performs one request at a time",
  maxPipelined: "is not needed any more: a connection performs one request at a time",
  operationTime: "is now called nounTimeout",
  busyTime: "is now called nounBusyTime",
  closeTime: "is now called shutdownTimeout",
};

/** All limits by their names: those of the server and of the process. A limit that is left out has its default. */
export function limitsSetting(): Setting<Partial<ServerLimits & ProcessLimits>> {
  const limits = {
    targetBytes: between(16, 8_192),
    headerBytes: between(256, 65_536),
    headerFields: between(4, 256),
    bodyBytes: between(2, 1_048_576),
    statePairs: between(1, 4_096),
    stateBytes: between(2, 4_194_304),
    headersTimeout: between(10, hour),
    bodyTimeout: between(10, hour),
    keepAliveTimeout: between(10, hour),
    sendTimeout: between(10, hour),
    maxConnections: between(1, 4_096),
    tlsConnections: between(1, 256),
    nounTimeout: between(10, hour),
    maxQueued: between(1, 4_096),
    maxStreams: between(1, 4_096),
    maxEventsPerSecond: between(1, 1_000),
    streamInterval: between(10, hour),
    nounBusyTime: between(100, hour),
    memoryBytes: between(4_194_304, 536_870_912),
    shutdownTimeout: between(1, hour),
  } satisfies { readonly [L in keyof (ServerLimits & ProcessLimits)]: ReturnType<typeof between> };
  return record(limits, former);
}

/** @returns the limits of the server and those of the process, separately. */
export function planLimits(limits: Partial<ServerLimits & ProcessLimits>): LimitsPlan {
  const isOfProcess = ([name]: [string, number]) => Object.hasOwn(defaultProcessLimits, name);
  const chosen = Object.entries(limits);
  return {
    process: Object.fromEntries(chosen.filter(isOfProcess)),
    server: Object.fromEntries(chosen.filter((limit) => !isOfProcess(limit))),
  };
}
