#define _GNU_SOURCE 1
#include "loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "defect.h"

#define PATIENCE 60000 /* ms for one datagram */

/* An acknowledgement, what a server sends once there is room again, and its own acknowledgement. */
#define HOPS 3

static int barrier = -1; /* a socket that sends to itself */

/* A datagram; a process that ended may have left one of its own. */
struct mark {
    pid_t process;
    uint32_t number;
};

static void stay_on_processor(unsigned long n) {
    cpu_set_t allowed, chosen;
    must(sched_getaffinity(0, sizeof allowed, &allowed) == 0, "the processors are not known");
    unsigned long left = n % (unsigned long)CPU_COUNT(&allowed);
    int processor = 0;
    while (!CPU_ISSET(processor, &allowed) || left-- > 0)
        processor++;
    CPU_ZERO(&chosen);
    CPU_SET(processor, &chosen);
    must(sched_setaffinity(0, sizeof chosen, &chosen) == 0, "this process cannot stay on one processor");
}

void loopback_prepare(unsigned long n) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    stay_on_processor(n);
    barrier = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    must(barrier >= 0 && bind(barrier, (struct sockaddr *)&address, sizeof address) == 0 &&
             getsockname(barrier, (struct sockaddr *)&address, &length) == 0 &&
             connect(barrier, (struct sockaddr *)&address, sizeof address) == 0,
         "the harness has no datagrams");
}

/* Packets are delivered in their order: a datagram comes behind all that was sent before it. */
static void pass(struct mark mark) {
    struct mark seen;
    must(send(barrier, &mark, sizeof mark, 0) == sizeof mark, "the harness cannot send a datagram");
    do {
        struct pollfd file = {.fd = barrier, .events = POLLIN};
        int ready;
        do
            ready = poll(&file, 1, PATIENCE);
        while (ready < 0 && errno == EINTR);
        must(ready == 1 && recv(barrier, &seen, sizeof seen, 0) == sizeof seen, "loopback delivers nothing");
    } while (memcmp(&seen, &mark, sizeof mark) != 0);
}

void loopback_wait(void) {
    static uint32_t number;
    for (int hop = 0; hop < HOPS; hop++)
        pass((struct mark){.process = getpid(), .number = number++});
}
