#define _GNU_SOURCE 1
#include "forged-message.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_STOLEN 1024 /* bytes of a message for others */

static uint64_t state;

void forged_seed(uint64_t seed) {
    state = seed;
}

void forged_vary(void) {
    state ^= (uint64_t)getpid();
}

unsigned forged_below(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

int forged_descriptor(int (*end_of_pair)(int type)) {
    switch (forged_below(6)) {
    case 0:
        return end_of_pair(SOCK_STREAM);
    case 1:
        return end_of_pair(SOCK_SEQPACKET);
    case 2:
        return socket(AF_INET, SOCK_STREAM, 0);
    case 3:
        return socket(AF_INET6, SOCK_DGRAM, 0);
    case 4:
        return dup(STDIN_FILENO);
    default:
        return -1;
    }
}

void forged_send(int fd, const void *bytes, size_t length, int *passed, size_t count) {
    struct iovec text = {.iov_base = (void *)bytes, .iov_len = length};
    union {
        char bytes[CMSG_SPACE(MOST_PASSED * sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr header = {.msg_iov = &text, .msg_iovlen = 1};
    if (count > 0) {
        header.msg_control = control.bytes;
        header.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
        *rights = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(count * sizeof(int))};
        memcpy(CMSG_DATA(rights), passed, count * sizeof(int));
    }
    if (count > 0)
        (void)sendmsg(fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    else
        (void)send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (count > 0)
        close(passed[--count]);
}

void forged_send_any(int fd, const void *bytes, size_t length, int (*end_of_pair)(int type)) {
    int passed[MOST_PASSED];
    size_t count = 0;
    for (const size_t wanted = forged_below(MOST_PASSED + 1);
         count < wanted && (passed[count] = forged_descriptor(end_of_pair)) >= 0;)
        count++;
    forged_send(fd, bytes, length, passed, count);
}

void forged_attack(int most_open, void (*send_forgery)(int fd)) {
    char stolen[MOST_STOLEN];
    for (int fd = STDERR_FILENO + 1; fd < most_open; fd++) {
        int type = 0;
        socklen_t length = sizeof type;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) < 0 || type != SOCK_SEQPACKET)
            continue;
        for (unsigned count = forged_below(5); count > 0; count--)
            send_forgery(fd);
        if (forged_below(2) == 0)
            (void)recv(fd, stolen, sizeof stolen, MSG_DONTWAIT);
        if (forged_below(4) == 0)
            (void)shutdown(fd, SHUT_RDWR);
    }
}
