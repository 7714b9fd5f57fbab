#include "keeper/service_manager.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "base/descriptor.h"
#include "base/socket_send.h"

void service_manager_tell(int fd, const char *state) {
    if (fd >= 0)
        (void)socket_send(fd, state, strlen(state), 0);
}

/* Returns a number of the environment, or 0. */
static unsigned long long number_of(const char *name) {
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 10) : 0;
}

uint64_t service_manager_feeding_interval(void) {
    const unsigned long long process = number_of("WATCHDOG_PID"), limit = number_of("WATCHDOG_USEC");
    if (limit == 0 || (process != 0 && process != (unsigned long long)getpid()))
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
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, size) == 0)
        return fd;
    descriptor_close(fd);
    return -1;
}

int service_manager_open(void) {
    const char *path = getenv("NOTIFY_SOCKET");
    if (!path || path[0] == '\0')
        return -1;
    int fd = connect_to(path);
    if (fd < 0)
        fprintf(stderr, "nound: cannot send to the service manager at %s: %s\n", path, strerror(errno));
    return fd;
}
