/** What a connection waits for, and the time limit. */
import type { ServerLimits } from "./options.ts";
import { lingering, open, type Phase } from "./phase.ts";
import type { RequestReader } from "./request-reader.ts";

/**
 * `request`: the first byte of the next request; meanwhile nouns may be working. `head` and `body`: the rest of a request. `output`: the peer
 * must receive what has been sent. `fin`: the peer must close as well.
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
 * @param isFirst whether no request has arrived yet.
 * @returns what a connection waits for after it has sent everything.
 */
export function nextWait(phase: Phase, progress: RequestReader["progress"], canRead: boolean, isFirst: boolean): Wait {
  if (phase === lingering) return "fin";
  if (phase === open && (progress === "body" || progress === "skipping")) return "body";
  if (progress === "head" && canRead) return "head";
  return isFirst ? "head" : "request";
}
