#define _GNU_SOURCE 1
#include "tls/trusted_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trust/file_trust.h"

int trusted_file_open(const char *path, uid_t user, struct sentence *reason) {
    struct failure distrust = {0};
    struct stat status;
    /* Non-blocking, as opening a FIFO would wait for its writer. */
    const int file = file_trust_open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, user, &distrust);
    if (file < 0 && !distrust.what && errno == ENOENT)
        return file;
    if (file >= 0) {
        if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
            return file;
        close(file);
        sentence_say(reason, "cannot use %s: it is not a regular file", path);
        return -1;
    }
    const bool is_refused = !distrust.what && errno == EACCES;
    const char *why = !distrust.what ? strerror(errno)
                      : strcmp(distrust.what, "writable") == 0
                          ? "others may write to it, or to a folder on its path"
                          : "it, or a folder on its path, belongs to a user who is neither root nor that of nound";
    sentence_say(reason, "cannot use %s: %s", path, why);
    if (is_refused)
        sentence_add(reason, "; as root, this lets the service read it: chgrp nound %s && chmod 640 %s", path, path);
    return -1;
}

int trusted_file_open_named(const char *path, const char *what, uid_t user, struct sentence *reason) {
    const int file = trusted_file_open(path, user, reason);
    if (file < 0 && reason->length == 0)
        sentence_say(reason, "cannot use %s, the file of \"%s\": No such file or directory", path, what);
    return file;
}
