#define _GNU_SOURCE 1
#include "trust/file_trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"

#define MOST_LINKS 40 /* as of the kernel (path_resolution(7)) */

struct walk {
    uid_t user;
    struct failure *distrust;
    int links;
    int folder;          /* opened with O_PATH, or -1 */
    char at[512];        /* the folder's path without links, for people; the end is cut off if it does not fit */
    char rest[PATH_MAX]; /* the rest of the path from there */
};

/* Notes whose it is: the name, or the number of a user without one, and the user's home. */
static void note_owner(const struct walk *walk, const char *kind, const char *name, uid_t owner) {
    const struct passwd *entry = getpwuid(owner);
    failure_note(walk->distrust, "foreign", 0, "%s" AND "%s" AND "%s" AND, kind, walk->at, name);
    if (entry)
        failure_add(walk->distrust, "%s" AND "%s", entry->pw_name, entry->pw_dir);
    else
        failure_add(walk->distrust, "%lu" AND, (unsigned long)owner);
}

/* name: of what is in the folder that the walk has reached. Returns whether it is trusted; otherwise notes why not. */
static bool is_trusted(const struct walk *walk, const struct stat *status, const char *name) {
    const mode_t mode = status->st_mode;
    const char *kind = S_ISDIR(mode) ? "folder" : S_ISLNK(mode) ? "link" : "file";
    const bool may_be_written = !S_ISLNK(mode) && !(S_ISDIR(mode) && (mode & S_ISVTX));
    if (status->st_uid != 0 && status->st_uid != geteuid() && status->st_uid != walk->user)
        note_owner(walk, kind, name, status->st_uid);
    else if (may_be_written && (mode & S_IWOTH))
        failure_note(walk->distrust, "writable", 0, "%s" AND "%s" AND, kind, walk->at);
    else if (may_be_written && (mode & S_IWGRP) && status->st_gid != 0)
        failure_note(
            walk->distrust, "writable", 0, "%s" AND "%s" AND "%lu", kind, walk->at, (unsigned long)status->st_gid);
    return !walk->distrust->what;
}

/* Goes into an open folder. The walk then owns its descriptor, or closes it if the folder is not trusted. */
static bool enter(struct walk *walk, int folder) {
    struct stat status;
    if (fstat(folder, &status) < 0 || !is_trusted(walk, &status, "")) {
        close(folder);
        return false;
    }
    descriptor_close(walk->folder);
    walk->folder = folder;
    return true;
}

static bool enter_root(struct walk *walk) {
    int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    strcpy(walk->at, "/");
    return root >= 0 && enter(walk, root);
}

/* Notes the path of the folder that the walk has reached, as far as it fits. */
static void note_folder(struct walk *walk, const char *name) {
    size_t length = strlen(walk->at);
    if (strcmp(name, ".") == 0)
        return;
    if (strcmp(name, "..") == 0) {
        char *slash = strrchr(walk->at, '/');
        slash[slash == walk->at ? 1 : 0] = '\0';
        return;
    }
    snprintf(walk->at + length, sizeof walk->at - length, "%s%s", length > 1 ? "/" : "", name);
}

/* Goes from a folder into one of its own, or into the one around it. Consumes the descriptor. */
static bool descend(struct walk *walk, int folder, const char *name) {
    note_folder(walk, name);
    return enter(walk, folder);
}

static bool follow(struct walk *walk, int link, const char *name) {
    struct stat status;
    char target[PATH_MAX];
    if (fstat(link, &status) < 0 || !is_trusted(walk, &status, name))
        return false;
    ssize_t length = readlinkat(link, "", target, sizeof target);
    if (length < 0)
        return false;
    size_t rest = strlen(walk->rest) + 1;
    if (++walk->links > MOST_LINKS || (size_t)length + rest > sizeof walk->rest) {
        errno = walk->links > MOST_LINKS ? ELOOP : ENAMETOOLONG;
        return false;
    }
    memmove(walk->rest + length, walk->rest, rest); /* which begins with a slash or is empty */
    memcpy(walk->rest, target, (size_t)length);
    return walk->rest[0] != '/' || enter_root(walk);
}

static int open_last(struct walk *walk, const char *name, int flags) {
    struct stat status;
    int fd = openat(walk->folder, name, flags | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    const bool is_read = fstat(fd, &status) == 0;
    if (is_read && S_ISDIR(status.st_mode))
        note_folder(walk, name);
    if (is_read && is_trusted(walk, &status, name))
        return fd;
    descriptor_close(fd);
    return -1;
}

/* Takes the next component off the rest. Returns false at the end or when the component is too long, with errno or 0.
 */
static bool take_component(struct walk *walk, char name[NAME_MAX + 1]) {
    const char *start = walk->rest + strspn(walk->rest, "/");
    size_t length = strcspn(start, "/");
    errno = length > NAME_MAX ? ENAMETOOLONG : 0;
    if (length == 0 || length > NAME_MAX)
        return false;
    memcpy(name, start, length);
    name[length] = '\0';
    memmove(walk->rest, start + length, strlen(start + length) + 1);
    return true;
}

/* Walks to the end. Returns the descriptor of what is there, or -1. */
static int walk_on(struct walk *walk, int flags) {
    char name[NAME_MAX + 1];
    while (take_component(walk, name)) {
        struct stat status;
        int fd = openat(walk->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || fstat(fd, &status) < 0) {
            descriptor_close(fd);
            return -1;
        }
        if (S_ISLNK(status.st_mode)) {
            bool followed = follow(walk, fd, name);
            descriptor_close(fd);
            if (!followed)
                return -1;
        } else if (walk->rest[0] == '\0') {
            close(fd);
            return open_last(walk, name, flags);
        } else if (!S_ISDIR(status.st_mode)) {
            close(fd);
            errno = ENOTDIR;
            return -1;
        } else if (!descend(walk, fd, name)) {
            return -1;
        }
    }
    return errno == 0 ? open_last(walk, ".", flags) : -1; /* the path ends in a slash */
}

int file_trust_open(const char *path, int flags, uid_t user, struct failure *distrust) {
    struct walk walk; /* not cleared: memory that nobody touches costs nothing */
    walk.user = user;
    walk.distrust = distrust;
    walk.links = 0;
    walk.folder = -1;
    distrust->what = NULL;
    errno = path[0] == '\0' ? ENOENT : ENAMETOOLONG;
    if (path[0] == '\0' || strlen(path) + 1 > sizeof walk.rest)
        return -1;
    walk.rest[0] = '\0';
    if (path[0] != '/' && !getcwd(walk.rest, sizeof walk.rest - strlen(path) - 1))
        return -1;
    size_t length = strlen(walk.rest);
    snprintf(walk.rest + length, sizeof walk.rest - length, "%s%s", length > 0 ? "/" : "", path);
    int fd = enter_root(&walk) ? walk_on(&walk, flags) : -1;
    descriptor_close(walk.folder);
    return fd;
}
