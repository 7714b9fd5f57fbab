/** The limits of a configuration, as the server and the process take them. */

import type { ServerLimits } from "../../core/server/options.ts";
import { defaultProcessLimits, type ProcessLimits } from "../../platform/process-limits.ts";

/** The limits that a configuration chose. */
export interface LimitsPlan {
  readonly process: Partial<ProcessLimits>;
  readonly server: Partial<ServerLimits>;
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
