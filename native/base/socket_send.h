/*
 * Sends on a connected socket, by the one call that the filter of system calls allows for it in the process with the
 * nouns (guard/seccomp_nouns.c).
 */
#ifndef NOUND_SOCKET_SEND_H
#define NOUND_SOCKET_SEND_H

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The flags that are allowed in a call. */
#define SOCKET_SEND_FLAGS (MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE)

/* flags: of SOCKET_SEND_FLAGS, besides MSG_NOSIGNAL. Otherwise as send(2). */
static inline ssize_t socket_send_with(int fd, const void *bytes, size_t length, int flags) {
#ifdef SYS_send
    return syscall(SYS_send, fd, bytes, length, MSG_NOSIGNAL | flags); /* musl's send(3) calls sendto(2) */
#else
    return send(fd, bytes, length, MSG_NOSIGNAL | flags);
#endif
}

/* Sends without waiting. more: MSG_MORE, or 0. Otherwise as send(2). */
static inline ssize_t socket_send(int fd, const void *bytes, size_t length, int more) {
    return socket_send_with(fd, bytes, length, MSG_DONTWAIT | more);
}

#endif
