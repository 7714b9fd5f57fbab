/*
 * The end of a connection whose client takes a little every now and then, or nothing. The clock is the test's. Prints
 * nothing when all went as it must.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "acceptor/farewell.h"

#define BYTES 240 /* each has a buffer of its own in the kernel */

static int64_t now = 1; /* ms */

int clock_gettime(clockid_t clock, struct timespec *time) {
    (void)clock;
    *time = (struct timespec){.tv_sec = now / 1000, .tv_nsec = now % 1000 * 1000000};
    return 0;
}

static void expect(bool holds, const char *sentence) {
    if (holds)
        return;
    fprintf(stderr, "farewell-test: %s\n", sentence);
    exit(EXIT_FAILURE);
}

static bool is_about(int64_t time, int64_t expected) {
    return time >= expected && time <= expected + 2 * FAREWELL_LOOK;
}

/* Returns the ms that a farewell takes whose client takes a byte in `each` ms; none if that is 0. */
static int64_t lasts(int each, bool is_wanted) {
    struct farewell farewell = {0};
    char byte = 0;
    int pair[2];
    expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0, "there are no sockets");
    for (int i = 0; i < BYTES; i++)
        expect(send(pair[0], &byte, 1, 0) == 1, "the kernel takes nothing");
    const int64_t began = now;
    farewell_begin(&farewell, pair[0]);
    do {
        now += FAREWELL_LOOK;
        if (each > 0 && (now - began) % each == 0)
            (void)recv(pair[1], &byte, 1, 0);
    } while (farewell_go_on(&farewell, pair[0], is_wanted));
    close(pair[0]);
    close(pair[1]);
    return now - began;
}

/* A client that takes all has close_notify behind it. */
static void expect_close_notify(void) {
    struct farewell farewell = {0};
    char bytes[BYTES + 3];
    int pair[2];
    expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0, "there are no sockets");
    memset(bytes, 'x', sizeof bytes);
    expect(send(pair[0], bytes, BYTES, 0) == BYTES, "the kernel takes nothing");
    farewell_begin(&farewell, pair[0]);
    expect(recv(pair[1], bytes, sizeof bytes, 0) == BYTES + 2 && memcmp(bytes + BYTES, "\1\0", 2) == 0,
           "there is no close_notify behind what was sent");
    while (farewell_go_on(&farewell, pair[0], false))
        now += FAREWELL_LOOK;
    expect(recv(pair[1], bytes, sizeof bytes, 0) == 0, "there is no end behind close_notify");
    close(pair[0]);
    close(pair[1]);
}

int main(void) {
    expect_close_notify();
    expect(is_about(lasts(0, false), 10000), "a client that takes nothing has not ten seconds");
    expect(is_about(lasts(0, true), 500), "a client that takes nothing keeps its place from others");
    expect(is_about(lasts(50, false), (BYTES + 2) * 50), "a client that takes all has not the time for it");
    expect(is_about(lasts(5000, false), 60000), "a client that takes little has not a minute");
    expect(is_about(lasts(400, true), 10000), "a client that takes little keeps its place from others");
    return EXIT_SUCCESS;
}
