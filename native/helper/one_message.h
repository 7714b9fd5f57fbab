/*
 * The message of a process that a helper forks for one connection. That process reads what strangers send, so the
 * helper trusts it less than itself: it has a pair of sockets of its own with the helper (passed_descriptor_fork, with
 * SOCK_SEQPACKET) and sends one message by it. The helper looks at that, and passes it on.
 */
#ifndef NOUND_ONE_MESSAGE_H
#define NOUND_ONE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Takes the message, and closes the helper's end of the pair: nobody reads a second one. It does not wait.
 * end: the helper's end. message: of `size` bytes. Returns false without a message of just that size.
 */
bool one_message_take(int end, void *message, size_t size);

/*
 * The same, with a connection of the internet, or with a Unix socket if `is_local`.
 * fd: receives that socket, or -1 if none came, or something else than a connected stream.
 */
bool one_message_take_connection(int end, void *message, size_t size, bool is_local, int *fd);

/* Returns whether no other message can come by a socket from which an empty one was read, or its end. */
bool one_message_is_last(int socket);

#endif
