/** The setting of the server's limits. The ranges leave room for any sensible wish and none for a slip of the pen. */
import type { ServerLimits } from "../server/options.ts";
import { optional, record } from "./record.ts";
import { integer, type Setting } from "./setting.ts";

function between(minimum: number, maximum: number) {
  return optional(integer({ minimum, maximum }));
}

/** One hour, in ms. */
const hour = 3_600_000;

/** Each limit of the server, by its name; the server's default stands where one is left out. */
export function serverLimits(): Setting<Partial<ServerLimits>> {
  return record({
    targetBytes: between(16, 8_192),
    headerBytes: between(256, 65_536),
    headerFields: between(4, 256),
    bodyBytes: between(2, 1_048_576),
    statePairs: between(1, 4_096),
    headersTimeout: between(10, hour),
    bodyTimeout: between(10, hour),
    keepAliveTimeout: between(10, hour),
    sendTimeout: between(10, hour),
    maxConnections: between(1, 4_096),
    maxPipelined: between(1, 256),
    nounTimeout: between(10, hour),
    nounBusyTime: between(100, hour),
    memoryBytes: between(4_194_304, 536_870_912),
    shutdownTimeout: between(1, hour),
  } satisfies { readonly [L in keyof ServerLimits]: ReturnType<typeof between> });
}
