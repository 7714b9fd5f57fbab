#define _GNU_SOURCE 1
#include "helper/one_message.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/passed_descriptor.h"

static int option_of(int fd, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &length) < 0 ? -1 : value;
}

/* The nouns' process reads and writes it. It must neither accept by it nor get the datagrams of others. */
static bool is_connection(int fd, bool is_local) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    const int domain = option_of(fd, SO_DOMAIN);
    return (is_local ? domain == AF_UNIX : domain == AF_INET || domain == AF_INET6) &&
           option_of(fd, SO_TYPE) == SOCK_STREAM && getpeername(fd, (struct sockaddr *)&peer, &length) == 0;
}

bool one_message_take_connection(int end, void *message, size_t size, bool is_local, int *fd) {
    const ssize_t length = passed_descriptor_receive(end, message, size, fd, MSG_DONTWAIT);
    const bool is_whole = length >= 0 && (size_t)length == size;
    close(end);
    if (*fd >= 0 && !(is_whole && is_connection(*fd, is_local))) {
        close(*fd);
        *fd = -1;
    }
    return is_whole;
}

bool one_message_take(int end, void *message, size_t size) {
    int fd;
    const ssize_t length = passed_descriptor_receive(end, message, size, &fd, MSG_DONTWAIT);
    descriptor_close(fd);
    close(end);
    return length >= 0 && (size_t)length == size;
}

bool one_message_is_last(int socket) {
    struct pollfd file = {.fd = socket, .events = POLLRDHUP};
    return poll(&file, 1, 0) > 0;
}
