#define _GNU_SOURCE 1
#include "files/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "files/file_text.h"
#include "guard/privileges.h"
#include "text/failure.h"
#include "trust/file_trust.h"

/* A text that is being written is called `.NAME.new`; no text has a name with a dot at the beginning. */
#define NEW_SUFFIX ".new"
#define LONGEST_NAME 200

static bool is_half_written(const char *name) {
    size_t length = strlen(name), suffix = strlen(NEW_SUFFIX);
    return name[0] == '.' && length > suffix + 1 && strcmp(name + length - suffix, NEW_SUFFIX) == 0;
}

static void clear_half_written(int folder) {
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    if (!entries) {
        descriptor_close(copy);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(entries));)
        if (is_half_written(entry->d_name))
            unlinkat(folder, entry->d_name, 0); /* if it cannot be removed, it does no harm */
    closedir(entries);
}

/* Opens a folder; root does so only if nobody else may write to it. */
static int open_folder(const char *path, const struct account *account, struct failure *distrust) {
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    if (geteuid() != 0)
        return open(path, flags);
    return file_trust_open(path, flags, account->chosen ? account->user : 0, distrust);
}

/*
 * Makes the folder in its parent and opens it. It does not follow a link, because somebody might put one there to get
 * another folder.
 */
static int make_folder(const char *path, const struct account *account, struct failure *distrust) {
    char around[PATH_MAX], whole[PATH_MAX];
    if (strlen(path) >= sizeof whole) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const char *name = basename(strcpy(whole, path));
    int parent = open_folder(dirname(strcpy(around, path)), account, distrust);
    if (parent < 0)
        return -1;
    int folder =
        mkdirat(parent, name, 0700) == 0 ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool given =
        folder >= 0 && (!account->chosen || geteuid() != 0 || fchown(folder, account->user, account->group) == 0);
    if (given)
        fsync(parent); /* so that the folder's own entry survives a loss of power too */
    descriptor_close(parent);
    if (!given)
        descriptor_close(folder);
    return given ? folder : -1;
}

int store_open(const char *path, const struct account *account, struct failure *distrust) {
    int folder = open_folder(path, account, distrust);
    if (folder < 0 && !distrust->what && errno == ENOENT)
        folder = make_folder(path, account, distrust);
    if (folder >= 0)
        clear_half_written(folder);
    return folder;
}

bool store_name_is_valid(const char *name) {
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-";
    size_t length = strlen(name);
    return length > 0 && length <= LONGEST_NAME && name[0] != '.' && strspn(name, characters) == length;
}

char *store_read(int folder, const char *name, size_t *length) {
    /* Non-blocking, as opening a FIFO would wait for its writer. */
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    char *text = fd >= 0 ? file_text_read(fd, STORE_LIMIT, length) : NULL;
    descriptor_close(fd);
    return text;
}

/* Writes a new file to the disk. Returns false with errno set. */
static bool write_file(int folder, const char *name, const char *text, size_t length) {
    if (unlinkat(folder, name, 0) < 0 && errno != ENOENT) /* of a write that failed */
        return false;
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool written = descriptor_write(fd, text, length) && fsync(fd) == 0;
    int error = errno;
    if (close(fd) < 0 && written) /* a network's file system may report a full disk only here */
        return false;
    errno = error;
    return written;
}

bool store_write(int folder, const char *name, const char *text, size_t length) {
    char new_name[LONGEST_NAME + sizeof "." NEW_SUFFIX];
    snprintf(new_name, sizeof new_name, ".%s" NEW_SUFFIX, name);
    if (write_file(folder, new_name, text, length) && renameat(folder, new_name, folder, name) == 0)
        return fsync(folder) == 0;
    int error = errno;
    unlinkat(folder, new_name, 0);
    errno = error;
    return false;
}

bool store_remove(int folder, const char *name) {
    return (unlinkat(folder, name, 0) == 0 || errno == ENOENT) && fsync(folder) == 0;
}

bool store_list(int folder, bool (*each)(void *context, const char *name), void *context) {
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    if (!entries) {
        descriptor_close(copy);
        return false;
    }
    bool goes_on = true;
    for (const struct dirent *entry; goes_on && (entry = readdir(entries));) {
        struct stat status;
        if (store_name_is_valid(entry->d_name) && fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode))
            goes_on = each(context, entry->d_name);
    }
    closedir(entries);
    return goes_on;
}
