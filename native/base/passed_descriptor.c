#define _GNU_SOURCE 1
#include "base/passed_descriptor.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/socket_send.h"

/* Room for one descriptor, aligned. */
union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
};

pid_t passed_descriptor_fork(int type, int *end) {
    int pair[2];
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) < 0)
        return -1;
    const pid_t child = fork();
    *end = child == 0 ? pair[1] : pair[0];
    descriptor_close(child == 0 ? pair[0] : pair[1]);
    if (child < 0)
        descriptor_close(*end);
    return child;
}

bool passed_descriptor_send(int socket, const void *bytes, size_t length, int fd, int flags) {
    if (fd < 0)
        return UNINTERRUPTED(socket_send_with(socket, bytes, length, flags)) == (ssize_t)length;
    struct iovec text = {.iov_base = (void *)bytes, .iov_len = length};
    union control control = {0};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return UNINTERRUPTED(sendmsg(socket, &message, MSG_NOSIGNAL | flags)) == (ssize_t)length;
}

ssize_t passed_descriptor_receive(int socket, void *bytes, size_t size, int *fd, int flags) {
    struct iovec text = {.iov_base = bytes, .iov_len = size};
    union control control;
    struct msghdr message = {
        .msg_iov = &text,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = CMSG_LEN(sizeof *fd)}; /* without the padding, in which a second descriptor would fit */
    const ssize_t length = UNINTERRUPTED(recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC | flags));
    *fd = -1;
    const struct cmsghdr *header = length >= 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(header), sizeof *fd);
    return length;
}
