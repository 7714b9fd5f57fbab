/* The options of connections that stay open for long. */
#ifndef NOUND_LONG_LIVED_H
#define NOUND_LONG_LIVED_H

/*
 * Has the kernel drop a connection whose peer has vanished. A silent connection is probed after 8 s and after 12 s, and
 * is dropped then unless the peer has answered. What was sent may stay unacknowledged for 11.5 s (tcp(7),
 * TCP_USER_TIMEOUT). The worst case is a segment that is sent just before the peer would be dropped: 12 s and 11.5 s,
 * plus the delay of the last retransmission.
 *
 * To the kernel, a peer that is there but takes no bytes is the same, so it loses its connection after 11.5 s, too. A
 * longer time for such a peer would be a longer time for one that has vanished.
 *
 * Bytes in the kernel's buffer are old when the peer reads them. So the kernel buffers little.
 */
void long_lived_set(int fd);

#endif
