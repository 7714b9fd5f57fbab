/*
 * Sends on a connected socket without waiting, by the one call that the filter of system calls allows for it
 * (seccomp_filter.c).
 */
#ifndef NOUND_SOCKET_SEND_H
#define NOUND_SOCKET_SEND_H

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The flags that are allowed in a call. */
#define SOCKET_SEND_FLAGS (MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE)

/* more: MSG_MORE, or 0. Otherwise as send(2). */
static inline ssize_t socket_send(int fd, const void *bytes, size_t length, int more) {
#ifdef SYS_send
    return syscall(
        SYS_send, fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT | more); /* musl's send(3) calls sendto(2) */
#else
    return send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT | more);
#endif
}

#endif
