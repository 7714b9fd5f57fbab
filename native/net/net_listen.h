/* Sockets that listen on an address. */
#ifndef NOUND_NET_LISTEN_H
#define NOUND_NET_LISTEN_H

#include "net/net_address.h"

/*
 * Opens a non-blocking socket that listens on the address, or takes over that of an earlier server. Removes a stale
 * Unix socket at its path first.
 * text: the address as it was given.
 * lock: is set to the lock of a Unix socket's path (socket_lock.h), for the code that closes the socket; else to -1.
 * Returns the descriptor, or -1 with errno set, and with the failure that is to be noted in `what`.
 */
int net_listen_on(const struct net_address *address, const char *text, int *lock, const char **what);

#endif
