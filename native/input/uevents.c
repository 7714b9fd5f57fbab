#define _GNU_SOURCE 1
#include "input/uevents.h"

#include <errno.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "base/descriptor.h"

#define KERNEL_GROUP 1 /* of the messages that the kernel sends; udev sends its own to group 2 */

int uevents_open(void) {
    const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP};
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    descriptor_close(fd);
    return -1;
}

ssize_t uevents_take(int fd, char *message, size_t size) {
    struct sockaddr_nl sender = {0};
    struct iovec part = {.iov_base = message, .iov_len = size};
    struct msghdr head = {.msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &part, .msg_iovlen = 1};
    ssize_t length = recvmsg(fd, &head, 0);
    if (length < 0) /* ENOBUFS: messages were lost */
        return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1;
    /* Another process has a port number of its own. */
    return sender.nl_pid == 0 && !(head.msg_flags & MSG_TRUNC) ? length : 0;
}
