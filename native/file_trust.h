/* Whether a file that decides what the process does could have been written by somebody who must not decide that. */
#ifndef NOUND_FILE_TRUST_H
#define NOUND_FILE_TRUST_H

#include <stdbool.h>
#include <sys/types.h>

#include "sentence.h"

/*
 * Judges an open file: it must belong to root, to this process's user or to `user`, not be writable by everyone, and
 * neither may a folder on its path be, unless it is sticky as /tmp is (the group and the owners of folders are the
 * administrator's business).
 * path: what was opened. Returns false with the reason, as the end of a sentence.
 */
bool file_is_trusted(int fd, const char *path, uid_t user, struct sentence *reason);

#endif
