/*
 * Starts a server and tells how long its first answer takes, from execve(2) on. In C, because a start takes less time
 * than a script needs to spawn a process.
 *
 *     nound-stopwatch CPU PORT COMMAND ARGUMENT...
 *
 * The server runs on the processor CPU; this program, which asks without a pause, must have another. Prints
 * nanoseconds. With port 0 the program is no server, and what is told is how long it takes to end with status 0.
 */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE UINT64_C(10000000000) /* ns until it counts as not starting */

static const char request[] = "GET /led HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

static uint64_t now(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Runs the server on its processor. `started` is shared with this process, which stands still until execve (vfork(2)).
 */
static pid_t start(int cpu, char **command, volatile uint64_t *started) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    pid_t pid = vfork();
    if (pid != 0)
        return pid;
    if (sched_setaffinity(0, sizeof cpus, &cpus) == 0) {
        *started = now();
        execvp(command[0], command);
    }
    _exit(EX_UNAVAILABLE);
}

/* Returns a connection to the port, or -1 while nobody listens. */
static int try_connect(uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Asks once. Returns whether an answer of status 200 has begun to come. */
static bool is_answered(int fd) {
    static const char ok[] = "HTTP/1.1 200 ";
    char bytes[1024];
    const struct timeval limit = {.tv_sec = 10};
    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
           send(fd, request, sizeof request - 1, MSG_NOSIGNAL) == (ssize_t)(sizeof request - 1) &&
           recv(fd, bytes, sizeof bytes, 0) >= (ssize_t)(sizeof ok - 1) && memcmp(bytes, ok, sizeof ok - 1) == 0;
}

/* Returns when the first answer came, or 0 when none did. */
static uint64_t first_answer(uint16_t port, uint64_t deadline) {
    while (now() < deadline) {
        int fd = try_connect(port);
        if (fd < 0)
            continue;
        bool answered = is_answered(fd);
        uint64_t time = now();
        close(fd);
        return answered ? time : 0;
    }
    return 0;
}

/* Returns when the process ended with status 0, or 0 when it ended otherwise. */
static uint64_t end_of(pid_t pid) {
    int status = 0;
    pid_t ended = waitpid(pid, &status, 0);
    uint64_t time = now();
    return ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == EX_OK ? time : 0;
}

/* As first_answer; the server is ended. */
static uint64_t first_answer_of(pid_t pid, uint16_t port) {
    uint64_t answered = first_answer(port, now() + PATIENCE);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return answered;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "Usage: nound-stopwatch CPU PORT COMMAND ARGUMENT...\n");
        return EX_USAGE;
    }
    volatile uint64_t started = 0;
    uint16_t port = (uint16_t)atoi(argv[2]);
    pid_t pid = start(atoi(argv[1]), argv + 3, &started);
    if (pid < 0) {
        perror("nound-stopwatch: vfork");
        return EX_OSERR;
    }
    uint64_t done = port == 0 ? end_of(pid) : first_answer_of(pid, port);
    if (done == 0) {
        fprintf(stderr, "nound-stopwatch: %s %s\n", argv[3], port == 0 ? "failed" : "gave no answer");
        return EX_UNAVAILABLE;
    }
    printf("%" PRIu64 "\n", done - started);
    return EX_OK;
}
