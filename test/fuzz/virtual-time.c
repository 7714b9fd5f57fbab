#include "virtual-time.h"

#include <errno.h>
#include <sys/epoll.h>
#include <time.h>

static uint64_t now = 1000; /* ms */
static bool would_wait;
static int loop_descriptor = -1;

int __real_epoll_wait(int epoll, struct epoll_event *events, int capacity, int timeout);
int __wrap_epoll_wait(int epoll, struct epoll_event *events, int capacity, int timeout);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

void virtual_time_advance(uint64_t milliseconds) {
    now += milliseconds;
}

bool virtual_time_would_wait(void) {
    return would_wait;
}

int virtual_time_descriptor(void) {
    return loop_descriptor;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    (void)clock;
    *time = (struct timespec){.tv_sec = (time_t)(now / 1000), .tv_nsec = (long)(now % 1000) * 1000000};
    return 0;
}

int __wrap_epoll_wait(int epoll, struct epoll_event *events, int capacity, int timeout) {
    int count = __real_epoll_wait(epoll, events, capacity, 0);
    would_wait = count == 0 && timeout != 0;
    loop_descriptor = epoll;
    if (!would_wait)
        return count;
    errno = EINTR; /* as by a signal: the end of a wait would tell the loop that its time has passed */
    return -1;
}
