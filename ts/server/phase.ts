/** The phases of a connection. */

/**
 * `open`: requests are read. `last`: no further request is read, answers may be outstanding. `lingering`: everything is sent,
 * FIN too, and received bytes are discarded until the peer's FIN, because a close on unread bytes makes the kernel
 * send an RST, which can destroy the answer on its way (RFC 9112, 9.6). `closed`: over. The phases are numbers, because the engine compares texts letter by
 * letter: that would be 600 instructions of a GET.
 */
export type Phase = 0 | 1 | 2 | 3;
export const open = 0;
export const last = 1;
export const lingering = 2;
export const closed = 3;
