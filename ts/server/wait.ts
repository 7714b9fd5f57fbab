/** What a connection waits for, and for how long. */
import type { ServerLimits } from "./options.ts";

/**
 * `request`: the first byte of the next request. `head` and `body`: the rest of one. `answers`: nouns. `output`: the peer is to
 * take what has been sent. `fin`: the peer is to close as well.
 */
export type Wait = "request" | "head" | "body" | "answers" | "output" | "fin";

/** ms to wait for the peer's FIN. */
const lingerTime = 2_000;

/** @returns ms; Infinity where something else has its own limit. */
export function timeFor(wait: Wait, limits: ServerLimits): number {
  switch (wait) {
    case "request":
      return limits.keepAliveTimeout;
    case "head":
      return limits.headersTimeout;
    case "body":
      return limits.bodyTimeout;
    case "output":
      return limits.sendTimeout;
    case "fin":
      return lingerTime;
    case "answers":
      // Every operation has its own limit.
      return Number.POSITIVE_INFINITY;
  }
}
