/** What a connection waits for, and how long. */
import type { ServerLimits } from "./options.ts";

/** What a connection waits for: a number, because the engine compares texts letter by letter. */
export type Wait = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
/** The first byte of the next request. */
export const forRequest = 0;
/** The rest of a head. */
export const forHead = 1;
/** The rest of a body. */
export const forBody = 2;
/** A noun or a document: its answer. */
export const forNoun = 3;
/** The peer must take the bytes that were sent. */
export const forPeer = 4;
/**
 * The peer's FIN. All is sent, and received bytes are dropped: a close on unread bytes makes the kernel send an RST,
 * which can destroy the answer on its way (RFC 9112, 9.6).
 */
export const forFin = 5;
/** Nothing, as the connection is over. */
export const forNothing = 6;
/** The next turn of the loop, for which it has no time limit. */
export const forTurn = 7;

/** The requests that a connection still reads, as an order: `intake < none` means that one may come. */
export type Intake = 0 | 1 | 2 | 3;
export const all = 0;
/** Only the one that is being read, because the server ends. */
export const one = 1;
export const none = 2;
/** None, and the connection ends with the peer's FIN. */
export const noneUntilFin = 3;

/** @returns ms that a connection waits at most, by what it waits for. */
export function timesOf(limits: ServerLimits): readonly number[] {
  const { keepAliveTimeout, headersTimeout, bodyTimeout, sendTimeout, nounTimeout } = limits;
  // Every operation ends by its own limit. Its row holds even if an answer has been lost.
  return [keepAliveTimeout, headersTimeout, bodyTimeout, nounTimeout + keepAliveTimeout, sendTimeout, 2_000, 0];
}
