/** The setting of the limits. Their ranges allow every sensible value and exclude probable typing mistakes. */

import type { ServerLimits } from "../../core/server/options.ts";
import type { ProcessLimits } from "../../platform/process-limits.ts";
import { optional, record } from "../../settings/record.ts";
import { integer, type Setting } from "../../settings/setting.ts";

function between(minimum: number, maximum: number) {
  return optional(() => integer({ minimum, maximum }));
}

/** The limits that a device may need otherwise. All others are constants, which an application may set. */
export function limitsSetting(): Setting<Partial<ServerLimits & ProcessLimits>> {
  return record({
    maxConnections: between(1, 4_096),
    tlsConnections: between(1, 256),
    maxStreams: between(1, 4_096),
    bodyBytes: between(2, 1_048_576),
    nounTimeout: between(10, 3_600_000),
    memoryBytes: between(4_194_304, 536_870_912),
  } satisfies { readonly [L in keyof (ServerLimits & ProcessLimits)]?: ReturnType<typeof between> });
}
