/** What a connection waits for, and for how long. */
import type { ServerLimits } from "./options.ts";
import { lingering, open, type Phase } from "./phase.ts";
import type { RequestReader } from "./request-reader.ts";

/**
 * `request`: the first byte of the next request; meanwhile nouns may be at work. `head` and `body`: the rest of one. `output`: the peer is to
 * take what has been sent. `fin`: the peer is to close as well.
 */
export type Wait = "request" | "head" | "body" | "output" | "fin";

/** ms to wait for the peer's FIN. */
const lingerTime = 2_000;

/** @returns ms. */
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
  }
}

/**
 * @param canRead whether more bytes may be read now.
 * @param isFirst whether the first request is still to come.
 * @returns what a connection waits for that has sent everything.
 */
export function nextWait(phase: Phase, progress: RequestReader["progress"], canRead: boolean, isFirst: boolean): Wait {
  if (phase === lingering) return "fin";
  if (phase === open && (progress === "body" || progress === "skipping")) return "body";
  if (progress === "head" && canRead) return "head";
  return isFirst ? "head" : "request";
}
