#define _GNU_SOURCE 1
#include "files/sysfs_attribute.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"

#define WAITS 50       /* how often to check whether a folder is ready */
#define WAIT_LENGTH 10 /* ms between two checks */

bool sysfs_name_is_valid(const char *name) {
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:._-@,";
    size_t length = strlen(name);
    return length > 0 && length <= NAME_MAX && name[0] != '.' && strspn(name, characters) == length;
}

static int open_attribute(int folder, const char *attribute, int flags) {
    if (!sysfs_name_is_valid(attribute)) {
        errno = ENOENT;
        return -1;
    }
    /* No attribute is a symbolic link; the links in sysfs lead to other devices. */
    return openat(folder, attribute, flags | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
}

bool sysfs_read(int folder, const char *attribute, char *text) {
    int fd = open_attribute(folder, attribute, O_RDONLY);
    if (fd < 0)
        return false;
    const ssize_t count = descriptor_read(fd, text, SYSFS_PAGE);
    descriptor_close(fd);
    size_t length = count > 0 ? (size_t)count : 0;
    if (length > 0 && text[length - 1] == '\n')
        length--;
    text[length] = '\0';
    return count >= 0;
}

bool sysfs_write(int folder, const char *attribute, const char *text) {
    int fd = open_attribute(folder, attribute, O_WRONLY);
    if (fd < 0)
        return false;
    const bool is_written = descriptor_write_value(fd, text, strlen(text));
    descriptor_close(fd);
    return is_written;
}

/* Returns whether this user may write what anyone may. `uevent`, in each folder, stays the superuser's. */
static bool may_write_all(int folder) {
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    if (!entries) {
        descriptor_close(copy);
        return false;
    }
    bool may = true;
    for (const struct dirent *entry; may && (entry = readdir(entries));) {
        struct stat status;
        if (fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(status.st_mode) ||
            (status.st_mode & S_IWUSR) == 0 || strcmp(entry->d_name, "uevent") == 0)
            continue;
        may = faccessat(folder, entry->d_name, W_OK, AT_EACCESS) == 0;
    }
    closedir(entries);
    return may;
}

int sysfs_await_folder(int folder, const char *name) {
    const struct timespec pause = {.tv_nsec = WAIT_LENGTH * 1000000L};
    int fd = -1;
    if (!sysfs_name_is_valid(name)) {
        errno = ENOENT;
        return -1;
    }
    for (int i = 0; i < WAITS; i++) {
        if (fd < 0)
            fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0 && may_write_all(fd))
            return fd;
        if (fd < 0 && errno != ENOENT && errno != EACCES)
            return -1;
        nanosleep(&pause, NULL);
    }
    if (fd < 0)
        errno = ENOENT;
    return fd;
}
