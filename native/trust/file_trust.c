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

#define MOST_LINKS 40 /* as of the kernel (path_resolution(7)) */

struct walk {
    uid_t user;
    struct sentence *reason;
    int links;
    int folder;          /* opened with O_PATH, or -1 */
    char at[512];        /* the folder's path without links, for people; the end is cut off if it does not fit */
    char rest[PATH_MAX]; /* the rest of the path from there */
};

static bool is_trusted_user(const struct walk *walk, uid_t owner) {
    return owner == 0 || owner == geteuid() || owner == walk->user;
}

#define IS_NEITHER "who is neither root nor the user of nound"

/* The user who owns something that is not trusted. */
struct owner {
    char name[64];       /* or the number of a user without a name */
    char home[PATH_MAX]; /* "" for none */
};

static void find_owner(uid_t user, struct owner *owner) {
    const struct passwd *entry = getpwuid(user);
    snprintf(owner->name, sizeof owner->name, "%lu", (unsigned long)user);
    if (entry)
        snprintf(owner->name, sizeof owner->name, "%s", entry->pw_name);
    snprintf(owner->home, sizeof owner->home, "%s", entry ? entry->pw_dir : "");
}

/* Returns whether the folder is a person's home or in it. */
static bool is_at_home(const char *folder, const struct owner *owner) {
    size_t length = strlen(owner->home);
    return strncmp(folder, "/home/", strlen("/home/")) == 0 ||
           (length > 1 && strncmp(folder, owner->home, length) == 0 && (folder[length] == '/' || !folder[length]));
}

/* Says who owns the folder, and what to do: without root, the user's own files are trusted. A home stays its owner's.
 */
static void say_foreign_folder(const struct walk *walk, uid_t user) {
    struct owner owner;
    find_owner(user, &owner);
    sentence_say(walk->reason,
                 "the folder %s belongs to the user %s, " IS_NEITHER "; start nound as %s, without root, or with "
                 "--user %s, ",
                 walk->at,
                 owner.name,
                 owner.name,
                 owner.name);
    sentence_add(walk->reason,
                 is_at_home(walk->at, &owner) ? "or move the file to a folder of root, such as /etc"
                                              : "or chown that folder");
}

static void say_foreign_file(const struct walk *walk, uid_t user) {
    struct owner owner;
    find_owner(user, &owner);
    sentence_say(walk->reason,
                 "it belongs to the user %s, " IS_NEITHER "; start nound as %s, without root, or with --user %s, or "
                 "chown it",
                 owner.name,
                 owner.name,
                 owner.name);
}

static bool folder_is_trusted(const struct walk *walk, const struct stat *status) {
    const char *path = walk->at;
    bool is_sticky = status->st_mode & S_ISVTX;
    if (!is_trusted_user(walk, status->st_uid))
        say_foreign_folder(walk, status->st_uid);
    else if ((status->st_mode & S_IWOTH) && !is_sticky)
        sentence_say(walk->reason, "everyone may create files in %s; chmod o-w that folder", path);
    else if ((status->st_mode & S_IWGRP) && status->st_gid != 0 && !is_sticky)
        sentence_say(walk->reason,
                     "the group %lu may create files in %s; chmod g-w that folder",
                     (unsigned long)status->st_gid,
                     path);
    return walk->reason->length == 0;
}

static bool file_is_trusted(const struct walk *walk, const struct stat *status) {
    if (!is_trusted_user(walk, status->st_uid))
        say_foreign_file(walk, status->st_uid);
    else if (status->st_mode & S_IWOTH)
        sentence_say(walk->reason, "everyone may write to it; chmod o-w it");
    else if ((status->st_mode & S_IWGRP) && status->st_gid != 0)
        sentence_say(walk->reason, "the group %lu may write to it; chmod g-w it", (unsigned long)status->st_gid);
    return walk->reason->length == 0;
}

static bool link_is_trusted(const struct walk *walk, const struct stat *status, const char *name) {
    if (!is_trusted_user(walk, status->st_uid))
        sentence_say(walk->reason,
                     "the symbolic link %s in %s on its path belongs to the user %lu, " IS_NEITHER "; remove that link",
                     name,
                     walk->at,
                     (unsigned long)status->st_uid);
    return walk->reason->length == 0;
}

/* Goes into an open folder. The walk then owns its descriptor, or closes it if the folder is not trusted. */
static bool enter(struct walk *walk, int folder) {
    struct stat status;
    if (fstat(folder, &status) < 0 || !folder_is_trusted(walk, &status)) {
        close(folder);
        return false;
    }
    if (walk->folder >= 0)
        close(walk->folder);
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
    if (fstat(link, &status) < 0 || !link_is_trusted(walk, &status, name))
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
    bool trusted = fstat(fd, &status) == 0;
    if (trusted && S_ISDIR(status.st_mode)) {
        note_folder(walk, name);
        trusted = folder_is_trusted(walk, &status);
    } else if (trusted) {
        trusted = file_is_trusted(walk, &status);
    }
    if (trusted)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
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
            if (fd >= 0)
                close(fd);
            return -1;
        }
        if (S_ISLNK(status.st_mode)) {
            bool followed = follow(walk, fd, name);
            close(fd);
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

int file_trust_open(const char *path, int flags, uid_t user, struct sentence *reason) {
    struct walk walk; /* not cleared: memory that nobody touches costs nothing */
    walk.user = user;
    walk.reason = reason;
    walk.links = 0;
    walk.folder = -1;
    sentence_say(reason, "%s", "");
    errno = path[0] == '\0' ? ENOENT : ENAMETOOLONG;
    if (path[0] == '\0' || strlen(path) + 1 > sizeof walk.rest)
        return -1;
    walk.rest[0] = '\0';
    if (path[0] != '/' && !getcwd(walk.rest, sizeof walk.rest - strlen(path) - 1))
        return -1;
    size_t length = strlen(walk.rest);
    snprintf(walk.rest + length, sizeof walk.rest - length, "%s%s", length > 0 ? "/" : "", path);
    int fd = enter_root(&walk) ? walk_on(&walk, flags) : -1;
    int error = errno;
    if (walk.folder >= 0)
        close(walk.folder);
    errno = error;
    return fd;
}
