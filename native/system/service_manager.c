#include "system/service_manager.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "engine/socket_send.h"
#include "keeper/keeper.h"

struct service_manager {
    struct loop *loop;
    struct loop_timer feeding;
    uint64_t interval; /* ms between two feedings, or 0 */
    int fd;
};

void service_manager_tell(struct service_manager *manager, const char *state) {
    (void)socket_send(manager->fd, state, strlen(state), 0);
}

/* If there is no memory for the timer, the watchdog ends the program: it could not have gone on. */
static void feed(struct loop_timer *timer) {
    struct service_manager *manager = owner_of(timer, struct service_manager, feeding);
    service_manager_tell(manager, "WATCHDOG=1");
    (void)loop_start_timer(manager->loop, timer, manager->interval);
}

/* Returns a number of the environment, or 0. */
static unsigned long long number_of(const char *name) {
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 10) : 0;
}

/* Returns ms between two feedings, or 0 if the watchdog is off or for another process. */
static uint64_t feeding_interval(void) {
    const unsigned long long process = number_of("WATCHDOG_PID"), limit = number_of("WATCHDOG_USEC");
    const unsigned long long own = (unsigned long long)(keeper_exists() ? getppid() : getpid());
    if (limit == 0 || (process != 0 && process != own))
        return 0;
    return limit > 2000 ? limit / 2000 : 1;
}

/* path: of a file, or of the abstract namespace if it begins with @. Returns a descriptor, or -1 with errno set. */
static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = strlen(path);
    if ((path[0] != '/' && path[0] != '@') || length >= sizeof address.sun_path) {
        errno = EINVAL;
        return -1;
    }
    memcpy(address.sun_path, path, length);
    if (path[0] == '@')
        address.sun_path[0] = '\0';
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] == '/'));
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, size) < 0) {
        const int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

struct service_manager *service_manager_open(struct loop *loop) {
    const char *path = getenv("NOTIFY_SOCKET");
    if (!path || path[0] == '\0')
        return NULL;
    struct service_manager *manager = calloc(1, sizeof *manager);
    if (!manager)
        return NULL;
    manager->loop = loop;
    manager->feeding.fired = feed;
    manager->feeding.background = true;
    manager->fd = connect_to(path);
    if (manager->fd < 0) {
        fprintf(stderr, "nound: cannot tell the service manager at %s anything: %s\n", path, strerror(errno));
        free(manager);
        return NULL;
    }
    manager->interval = feeding_interval();
    if (manager->interval > 0)
        feed(&manager->feeding);
    return manager;
}

void service_manager_close(struct service_manager *manager) {
    if (!manager)
        return;
    loop_stop_timer(manager->loop, &manager->feeding);
    close(manager->fd);
    free(manager);
}
