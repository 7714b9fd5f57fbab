/* Files that decide whom a process trusts, or as whom it speaks. */
#ifndef NOUND_TRUSTED_FILE_H
#define NOUND_TRUSTED_FILE_H

#include <sys/types.h>

#include "text/sentence.h"

/*
 * Opens a file to read it, which nobody but root, the process's user and `user` may write. Returns -1 with the reason;
 * without a reason if there is no such file.
 */
int trusted_file_open(const char *path, uid_t user, struct sentence *reason);

/* The same, of the setting `what`: a file that is missing is a reason, too. */
int trusted_file_open_named(const char *path, const char *what, uid_t user, struct sentence *reason);

#endif
