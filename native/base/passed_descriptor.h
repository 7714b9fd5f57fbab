/*
 * Two processes of this program, with a pair of sockets between them, and messages that carry a descriptor (SCM_RIGHTS
 * of unix(7)).
 */
#ifndef NOUND_PASSED_DESCRIPTOR_H
#define NOUND_PASSED_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Forks, with a pair of sockets between the two processes. type: of socketpair(2). end: receives the process's own end,
 * which closes on exec. Returns as fork(2) does.
 */
pid_t passed_descriptor_fork(int type, int *end);

/*
 * Sends a message, with a descriptor unless `fd` is -1. The process with the nouns may send none with a descriptor
 * once it is restricted. flags: MSG_DONTWAIT, or 0. Returns false with errno set.
 */
bool passed_descriptor_send(int socket, const void *bytes, size_t length, int fd, int flags);

/*
 * Receives a message. flags: as of recvmsg(2). Returns its whole length, which may be more than `size`, with its
 * descriptor in `fd`, which closes on exec, or -1: also if this process may open no more. Further descriptors are
 * closed. Otherwise returns what recvmsg(2) returned.
 */
ssize_t passed_descriptor_receive(int socket, void *bytes, size_t size, int *fd, int flags);

#endif
