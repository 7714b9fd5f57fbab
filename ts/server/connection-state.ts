/** The states of a connection, and the time limit of each. */
import type { ServerLimits } from "./options.ts";

/** A state is a number, because the engine compares texts letter by letter. */
export type ConnectionState = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
/** The first byte of the next request is to come. */
export const betweenRequests = 0;
/** The rest of a head is to come. */
export const inHead = 1;
/** The rest of a body is to come. */
export const inBody = 2;
/** Requests that have come already go on in the next turn of the loop. */
export const inNextTurn = 3;
/** The peer must take what was sent. */
export const sending = 4;
/**
 * Everything is sent, FIN too. Received bytes are dropped until the peer's FIN: a close on unread bytes makes the
 * kernel send an RST, which can destroy the answer on its way (RFC 9112, 9.6).
 */
export const lingering = 5;
/** Requests are being performed at this moment. */
export const serving = 6;
/** Over. */
export const closed = 7;
/** Nouns work on requests of the client. The first byte of the next one may come meanwhile. */
export const awaitingNouns = 8;

/** The requests that a connection still reads, as an order: `intake < none` means that one may come. */
export type Intake = 0 | 1 | 2 | 3;
export const all = 0;
/** Only the one that is being read, because the server ends. */
export const one = 1;
export const none = 2;
/** None, and the bytes behind the last one cannot be trusted. */
export const untrusted = 3;

/** ms to wait for the peer's FIN. */
const lingerTime = 2_000;

export function timeLimits(limits: ServerLimits): Readonly<Record<ConnectionState, number>> {
  const { keepAliveTimeout, headersTimeout, bodyTimeout, sendTimeout, nounTimeout } = limits;
  return {
    [betweenRequests]: keepAliveTimeout,
    [inHead]: headersTimeout,
    [inBody]: bodyTimeout,
    [inNextTurn]: keepAliveTimeout,
    [sending]: sendTimeout,
    [lingering]: lingerTime,
    [serving]: keepAliveTimeout,
    [closed]: 0,
    // Every operation ends by its own limit. This one holds even if an answer has been lost.
    [awaitingNouns]: nounTimeout + keepAliveTimeout,
  };
}
