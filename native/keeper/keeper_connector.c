#define _GNU_SOURCE 1
#include "keeper/keeper_connector.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "engine/descriptor.h"
#include "engine/passed_descriptor.h"
#include "keeper/keeper_state.h"

#define INTERVAL 60000 /* ms between two connectors */

static int64_t now(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time); /* cannot fail */
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Returns the descriptor by which the server asks the new connector, or -1 with errno set. */
static int fork_connector(struct keeper_connector *connector) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -1;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        setpgid(0, 0); /* fails only for a leader of a session, which a new process is not */
        connector->run(pair[1], parent, connector->plan);
        _exit(1);
    }
    descriptor_close(pair[1]);
    if (child > 0) {
        connector->process = child;
        return pair[0];
    }
    descriptor_close(pair[0]);
    return -1;
}

/* A server that takes nothing more is not waited for. */
static void start(struct keeper_connector *connector) {
    connector->due = now() + INTERVAL;
    errno = EMFILE;
    const int asking = connector->plan >= 0 ? fork_connector(connector) : -1;
    const struct keeper_connection told = {.error = asking < 0 ? errno : 0};
    (void)passed_descriptor_send(keeper.link, &told, sizeof told, asking, MSG_DONTWAIT);
    descriptor_close(asking);
}

void keeper_connector_begin(struct keeper_connector *connector, int plan) {
    keeper_connector_end(connector);
    connector->plan = plan;
    start(connector);
}

void keeper_connector_continue(struct keeper_connector *connector) {
    if (keeper_connector_wait(connector) == 0)
        start(connector);
}

int keeper_connector_wait(const struct keeper_connector *connector) {
    if (connector->plan < 0 || connector->process > 0)
        return -1;
    const int64_t left = connector->due - now();
    return left > 0 ? (int)left : 0;
}

bool keeper_connector_ended(struct keeper_connector *connector, pid_t process) {
    if (process != connector->process)
        return false;
    connector->process = 0;
    return true;
}

void keeper_connector_end(struct keeper_connector *connector) {
    if (connector->process > 0)
        kill(connector->process, SIGKILL);
    connector->process = 0;
    descriptor_close(connector->plan);
    connector->plan = -1;
}
