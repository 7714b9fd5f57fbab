/*
 * Opens files that decide what the process does, if only trusted users could have written them.
 *
 * The path is walked as the kernel walks it, one component after the other, each opened in the folder before it. So the
 * checked file is the opened file, even if something is renamed meanwhile.
 */
#ifndef NOUND_FILE_TRUST_H
#define NOUND_FILE_TRUST_H

#include <sys/types.h>

#include "text/failure.h"

/*
 * Opens what a path leads to. It must belong to root, to this process's user or to `user`, and so must each folder and
 * each symbolic link on the way. Nobody else may write to it or to a folder on the way: neither everyone nor a group
 * other than root's. All may write to a sticky folder such as /tmp, because nobody can replace another user's file
 * there.
 * flags: of open(2), besides O_CLOEXEC and O_NOFOLLOW. O_CREAT is not among them.
 * Returns the descriptor, or -1: with `distrust` noted if the file must not be trusted: `foreign` or `writable`; else
 * without, and errno says why the file cannot be opened.
 */
int file_trust_open(const char *path, int flags, uid_t user, struct failure *distrust);

#endif
