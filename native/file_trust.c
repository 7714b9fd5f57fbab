#define _GNU_SOURCE 1
#include "file_trust.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Judges the folders around `path`, which is absolute and without links, and is cut short here. */
static bool folders_are_trusted(char *path, struct sentence *reason) {
    for (char *slash = strrchr(path, '/'); slash; slash = strrchr(path, '/')) {
        struct stat status;
        slash[slash == path ? 1 : 0] = '\0';
        if (stat(path, &status) < 0) {
            sentence_say(reason, "its folder %s cannot be looked at: %s", path, strerror(errno));
            return false;
        }
        if ((status.st_mode & S_IWOTH) && !(status.st_mode & S_ISVTX)) {
            sentence_say(reason, "everyone may put another file in its place in %s; chmod o-w that folder", path);
            return false;
        }
        if (slash == path)
            return true;
    }
    return true;
}

/* Judges the folders of what `path` leads to. */
static bool way_is_trusted(const char *path, struct sentence *reason) {
    char *real = realpath(path, NULL);
    if (!real) {
        sentence_say(reason, "its folders cannot be looked at: %s", strerror(errno));
        return false;
    }
    bool trusted = folders_are_trusted(real, reason);
    free(real);
    return trusted;
}

/* Judges the folder that a symbolic link is in. */
static bool link_is_trusted(const char *path, struct sentence *reason) {
    struct stat status;
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (lstat(path, &status) < 0 || !S_ISLNK(status.st_mode) || length + 2 > sizeof folder)
        return true;
    memcpy(folder, path, length);
    strcpy(folder + length, ".");
    char *real = realpath(folder, NULL);
    if (!real || strlen(real) + 3 > sizeof folder) {
        free(real);
        sentence_say(reason, "its folder cannot be looked at");
        return false;
    }
    strcpy(folder, real);
    strcat(folder, "/-"); /* stands for the link */
    free(real);
    return folders_are_trusted(folder, reason);
}

bool file_is_trusted(int fd, const char *path, uid_t user, struct sentence *reason) {
    struct stat status;
    if (fstat(fd, &status) < 0) {
        sentence_say(reason, "%s", strerror(errno));
        return false;
    }
    if (status.st_uid != 0 && status.st_uid != geteuid() && status.st_uid != user) {
        sentence_say(reason,
                     "it belongs to the user %lu, who is neither root nor the one nound runs as; chown it",
                     (unsigned long)status.st_uid);
        return false;
    }
    if (status.st_mode & S_IWOTH) {
        sentence_say(reason, "everyone may write to it; chmod o-w it");
        return false;
    }
    return way_is_trusted(path, reason) && link_is_trusted(path, reason);
}
