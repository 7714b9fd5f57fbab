#define _GNU_SOURCE 1
#include "guard/landlock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/descriptor.h"

/* The interface of <linux/landlock.h>, written out: the header of the system that compiles may be older than the kernel
 * this runs on. */
enum {
    CREATE_RULESET_VERSION = 1 << 0,
    RULE_PATH_BENEATH = 1,
    RULE_NET_PORT = 2,
};

enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    ALL_OF_1 = (1 << 13) - 1, /* with EXECUTE and the making of devices, sockets, pipes and links */
    REFER = 1 << 13,          /* since 2 */
    TRUNCATE = 1 << 14,       /* since 3 */
    IOCTL_DEV = 1 << 15,      /* since 5 */
};

enum {
    NET_BIND_TCP = 1 << 0, /* since 4 */
    NET_CONNECT_TCP = 1 << 1,
    SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0, /* since 6 */
    SCOPE_SIGNAL = 1 << 1,
};

struct ruleset_attributes {
    uint64_t handled_fs, handled_net, scoped;
};

struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

struct net_port {
    uint64_t allowed, port;
};

/* The rights that a path can get if it is not a folder. */
#define RIGHTS_OF_FILE (READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV)
#define RIGHTS_OF_OPEN_FOLDER (READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | MAKE_REG | REMOVE_FILE)
#define RIGHTS_TO_READ (READ_FILE | READ_DIR)
#define RIGHTS_TO_WRITE (RIGHTS_OF_OPEN_FOLDER | MAKE_DIR | REMOVE_DIR | REFER | IOCTL_DEV)

#define MOST_DESCRIPTORS 4096 /* checked at most: the kernel gives the lowest first, and no device has so many */

int landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static struct ruleset_attributes attributes_of(int version) {
    struct ruleset_attributes attributes = {.handled_fs = ALL_OF_1};
    if (version >= 2)
        attributes.handled_fs |= REFER;
    if (version >= 3)
        attributes.handled_fs |= TRUNCATE;
    if (version >= 4)
        attributes.handled_net = NET_BIND_TCP | NET_CONNECT_TCP;
    if (version >= 5)
        attributes.handled_fs |= IOCTL_DEV;
    if (version >= 6)
        attributes.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
    return attributes;
}

/* Allows what the kernel knows of `rights` beneath an open file or folder. Returns false with errno set. */
static bool allow(int ruleset, uint64_t handled, int fd, uint64_t rights) {
    struct stat status;
    if (fstat(fd, &status) < 0)
        return false;
    if (!S_ISDIR(status.st_mode))
        rights &= RIGHTS_OF_FILE;
    const struct path_beneath rule = {.allowed = rights & handled, .parent = fd};
    return syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
}

static bool allow_path(int ruleset, uint64_t handled, const struct landlock_path *path) {
    int fd = open(path->path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool allowed = allow(ruleset, handled, fd, path->writable ? RIGHTS_TO_WRITE : RIGHTS_TO_READ);
    descriptor_close(fd);
    return allowed;
}

/* Allows what the descriptor is for, if the program opened it and it is a folder. */
static bool allow_open_folder(int ruleset, uint64_t handled, int fd) {
    struct stat status;
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0 || !(flags & FD_CLOEXEC) || fstat(fd, &status) < 0 || !S_ISDIR(status.st_mode))
        return true;
    int mode = fcntl(fd, F_GETFL);
    return allow(ruleset, handled, fd, mode >= 0 && (mode & O_PATH) ? REMOVE_FILE : RIGHTS_OF_OPEN_FOLDER);
}

/* Checks every possible descriptor, if /proc is not mounted. This takes long. */
static bool allow_open_folders_by_number(int ruleset, uint64_t handled) {
    struct rlimit limit = {.rlim_cur = MOST_DESCRIPTORS};
    getrlimit(RLIMIT_NOFILE, &limit);
    int end = limit.rlim_cur < MOST_DESCRIPTORS ? (int)limit.rlim_cur : MOST_DESCRIPTORS;
    bool allowed = true;
    for (int fd = STDERR_FILENO + 1; fd < end && allowed; fd++)
        allowed = allow_open_folder(ruleset, handled, fd);
    return allowed;
}

/*
 * The folders that the program has opened to reach what is in them later: of states, of sysfs devices, of Unix sockets.
 * A descriptor that a parent process left open has no FD_CLOEXEC, or it would not have survived exec.
 */
static bool allow_open_folders(int ruleset, uint64_t handled) {
    DIR *descriptors = opendir("/proc/self/fd");
    if (!descriptors)
        return allow_open_folders_by_number(ruleset, handled);
    bool allowed = true;
    const struct dirent *entry;
    while (allowed && (entry = readdir(descriptors))) {
        int fd = entry->d_name[0] == '.' ? -1 : atoi(entry->d_name);
        if (fd > STDERR_FILENO && fd != dirfd(descriptors))
            allowed = allow_open_folder(ruleset, handled, fd);
    }
    int error = errno;
    closedir(descriptors);
    errno = error;
    return allowed;
}

/* Allows what the kernel knows of connecting to the ports. Returns false with errno set. */
static bool allow_ports(int ruleset, uint64_t handled, const struct landlock_reach *reach) {
    bool allowed = true;
    for (size_t i = 0; i < reach->port_count && allowed && (handled & NET_CONNECT_TCP); i++) {
        const struct net_port rule = {.allowed = NET_CONNECT_TCP, .port = reach->ports[i]};
        allowed = syscall(SYS_landlock_add_rule, ruleset, RULE_NET_PORT, &rule, 0) == 0;
    }
    return allowed;
}

static bool fill(int ruleset, const struct ruleset_attributes *attributes, const struct landlock_reach *reach,
                 struct sentence *reason) {
    const uint64_t handled = attributes->handled_fs;
    for (size_t i = 0; i < reach->path_count; i++) {
        const struct landlock_path *path = &reach->paths[i];
        if (allow_path(ruleset, handled, path))
            continue;
        sentence_say(
            reason, "cannot allow %s: %s", path->path, errno == ENOENT ? "there is no such file" : strerror(errno));
        return false;
    }
    if (!allow_ports(ruleset, attributes->handled_net, reach)) {
        sentence_say(reason, "cannot restrict the process: the kernel refuses a port: %s", strerror(errno));
        return false;
    }
#ifdef __SANITIZE_ADDRESS__
    /* At the end LeakSanitizer reads the process, and the program's own file for the names of functions. */
    static const struct landlock_path sanitizer[] = {{.path = "/proc"}, {.path = "/proc/self/exe"}};
    for (size_t i = 0; i < sizeof sanitizer / sizeof sanitizer[0]; i++)
        if (!allow_path(ruleset, handled, &sanitizer[i]))
            return false;
#endif
    if (allow_open_folders(ruleset, handled))
        return true;
    sentence_say(reason, "cannot restrict the process: the kernel refuses a folder: %s", strerror(errno));
    return false;
}

int landlock_restrict(const struct landlock_reach *reach, struct sentence *reason) {
    int version = landlock_version();
    if (version == 0)
        return 0;
    const struct ruleset_attributes attributes = attributes_of(version);
    /* An older kernel accepts the longer struct if the fields that it does not know are 0. */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) {
        sentence_say(reason, "cannot restrict the process: %s", strerror(errno));
        return -1;
    }
    bool restricted = fill(ruleset, &attributes, reach, reason);
    if (restricted && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) {
        sentence_say(reason, "cannot restrict the process: %s", strerror(errno));
        restricted = false;
    }
    close(ruleset);
    return restricted ? version : -1;
}
