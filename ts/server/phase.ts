/** How far a connection has come. */

/**
 * `open`: requests are read. `last`: no further request is read, answers may be outstanding. `lingering`: everything is said,
 * FIN is sent, and what still comes is skipped until the peer's FIN, because a close on unread bytes makes the kernel
 * send an RST, which can destroy the answer on its way (RFC 9112, 9.6). `closed`: over. Numbers, as the engine compares texts by their
 * letters: that is 600 instructions of a GET.
 */
export type Phase = 0 | 1 | 2 | 3;
export const open = 0;
export const last = 1;
export const lingering = 2;
export const closed = 3;
